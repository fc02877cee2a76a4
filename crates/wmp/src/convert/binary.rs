//! WMPB and 710.

use std::sync::Arc;

use super::tree::{part, remove, scales};
use super::{DEFAULT_WAD, LOST_ALBEDO, drop_windows, forget_formatting, set_dialect};
use crate::document::{DEFAULT_TEXTURE, PLAIN_MAPPING, Part};
use crate::loss::{LossKind, Report};
use crate::resolve::colour::{level_to_percent, light_to_percent};
use crate::resolve::texture::default_axes;
use crate::resolve::{outward, single};
use crate::tree::{PartIndex, Tree};
use crate::{Block, Chunk, Dialect, Document, Entity, EntityKind, Face, Level, Member, MemberKind, Mesh, Name, Shape};

/// Converts WMPB to 710.
pub(super) fn to_a7(map: &mut Document, report: &mut Report) {
    forget_chunks(map, report);
    let is_region = |entity: &Entity| matches!(entity.kind, EntityKind::Region(_));
    for (at, entity) in map.entities.iter().enumerate() {
        report.part(is_region(entity), LossKind::Dropped, "entities", at, "a region, which text cannot store");
    }
    let regions: Vec<bool> = map.entities.iter().map(|entity| is_region(entity)).collect();
    if let Some(wed) = &mut map.wed {
        wed.wad_head = (!wed.wads.is_empty()).then(|| "0 0 0 0 0".into());
    }
    let tree = Tree::new(map);
    let held = tree.entities.iter().map(|holder| {
        let object = holder.and_then(|holder| map.objects.get(holder))?;
        Some((object.name.clone(), object.scale))
    });
    let held: Vec<Option<(Name, [f64; 3])>> = held.collect();
    for (at, block) in map.blocks.iter_mut().enumerate() {
        block_to_a7(block, at, report);
    }
    for ((at, entity), held) in map.entities.iter_mut().enumerate().zip(held) {
        let entity: &mut Entity = entity;
        let (name, scale) = held.unzip();
        entity.comment = name.unwrap_or_default();
        match &mut entity.kind {
            EntityKind::Level(level) => {
                level.wad = DEFAULT_WAD.into();
                level.word_04 = 0;
                level
                    .colours
                    .iter_mut()
                    .for_each(|colour| *colour = level_to_percent(Dialect::Binary, *colour).map(signed));
            }
            EntityKind::Light(light) => {
                light.colour = light_to_percent(Dialect::Binary, light.colour).map(signed);
                entity.comment = Name::NONE;
            }
            EntityKind::Sound(_) => entity.comment = Name::NONE,
            EntityKind::Start(start) => start.word_04 = 0,
            EntityKind::Path(path) => {
                path.word_04 = 0;
                for edge in &mut path.edges {
                    (edge.from, edge.to) = (edge.from.saturating_add(1), edge.to.saturating_add(1));
                }
            }
            EntityKind::Model(model) => {
                model.media = None;
                // In binary maps, the scale of the node counts.
                model.scale = scale.unwrap_or(model.scale);
                let several = model.skills.len() == 20;
                let more = model.tail.len() > 2;
                report.part(
                    more && !several,
                    LossKind::Dropped,
                    "entities",
                    at,
                    "material or strings of a model, which WMPB stores only for models with 20 skills",
                );
                model.tail.resize(if more && several { 5 } else { 2 }, Name::NONE);
            }
            EntityKind::Region(_) => {}
        }
    }
    report.count(
        LossKind::Synthesized,
        "entities",
        usize::from(map.level().is_some()),
        "the WAD of the build, map.$$w",
    );
    remove(map, |place| matches!(place, PartIndex::Entity(entity) if regions.get(entity) == Some(&true)));
    set_dialect(map, Dialect::A7);
}

