//! Any dialect → `$$M`, and `$$M` → 710.

use std::sync::Arc;

use hashbrown::HashMap;
use mapwright_io::FormattedNumber;

use super::a4::report_unusual_side;
use super::binary::forget_chunks;
use super::{DEFAULT_WAD, LOST_ALBEDO, drop_windows};
use crate::document::{DEFAULT_TEXTURE, PLAIN_MAPPING, Part};
use crate::loss::{LossKind, Report};
use crate::resolve::polygons::MAX_PLANES;
use crate::resolve::transform::{engine_rotation, entity_angles};
use crate::resolve::{
    Gap, GapKind, Precision, ResolveOptions, Resolved, ResolvedBlock, ResolvedEntity, has_mirrored_heading, single,
};
use crate::tree::{PartIndex, PartNumbers};
use crate::{
    Block, BlockFlags, Dialect, Document, Edge, Entity, EntityKind, Face, Level, Light, LightFlags, Member, MemberKind,
    Mesh, Model, Name, Object, Path, PathNode, Shape,
};

/// Converts a map to the resolved map that the editor makes for the compiler: in single precision, with the same digits.
pub(super) fn resolve(source: &mut Document, report: &mut Report) -> Document {
    drop_windows(source, report);
    forget_chunks(source, report);
    let source = &*source;
    let options = ResolveOptions::default().with_precision(Precision::Single);
    let resolved = source.resolve_with(&options);
    let mut map = Document::new(Dialect::Resolved);
    map.line_end = if source.dialect == Dialect::Binary { map.line_end } else { source.line_end };
    map.header.created = source.header.created.clone();
    level(source, &mut map, report);
    for block in &resolved.blocks {
        add_block(source, block, &mut map, report);
    }
    let names = Names::from_document(source, &resolved);
    for entity in &resolved.entities {
        add_entity(source, entity, &names, &mut map, report);
    }
    close_root(&mut map);
    gaps(source, &resolved.gaps, report);
    report_lost_parts(source, report);
    map
}

/// Reports parts without a position or shape.
fn gaps(source: &Document, gaps: &[Gap], report: &mut Report) {
    let places = PartNumbers::new(source);
    for gap in gaps {
        let (list, at) = match places.find(Member { kind: gap.what, number: gap.number }) {
            Some(PartIndex::Block(at)) => ("blocks", at),
            Some(PartIndex::Entity(at)) => ("entities", at),
            Some(PartIndex::Object(at)) => ("objects", at),
            None => continue,
        };
        let text = match gap.kind {
            GapKind::Unowned => "a part that is not below the root",
            GapKind::Planes => "all sides of a block that has more than 1024",
            GapKind::Vertices => "faces with vertex indices out of range",
        };
        report.part(true, LossKind::Dropped, list, at, text);
    }
}

fn level(source: &Document, map: &mut Document, report: &mut Report) {
    let Some(EntityKind::Level(level)) = map.entities.first_mut().map(|part| &mut part.kind) else {
        unreachable!("a new map begins with its level");
    };
    *level = Level { nexus: 0, colours: Vec::new(), ..Level::default() };
    match source.level() {
        Some(stored) => {
            (level.wad, level.palette) = (stored.wad.clone(), stored.palette.clone());
            (level.azimuth, level.elevation) = (stored.azimuth, stored.elevation);
        }
        None => report.add(LossKind::Synthesized, "entities", "a level, which resolved maps must have"),
    }
    if level.wad.is_empty() {
        level.wad = DEFAULT_WAD.into();
        report.add(LossKind::Synthesized, "level", format!("the WAD of the build, {DEFAULT_WAD}"));
    }
}

/// Adds an object with one member.
fn add_object(map: &mut Document, kind: MemberKind, number: usize, mut object: Object) {
    object.number = u32::try_from(map.objects.len()).unwrap_or(u32::MAX);
    object.members = [Member { kind, number: u32::try_from(number).unwrap_or(u32::MAX) }].as_slice().into();
    map.objects.push(Part::new(object));
}

