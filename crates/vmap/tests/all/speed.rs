//! Large edits take time in proportion to what they do.

use std::time::{Duration, Instant};

use mapwright_vmap::dmx::Guid;
use mapwright_vmap::{Document, Node, WriteError};

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
            map.graph_mut().push("DmElement", "", Guid::from_hash(&number.to_le_bytes()));
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

#[test]
fn many_moves_in_one_edit() {
    let mut map = Document::new();
    let started = Instant::now();
    let homes = map.edit(|map| {
        let world = map.world()?;
        let nodes = (0..12_000).map(|_| map.add_group(world)).collect::<Result<Vec<_>, WriteError>>()?;
        let (homes, nodes) = nodes.split_at(100);
        // A group with much below it, and back again.
        nodes.iter().try_for_each(|node| map.move_to(*node, homes[0]))?;
        for (index, node) in nodes.iter().enumerate() {
            map.move_to(*node, homes[index % homes.len()])?;
        }
        for _ in 0..2_000 {
            map.move_to(homes[0], homes[1])?;
            let new = map.add_group(homes[1])?;
            map.move_to(new, homes[0])?;
            assert!(map.move_to(homes[1], new).is_err());
            map.move_to(homes[0], world)?;
        }
        Ok::<_, WriteError>(homes.len())
    });
    assert_eq!(homes.unwrap(), 100);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    assert_eq!(map.nodes().count(), 14_001);
    let below: Vec<usize> = map.world().unwrap().node().children().map(|home| home.children().count()).collect();
    // The first one went away and came back behind the others.
    assert_eq!((below.len(), below.iter().sum::<usize>(), below.last()), (100, 13_900, Some(&2_119)));
}

#[test]
fn many_moves_out_of_where_nodes_were_moved_to() {
    let mut map = Document::new();
    let started = Instant::now();
    let numbers = map.edit(|map| {
        let world = map.world()?;
        let (first, second) = (map.add_group(world)?, map.add_group(world)?);
        let nodes = (0..40_000).map(|_| map.add_group(world)).collect::<Result<Vec<_>, WriteError>>()?;
        // There, on, back and on again: each stands once, where it came last.
        for home in [first, second, first, second] {
            nodes.iter().rev().try_for_each(|node| map.move_to(*node, home))?;
        }
        nodes.iter().take(3).try_for_each(|node| map.move_to(*node, first))?;
        Ok::<_, WriteError>(nodes.iter().filter_map(|node| map.map().node(*node)?.node_id()).collect::<Vec<_>>())
    });
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let mut numbers = numbers.unwrap();
    let homes: Vec<_> = map.world().unwrap().node().children().collect();
    let below = |home: Node<'_>| home.children().filter_map(Node::node_id).collect::<Vec<_>>();
    assert_eq!(homes.len(), 2);
    assert_eq!(below(homes[0]), numbers[..3]);
    numbers.reverse();
    assert_eq!(below(homes[1]), numbers[..39_997]);
}
