//! Reading and writing text and binary maps, against copying the bytes into fresh memory.

use mapwright_testkit::{corpus, files_below, fixtures};
use mapwright_wmp::{Block, Dialect, Document, Entity, Object, Part};

use super::{memory, race, ratio, speed, timed, timed_with};

/// The map is repeated until it has this number of bytes.
const BYTES: usize = 50 << 20;

pub(super) fn bench() -> Result<(), String> {
    let (folder, name) = match corpus("wmp") {
        Some(folder) => (folder, "the largest real one"),
        None => (fixtures("wmp"), "a fixture"),
    };
    let mut largest: Vec<(Dialect, Vec<u8>)> = Vec::new();
    for path in files_below(&folder) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok(document) = Document::from_bytes(&bytes) else { continue };
        match largest.iter_mut().find(|(dialect, _)| *dialect == document.dialect) {
            Some((_, known)) if known.len() >= bytes.len() => {}
            Some((_, known)) => *known = bytes,
            None => largest.push((document.dialect, bytes)),
        }
    }
    largest.sort_by_key(|(dialect, _)| *dialect);
    println!(
        "Maps of {} MiB, {name} of each dialect many times. Megabytes per second; the factor is how many times as long as copying \
         the file into fresh memory.\n",
        BYTES >> 20
    );
    println!("| | | copy | factor |\n|---|---|---|---|");
    let mut files = Vec::new();
    for (dialect, bytes) in &largest {
        let file = many(&Document::from_bytes(bytes).map_err(|error| error.to_string())?, BYTES)?;
        let document = Document::from_bytes(&file).map_err(|error| error.to_string())?;
        let mut anew = document.clone();
        anew.forget_source();
        let [copy, read, taken, write, print] = race([
            &mut timed(|| file.clone()),
            &mut timed(|| Document::from_bytes(&file)),
            &mut timed_with(|| file.clone(), Document::from_vec),
            &mut timed(|| document.to_bytes()),
            &mut timed(|| anew.to_bytes()),
        ]);
        let times = [
            ("read, `from_bytes`,", read),
            ("read, `from_vec`,", taken),
            ("write untouched", write),
            ("write anew", print),
        ];
        for (verb, time) in times {
            println!(
                "| {verb} {} | {} | {} | {} |",
                dialect.name(),
                speed(file.len(), time),
                speed(file.len(), copy),
                ratio(time, copy)
            );
        }
        files.push((dialect, file));
    }
    println!("\nPeak memory of reading without the file itself, in multiples of its size:\n");
    for (dialect, file) in &files {
        println!("{}\n", dialect.name());
        memory::table(&["wmp"], file, file.len())?;
    }
    Ok(())
}

/// Repeats the contents of a map up to a number of bytes.
pub(super) fn many(one: &Document, bytes: usize) -> Result<Vec<u8>, String> {
    let written = |document: &Document| document.to_bytes().map_err(|error| error.to_string());
    let times = bytes / written(one)?.len().max(1) + 1;
    let mut map = one.clone();
    map.forget_source();
    let counts =
        [map.blocks.len(), map.entities.len(), map.objects.len()].map(|count| u32::try_from(count).unwrap_or(0));
    let [blocks, entities, objects] = counts;
    let (first_blocks, first_entities, first_objects) = (map.blocks.clone(), map.entities.clone(), map.objects.clone());
    for time in 1..u32::try_from(times).unwrap_or(1) {
        map.blocks.extend(first_blocks.iter().map(|part| {
            let mut block: Block = Part::clone(part).into_inner();
            block.number += blocks * time;
            block.index = block.index.map(|index| index + blocks * time);
            block.into()
        }));
        // One level is enough.
        map.entities.extend(first_entities.iter().filter(|entity| entity.number > 0).map(|part| {
            let mut entity: Entity = Part::clone(part).into_inner();
            entity.number += entities * time;
            entity.into()
        }));
        map.objects.extend(first_objects.iter().filter(|object| object.number > 0).map(|part| {
            let mut object: Object = Part::clone(part).into_inner();
            object.number += objects * time;
            for member in &mut object.members {
                member.number += time
                    * match member.kind {
                        mapwright_wmp::MemberKind::Object => objects,
                        mapwright_wmp::MemberKind::Block => blocks,
                        _ => entities,
                    };
            }
            object.into()
        }));
        let held: Vec<_> = first_objects[0]
            .members
            .iter()
            .filter(|member| member.kind == mapwright_wmp::MemberKind::Object)
            .map(|member| mapwright_wmp::Member { number: member.number + objects * time, ..*member })
            .collect();
        map.objects[0].members.extend(held);
    }
    map.renumber();
    written(&map)
}