/// Makes all other objects, and the level, members of the root.
fn close_root(map: &mut Document) {
    let others = map.objects.iter().skip(1).map(|object| Member { kind: MemberKind::Object, number: object.number });
    let members = others.chain([Member { kind: MemberKind::Level, number: 0 }]).collect();
    if let Some(root) = map.objects.first_mut() {
        root.members = members;
    }
}

fn add_block(source: &Document, resolved: &ResolvedBlock, map: &mut Document, report: &mut Report) {
    let at = resolved.block;
    let block = &source.blocks[at];
    let (faces, many): (Vec<Face>, bool) = match &block.shape {
        Shape::Mesh(mesh) => (mesh.faces.clone(), false),
        Shape::Planes(faces) => {
            faces.iter().for_each(|plane| report_unusual_side(plane, at, report));
            (faces.iter().map(Face::from_plane).collect(), faces.len() > MAX_PLANES)
        }
    };
    let mut mesh = Mesh { vertices: resolved.vertices.clone(), faces: Vec::with_capacity(faces.len()) };
    for (face, resolved) in faces.into_iter().zip(&resolved.faces) {
        if resolved.corners.is_empty() {
            // The other reasons are reported as gaps.
            let flat = face.corners.is_empty() && !many;
            report.part(flat, LossKind::Dropped, "blocks", at, "a face without an area");
            continue;
        }
        let mut face = face;
        if resolved.texture.is_none() {
            face.set_light([face.ambient, Model::ALBEDO]);
        }
        mesh.faces.push(Face {
            corners: resolved.corners.as_slice().into(),
            texture: resolved.texture.clone().unwrap_or_else(|| DEFAULT_TEXTURE.into()),
            vectors: Some(Arc::new(resolved.vectors.map(|vector| vector.map(single)))),
            mapping: None,
            flags: resolved.flags,
            bare: false,
            extra: Box::default(),
            ..face
        });
    }
    let number = map.blocks.len();
    let mut new = Block::new(u32::try_from(number).unwrap_or(u32::MAX), mesh);
    new.flags = BlockFlags(block.flags.0 & !BlockFlags::TEXTURE_LOCK.0);
    new.material = block.material.clone();
    map.blocks.push(Part::new(new));
    add_object(map, MemberKind::Block, number, Object::new(0));
}

/// The numbers of paths and models by name, from 1. The first of several counts.
#[derive(Default)]
struct Names<'a> {
    paths: HashMap<&'a Name, usize>,
    models: HashMap<&'a Name, usize>,
}

impl<'a> Names<'a> {
    fn from_document(source: &'a Document, resolved: &Resolved) -> Self {
        let mut names = Self::default();
        let (mut paths, mut models) = (0_usize, 0_usize);
        for entity in resolved.entities.iter().filter_map(|resolved| source.entities.get(resolved.entity)) {
            let (names, count) = match &entity.kind {
                EntityKind::Path(_) => (&mut names.paths, &mut paths),
                EntityKind::Model(_) => (&mut names.models, &mut models),
                _ => continue,
            };
            *count = count.saturating_add(1);
            names.entry(entity.name()).or_insert(*count);
        }
        names
    }
}