/// Drops unknown chunks, and words of heads.
pub(super) fn forget_chunks(map: &mut Document, report: &mut Report) {
    let mut lost = |list: &'static str, at: usize, extra: &[Chunk]| {
        report.part(!extra.is_empty(), LossKind::Dropped, list, at, "unknown chunks");
    };
    for (at, object) in map.objects.iter_mut().enumerate() {
        lost("objects", at, &std::mem::take(&mut object.extra));
        object.word_04 = 0;
    }
    for (at, entity) in map.entities.iter_mut().enumerate() {
        lost("entities", at, &std::mem::take(&mut entity.extra));
    }
    for (at, block) in map.blocks.iter_mut().enumerate() {
        lost("blocks", at, &std::mem::take(&mut block.extra));
        if let Shape::Mesh(mesh) = &mut block.shape {
            mesh.faces.iter_mut().for_each(|face| lost("blocks", at, &std::mem::take(&mut face.extra)));
        }
    }
    let header = [&map.header.extra, &map.header.around].into_iter();
    let wed = map.wed.iter_mut().map(|wed| std::mem::take(&mut wed.extra)).collect::<Vec<_>>();
    let chunks = header.chain(&wed).map(Vec::len).sum();
    report.count(LossKind::Dropped, "header", chunks, "unknown chunks outside of the tree");
    for (at, object) in map.objects.iter_mut().enumerate() {
        report.part(object.kind.take().is_some(), LossKind::Dropped, "objects", at, "an unknown kind of node");
    }
}

fn block_to_a7(block: &mut Block, at: usize, report: &mut Report) {
    let Shape::Mesh(Mesh { vertices, faces }) = &mut block.shape else { return };
    for face in faces {
        let axes = |corners: &[u32]| {
            let corner = |corner: &u32| vertices.get(usize::try_from(*corner).ok()?).copied();
            let points: Vec<_> = corners.iter().filter_map(corner).collect();
            Arc::new(default_axes(outward(&points)))
        };
        report.part(
            face.bare,
            LossKind::Synthesized,
            "blocks",
            at,
            "texture, flags and light of a face without an entry",
        );
        report.part(
            face.uvs.is_some(),
            LossKind::Approximated,
            "blocks",
            at,
            "texture coordinates, in the format of $$M with vectors and mapping: other programs may not read them",
        );
        if face.bare {
            *face = Face {
                vectors: Some(axes(&face.corners)),
                corners: std::mem::take(&mut face.corners),
                texture: DEFAULT_TEXTURE.into(),
                mapping: Some(Arc::new(PLAIN_MAPPING)),
                ..Face::in_default_light()
            };
        } else {
            let vectors = face.vectors.take().unwrap_or_else(|| axes(&face.corners));
            face.vectors = Some(vectors);
            face.mapping.get_or_insert_with(|| Arc::new(PLAIN_MAPPING));
        }
    }
}

/// Returns a part of a colour with the sign that 710 stores for zeros.
pub(super) fn signed(part: f64) -> f64 {
    if part == 0.0 { -0.0 } else { part }
}

/// Converts 710 to WMPB.
pub(super) fn from_a7(map: &mut Document, report: &mut Report) {
    drop_windows(map, report);
    settings(map, report);
    // Parts outside of the tree have no node.
    let tree = Tree::new(map);
    let unheld = |holders: &[Option<usize>]| -> Vec<bool> { holders.iter().map(Option::is_none).collect() };
    let (blocks, entities) = (unheld(&tree.blocks), unheld(&tree.entities));
    let mut objects = vec![true; map.objects.len()];
    for object in tree.order.iter().take(tree.rooted) {
        if let Some(gone) = objects.get_mut(*object) {
            *gone = false;
        }
    }
    for (list, gone) in [("blocks", &blocks), ("entities", &entities), ("objects", &objects)] {
        for (at, gone) in gone.iter().enumerate() {
            report.part(*gone, LossKind::Dropped, list, at, "a part that is not below the root");
        }
    }
    let is = |list: &[bool], at: usize| list.get(at) == Some(&true);
    remove(map, |place| match place {
        PartIndex::Block(block) => {
            is(&blocks, block) || tree.blocks.get(block).copied().flatten().is_some_and(|at| is(&objects, at))
        }
        PartIndex::Entity(entity) => {
            is(&entities, entity) || tree.entities.get(entity).copied().flatten().is_some_and(|at| is(&objects, at))
        }
        PartIndex::Object(object) => is(&objects, object),
    });
    level(map, report);
    part(map);
    scales(map);
    names(map, report);
    for (at, block) in map.blocks.iter_mut().enumerate() {
        block_from_a7(block, at, report);
    }
    for (at, entity) in map.entities.iter_mut().enumerate() {
        entity_from_a7(entity, at, report);
    }
    forget_formatting(map);
    set_dialect(map, Dialect::Binary);
}

