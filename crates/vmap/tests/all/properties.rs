//! Laws of maps that are changed in any way.

use crate::changes;

use std::collections::HashSet;

use changes::{apply, change};
use mapwright_vmap::io::Severity;
use mapwright_vmap::{Document, HiddenFlags, MapOptions, NodeId, Transform};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn changed_maps_stay_maps(
        changes in prop::collection::vec(change(), 1..24),
        format in prop::sample::select(vec![18_u32, 29, 30, 40]),
        seed in any::<u64>(),
    ) {
        let mut map = Document::new_with(&MapOptions::default().with_format_version(format).with_seed(seed));
        let empty = map.to_bytes().unwrap();
        for change in &changes {
            apply(&mut map, change, None);
        }
        // It reads as it was made, laid out as Hammer does.
        let bytes = map.to_bytes().unwrap();
        let read = Document::from_bytes(&bytes).unwrap();
        prop_assert!(read.graph().elements == map.graph().elements);
        prop_assert_eq!(read.graph().profile(), Some(mapwright_vmap::dmx::WriterProfile::Valve));
        // Numbers and identities are unique, nothing is left over, nothing leads nowhere.
        let numbers: Vec<NodeId> = read.nodes().map(|visit| visit.node.node_id().unwrap()).collect();
        prop_assert_eq!(numbers.iter().collect::<HashSet<_>>().len(), numbers.len());
        // Random keys, floats and classes may be odd; meshes are empty.
        let allowed = ["mesh-stream-missing", "mesh-unreadable", "not-finite", "entity-class", "attribute-name", "attribute-case"];
        for finding in read.validate() {
            let allowed = finding.severity == Severity::Note || allowed.contains(&finding.code);
            prop_assert!(allowed, "{}", finding);
        }
        // Taken away again, nothing remains: first instances, then what they show. One whose nodes another shows waits for it.
        let mut map = read;
        loop {
            let all = map.nodes().filter(|visit| visit.node.class() == b"CMapInstance");
            let instances: Vec<_> = all.map(|visit| visit.node.id()).collect();
            if instances.is_empty() {
                break;
            }
            if !instances.into_iter().any(|instance| map.edit(|map| map.remove(instance)).is_ok()) {
                // They stand in what the others show: none can go first.
                return Ok(());
            }
        }
        while let Some(child) = map.nodes().nth(1).map(|visit| visit.node.id()) {
            map.edit(|map| map.remove(child)).unwrap();
        }
        let world = map.world().unwrap();
        let keys: Vec<Vec<u8>> = world.entity().unwrap().keys().map(|(key, _)| key.to_vec()).collect();
        let outputs: Vec<_> = world.node().connections().map(|output| output.element().id()).collect();
        let id = world.node().id();
        map.edit(|map| {
            outputs.iter().try_for_each(|output| map.remove_output(id, *output).map(drop))?;
            for key in keys.iter().filter(|key| !matches!(key.as_slice(), b"classname" | b"targetname")) {
                map.remove_key(id, key)?;
            }
            map.set_key(id, "classname", "worldspawn")?;
            map.set_key(id, "targetname", "")?;
            map.set_name(id, "")?;
            map.set_hidden(id, HiddenFlags::VISIBLE)?;
            map.set_transform(id, Transform::IDENTITY)
        }).unwrap();
        let is_listed = map.visibility().unwrap().nodes().next().is_some();
        prop_assert!(is_listed || map.to_bytes().unwrap() == empty);
    }
}
