//! Large edits take time in proportion to what they do.

use std::time::{Duration, Instant};

use mapwright_vmap::dmx::Guid;
use mapwright_vmap::{Document, WriteError};

#[test]
fn many_nodes_and_assets_in_one_edit() {
    let mut map = Document::new();
    let started = Instant::now();
    map.edit(|map| {
        let world = map.world()?;
        for _ in 0..10_000 {
            map.add_group(world)?;
        }
        // What comes before the first entity would be looked through for every other one.
        for number in 0..200_000_u32 {
            map.graph_mut().push("DmElement", "", Guid::made_of(&number.to_le_bytes()));
        }
        for _ in 0..10_000 {
            map.add_entity(world, "light_omni")?;
        }
        for number in 0..5_000 {
            map.add_asset(format!("materials/{number}.vmat"))?;
            map.add_asset(format!("MATERIALS/{number}.vmat"))?;
        }
        Ok::<(), WriteError>(())
    })
    .unwrap();
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    assert_eq!(map.nodes().count(), 20_001);
    assert_eq!(map.asset_references().len(), 5_000);
    assert_eq!(map.asset_references().last(), Some(&b"materials/4999.vmat"[..]));
}