/// Drops settings of the editor that WMPB does not store.
fn settings(map: &mut Document, report: &mut Report) {
    let Some(wed) = &mut map.wed else { return };
    let head = wed.wad_head.take().is_some_and(|head| head != "0 0 0 0 0");
    report.count(LossKind::Dropped, "wed", head.into(), "the numbers before the WADs");
    let is_unusual = wed.palette.take_if(|palette| palette.len() != 768).is_some();
    report.count(LossKind::Dropped, "wed", is_unusual.into(), "a palette without exactly 256 colours");
    let wed: &mut crate::Wed = wed;
    let mut sources = 0_usize;
    for source in wed.wads.iter_mut().chain(&mut wed.folders).filter(|source| source.enabled != 1) {
        source.enabled = 1;
        sources = sources.saturating_add(1);
    }
    report.count(LossKind::Dropped, "wed", sources, "the number after a WAD or folder");
}

/// Adds a level, which the root of a binary map must have.
fn level(map: &mut Document, report: &mut Report) {
    if map.level().is_none() {
        report.add(LossKind::Synthesized, "entities", "a level, which the root of binary maps must have");
        let number = map.entities.iter().map(|entity| entity.number).max().map_or(0, |most| most.saturating_add(1));
        map.entities.insert(0, Part::new(Entity::new(number, EntityKind::Level(Level::default()))));
        let root = crate::tree::PartNumbers::new(map).root(map);
        match root.and_then(|root| map.objects.get_mut(root)) {
            Some(root) => root.members.push(Member { kind: MemberKind::Level, number }),
            None => {
                let mut root = crate::Object::new(0);
                root.members.push(Member { kind: MemberKind::Level, number });
                map.objects.push(Part::new(root));
            }
        }
    }
}

/// Fills in names of nodes, which some editors of text store only in entities.
fn names(map: &mut Document, report: &mut Report) {
    let tree = Tree::new(map);
    for (at, (entity, holder)) in map.entities.iter_mut().zip(&tree.entities).enumerate() {
        let comment = std::mem::take(&mut entity.comment);
        // Entities outside of the tree have no node.
        let Some(object) = holder.map(|holder| &mut map.objects[holder]) else { continue };
        if object.name.is_empty() {
            object.name = match entity.kind {
                EntityKind::Level(_) => "Root".into(),
                _ => comment.clone(),
            };
        }
        let stored = comment.is_empty() || comment == object.name || comment == *entity.name() || comment == "Root";
        report.part(!stored, LossKind::Dropped, "entities", at, "a comment that is not the name");
    }
}

fn block_from_a7(block: &mut Block, at: usize, report: &mut Report) {
    let Shape::Mesh(Mesh { faces, .. }) = &mut block.shape else { return };
    for face in faces {
        let material = !std::mem::take(&mut face.material).is_empty();
        report.part(material, LossKind::Dropped, "blocks", at, "the material of a face");
        let mut light = face.light();
        light.iter_mut().for_each(|part| round(part, "blocks", at, LIGHT, report));
        face.set_light(light);
        face.mapping.get_or_insert_with(|| Arc::new(PLAIN_MAPPING));
    }
}