fn add_entity(
    source: &Document,
    resolved: &ResolvedEntity,
    names: &Names<'_>,
    map: &mut Document,
    report: &mut Report,
) {
    let entity = &source.entities[resolved.entity];
    let mut object = Object { position: resolved.position, ..Object::new(0) };
    let kind = match &entity.kind {
        EntityKind::Level(_) | EntityKind::Region(_) => return,
        EntityKind::Start(start) => {
            object.angles = resolved.angles.map(single);
            EntityKind::Start(start.clone())
        }
        EntityKind::Light(light) => EntityKind::Light(Light {
            // The editor prints zeros of colours as -0.
            colour: resolved.colour.unwrap_or_default().map(|part| if part == 0.0 { -0.0 } else { part }),
            range: light.range,
            flags: Some(light.flags.unwrap_or(LightFlags(0))),
        }),
        EntityKind::Sound(sound) => {
            object.angles = resolved.angles.map(single);
            EntityKind::Sound(sound.clone())
        }
        EntityKind::Model(model) => {
            object.angles = resolved.angles.map(single);
            object.scale = resolved.scale;
            EntityKind::Model(self::model(model, resolved, names, report))
        }
        EntityKind::Path(path) => {
            object.position = [0.0; 3];
            let base = 1 - source.dialect.first_node();
            EntityKind::Path(self::path(path, &resolved.nodes, base))
        }
    };
    let number = map.entities.len();
    let new = Entity::new(u32::try_from(number).unwrap_or(u32::MAX), kind);
    let kind = new.member_kind();
    map.entities.push(Part::new(new));
    add_object(map, kind, number, object);
}

const NOTHING: &str = "the name of a missing path or target";

fn model(model: &Model, resolved: &ResolvedEntity, names: &Names<'_>, report: &mut Report) -> Model {
    let mut tail = Vec::new();
    let is_long = model.skills.len() == 20;
    let mut stored = model.tail.iter();
    let [path, target] = [stored.next(), stored.next()].map(|name| name.filter(|name| !name.is_empty()));
    let rest = stored.as_slice();
    let used = rest.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last.saturating_add(1));
    if is_long {
        for (name, numbers) in [(path, &names.paths), (target, &names.models)] {
            let number = name.and_then(|name| numbers.get(name)).copied().unwrap_or(0);
            report.part(name.is_some() && number == 0, LossKind::Dropped, "entities", resolved.entity, NOTHING);
            tail.push(number.to_string().as_str().into());
        }
        tail.extend(rest.iter().take(used).cloned());
    } else {
        let any = path.is_some() || target.is_some() || used > 0;
        report.part(
            any,
            LossKind::Dropped,
            "entities",
            resolved.entity,
            "names at the end of a model with eight skills",
        );
    }
    let mut model = model.clone();
    if is_long {
        model.fill_albedo();
    } else {
        model.drop_albedo();
    }
    Model {
        scale: resolved.scale,
        skills: Arc::new(model.skills.iter().map(|skill| FormattedNumber::new(*skill.get())).collect()),
        tail,
        media: None,
        flag_digits: None,
        ..model
    }
}

fn path(path: &Path, points: &[[f64; 3]], base: u32) -> Path {
    let nodes = path.nodes.iter().zip(points).map(|(node, point)| PathNode { point: *point, ..*node });
    let node = |number: u32| points.get(usize::try_from(number.checked_sub(1)?).ok()?).copied();
    let edges = path.edges.iter().map(|edge| {
        let (from, to) = (edge.from.saturating_add(base), edge.to.saturating_add(base));
        let length = node(from).zip(node(to)).map(|([ax, ay, az], [bx, by, bz])| {
            // Rounded at each step, as the editor does.
            let [x, y, z] = [bx - ax, by - ay, bz - az].map(single).map(|way| single(way * way));
            single(single(single(x + y) + z).sqrt())
        });
        Edge { from, to, weight: length.unwrap_or(edge.weight), numbers: edge.numbers }
    });
    Path { name: path.name.clone(), number: 0.0, nodes: nodes.collect(), edges: edges.collect(), word_04: 0 }
}

/// Reports parts of the map that resolved maps do not store.
fn report_lost_parts(source: &Document, report: &mut Report) {
    let places = PartNumbers::new(source);
    for (at, object) in source.objects.iter().enumerate() {
        // The names of the root and of groups are lost with them. Entities keep their own.
        let held = match object.members.as_slice() {
            [only] if only.kind != MemberKind::Object => places.find(*only),
            _ => continue,
        };
        let same = match held {
            Some(PartIndex::Entity(entity)) => {
                let entity = source.entities.get(entity);
                entity.is_some_and(|entity| *entity.name() == object.name || entity.member_kind() == MemberKind::Level)
            }
            _ => false,
        };
        report.part(!same && !object.name.is_empty(), LossKind::Dropped, "objects", at, "the name of an object");
    }
    for (at, entity) in source.entities.iter().enumerate() {
        report.part(!entity.lines.is_empty(), LossKind::Dropped, "entities", at, "unknown lines");
        report_unusual_comment(entity, at, report);
        if let EntityKind::Path(path) = &entity.kind {
            report.part(path.number != 0.0, LossKind::Dropped, "entities", at, "the number after the name of a path");
        }
    }
    let mut count = |path, count, text| report.count(LossKind::Dropped, path, count, text);
    let holds_objects = |object: &&Part<Object>| object.members.iter().any(|member| member.kind == MemberKind::Object);
    count("objects", source.objects.iter().skip(1).filter(holds_objects).count(), "groups");
    let regions = source.entities.iter().filter(|entity| matches!(entity.kind, EntityKind::Region(_)));
    count("entities", regions.count(), "regions");
    let locked = source.blocks.iter().filter(|block| block.flags.has(BlockFlags::TEXTURE_LOCK));
    count("blocks", locked.count(), "locks of textures, which are part of the vectors");
    if let Some(wed) = &source.wed {
        count("wed", usize::from(wed.palette.is_some()), "palette");
        count("wed", wed.wads.len().saturating_add(wed.folders.len()), "sources of textures");
    }
    if let Some(level) = source.level() {
        count("level", level.colours.len(), "colours");
        count("level", usize::from(!level.script.is_empty()), "script");
        count("level", usize::from(level.nexus != 0), "size of the nexus");
    }
    let short = |entity: &&Part<Entity>| match &entity.kind {
        EntityKind::Model(model) => model.skills.len() != 20 && model.clone().drop_albedo(),
        _ => false,
    };
    count("entities", source.entities.iter().filter(short).count(), LOST_ALBEDO);
}

/// Reports a comment that is not the name.
fn report_unusual_comment(entity: &Entity, at: usize, report: &mut Report) {
    let level = entity.member_kind() == MemberKind::Level && entity.comment == "Root";
    let stored = entity.comment.is_empty() || entity.comment == *entity.name() || level;
    report.part(!stored, LossKind::Dropped, "entities", at, "a comment that is not the name");
}

/// Converts a resolved map to a 710 with everything in one group.
pub(super) fn recover(source: &Document, report: &mut Report) -> Document {
    let mut map = Document::new(Dialect::A7);
    map.line_end = source.line_end;
    map.header.created = source.header.created.clone();
    if let Some((new, stored)) = map.entities.first_mut().zip(source.level())
        && let EntityKind::Level(level) = &mut new.kind
    {
        (level.wad, level.palette) = (stored.wad.clone(), stored.palette.clone());
        (level.azimuth, level.elevation) = (stored.azimuth, stored.elevation);
    }
    report.add(LossKind::Synthesized, "level", "colours, the size of the nexus");
    report.add(LossKind::Synthesized, "objects", "a group around everything");
    map.objects.push(Part::new(Object::new(1)));
    let resolved = source.resolve();
    for block in resolved.blocks.iter().filter_map(|block| source.blocks.get(block.block)) {
        let number = map.blocks.len();
        let mut block = block.clone().into_inner();
        block.number = u32::try_from(number).unwrap_or(u32::MAX);
        block.index = Some(block.number);
        if let Shape::Mesh(mesh) = &mut block.shape {
            for face in &mut mesh.faces {
                face.mapping = Some(Arc::new(PLAIN_MAPPING));
            }
        }
        map.blocks.push(Part::new(block));
        add_object(&mut map, MemberKind::Block, number, Object::new(0));
    }
    for (at, entity) in source.entities.iter().enumerate() {
        report_unusual_comment(entity, at, report);
    }
    let numbered = Numbered::from_document(source, &resolved);
    for entity in &resolved.entities {
        recover_entity(source, entity, &numbered, &mut map, report);
    }
    let others = map.objects.iter().skip(2).map(|object| Member { kind: MemberKind::Object, number: object.number });
    let others: Vec<Member> = others.collect();
    if let [root, group, ..] = map.objects.as_mut_slice() {
        group.members = others.into();
        root.members.insert(0, Member { kind: MemberKind::Object, number: 1 });
    }
    map.renumber();
    gaps(source, &resolved.gaps, report);
    map
}