fn entity_from_a7(entity: &mut Entity, at: usize, report: &mut Report) {
    let lines = !std::mem::take(&mut entity.lines).is_empty();
    report.part(lines, LossKind::Dropped, "entities", at, "unknown lines");
    match &mut entity.kind {
        EntityKind::Level(level) => {
            let wad = !std::mem::take(&mut level.wad).is_empty();
            report.part(wad, LossKind::Dropped, "entities", at, "the WAD of the build");
            for angle in [&mut level.azimuth, &mut level.elevation] {
                round(angle, "entities", at, "the direction of the sun, in single precision", report);
            }
            report.part(level.colours.len() < 6, LossKind::Synthesized, "entities", at, "colours of a level");
            report.part(level.colours.len() > 6, LossKind::Dropped, "entities", at, "more than four fogs");
            level.colours.resize(6, [0.0; 3]);
            for colour in &mut level.colours {
                bytes(colour, level_to_percent, at, report);
            }
        }
        EntityKind::Light(light) => {
            bytes(&mut light.colour, light_to_percent, at, report);
            round(&mut light.range, "entities", at, "the range of a light, in single precision", report);
            light.flags.get_or_insert_default();
        }
        EntityKind::Sound(sound) => {
            let whole = sound.numbers.map(|number| number.round().clamp(0.0, u32::MAX.into()));
            report.part(
                whole != sound.numbers,
                LossKind::Approximated,
                "entities",
                at,
                "numbers of a sound, rounded to whole numbers",
            );
            sound.numbers = whole.map(|number| if number.is_nan() { 0.0 } else { number });
        }
        EntityKind::Path(path) => {
            report.part(path.number != 0.0, LossKind::Dropped, "entities", at, "the number after the name of a path");
            path.number = 0.0;
            for edge in &mut path.edges {
                let zero = edge.from == 0 || edge.to == 0;
                report.part(zero, LossKind::Repaired, "entities", at, "an edge of node 0: nodes count from 1");
                (edge.from, edge.to) = (edge.from.saturating_sub(1), edge.to.saturating_sub(1));
            }
        }
        EntityKind::Model(model) => {
            report.part(model.fill_albedo(), LossKind::Synthesized, "entities", at, LOST_ALBEDO);
            let mut light = model.light();
            light.iter_mut().for_each(|part| round(part, "entities", at, LIGHT, report));
            model.set_light(light);
            report.part(
                model.tail.len() > 5,
                LossKind::Dropped,
                "entities",
                at,
                "more than five names at the end of a model",
            );
            model.tail.truncate(5);
            while model.tail.last().is_some_and(Name::is_empty) {
                model.tail.pop();
            }
        }
        EntityKind::Start(_) | EntityKind::Region(_) => {}
    }
}

/// The loss of precision of the light of faces and models.
const LIGHT: &str = "light of a texture or model, in single precision";

/// Rounds a number to single precision.
fn round(number: &mut f64, list: &'static str, at: usize, text: &str, report: &mut Report) {
    let before = std::mem::replace(number, single(*number));
    report.part(*number != before && !before.is_nan(), LossKind::Approximated, list, at, text);
}

/// Converts a colour from percent to bytes.
fn bytes(colour: &mut [f64; 3], percent: fn(Dialect, [f64; 3]) -> [f64; 3], at: usize, report: &mut Report) {
    let before = *colour;
    *colour =
        before.map(|part| (part * 2.55).round().clamp(0.0, 255.0)).map(|part| if part.is_nan() { 0.0 } else { part });
    let found = percent(Dialect::Binary, *colour);
    let near = found.iter().zip(&before).all(|(found, before)| (found - before).abs() < 1e-5);
    report.part(!near, LossKind::Approximated, "entities", at, "a colour, in steps of 1/255");
}