/// The names of paths and models in order.
struct Numbered<'a> {
    paths: Vec<&'a Name>,
    models: Vec<&'a Name>,
}

impl<'a> Numbered<'a> {
    fn from_document(source: &'a Document, resolved: &Resolved) -> Self {
        let named = |kind: MemberKind| {
            let entities = resolved.entities.iter().filter_map(|resolved| source.entities.get(resolved.entity));
            entities.filter(|entity| entity.member_kind() == kind).map(|entity| entity.name()).collect()
        };
        Self { paths: named(MemberKind::Path), models: named(MemberKind::Model) }
    }
}

/// Returns the name for a number from 1. Returns `None` if there is no such number, and an empty name for 0.
fn named(names: &[&Name], number: Option<&Name>) -> Option<Name> {
    let Some(number) = number.filter(|number| !number.is_empty() && **number != "0") else { return Some(Name::NONE) };
    let number: usize = std::str::from_utf8(number.as_bytes()).ok()?.parse().ok()?;
    names.get(number.checked_sub(1)?).map(|name| (*name).clone())
}

fn recover_entity(
    source: &Document,
    resolved: &ResolvedEntity,
    numbered: &Numbered<'_>,
    map: &mut Document,
    report: &mut Report,
) {
    let Some((entity, held)) = source.entities.get(resolved.entity).zip(source.objects.get(resolved.object)) else {
        return;
    };
    let mut entity = entity.clone().into_inner();
    let mut object = Object { position: held.position, scale: held.scale, ..Object::new(0) };
    match &mut entity.kind {
        EntityKind::Model(model) => {
            object.scale = model.scale;
            let mut stored = model.tail.iter();
            let mut lost = 0_usize;
            let mut name = |names: &[&Name], number: Option<&Name>| {
                named(names, number).unwrap_or_else(|| {
                    lost = lost.saturating_add(1);
                    Name::NONE
                })
            };
            let mut tail = vec![name(&numbered.paths, stored.next()), name(&numbered.models, stored.next())];
            report.count(LossKind::Dropped, "entities", lost, "numbers of missing paths or models");
            // Text has either none of these names or all.
            if stored.len() > 0 {
                tail.extend(stored.cloned().chain(std::iter::repeat(Name::NONE)).take(3));
            }
            model.tail = tail;
            model.fill_albedo();
        }
        EntityKind::Path(path) => {
            // Nodes are in world space, so the path is at the origin.
            object.position = [0.0; 3];
            path.edges.iter_mut().for_each(|edge| edge.weight = 1.0);
        }
        EntityKind::Level(_) => return,
        _ => {}
    }
    if matches!(entity.kind, EntityKind::Model(_) | EntityKind::Start(_) | EntityKind::Sound(_)) {
        let turn = engine_rotation(held.angles);
        object.angles = entity_angles(Dialect::A7, &turn, has_mirrored_heading(Dialect::A7, &entity));
    }
    let number = map.entities.len();
    entity.number = u32::try_from(number).unwrap_or(u32::MAX);
    entity.comment = entity.name().clone();
    let kind = entity.member_kind();
    map.entities.push(Part::new(entity));
    add_object(map, kind, number, object);
}
