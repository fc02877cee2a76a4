//! Counterparts of Quake's entities, textures and flags in Gamestudio maps, and back.

use std::collections::{HashMap, HashSet};

use mapwright_io::format_count;
use mapwright_scene::{
    Brush, Content, Entity, Losses, Material, MaterialId, Node, NodeId, Path, PathEdge, PathPoint, Properties, Scene,
    Transform, Value,
};

use crate::{ConvertOptions, Format};

/// The property of groups of brushes that do not divide the world: the class.
const DETAIL: &str = "detail";
/// Names of the numbers after a texture, and of other data of a face that only Quake maps store.
const SIDE_NUMBERS: [&str; 6] = ["contents", "flags", "value", "extra", "valve_rotation", "matrix"];

/// Flags of blocks of Gamestudio maps.
const BLOCK_PASSABLE: i64 = 1 << 1;
const BLOCK_INVISIBLE: i64 = 1 << 2;
const BLOCK_DETAIL: i64 = 1 << 4;
/// Flags of their faces: numbers in the four lowest bits.
const FACE_SKY: i64 = 5;
const FACE_WATER: i64 = 9;
const FACE_INVISIBLE: i64 = 11;

/// Numbers of Quake 2: contents of liquids and of detail, and flags of the sky and of faces that are not drawn.
const Q2_LIQUID: i64 = 8 | 16 | 32;
const Q2_DETAIL: i64 = 0x800_0000;
const Q2_CLIP: i64 = 0x1_0000 | 0x2_0000;
const Q2_SKY: i64 = 4;
const Q2_NODRAW: i64 = 128 | 512;

/// Changes a scene of a Quake map for a target.
pub(super) fn adapt_scene(scene: &mut Scene, to: Format, _options: &ConvertOptions, losses: &mut Losses) {
    mapwright_qmap::scene::apply_texture_sizes(scene);
    if to == Format::Wmp {
        convert_chains(scene, losses);
        convert_starts(scene, losses);
        flag_blocks(scene, losses);
    }
}

/// Returns the text of a key.
fn text<'a>(properties: &'a Properties, key: &str) -> &'a str {
    properties.get(key).and_then(Value::as_text).unwrap_or_default()
}

/// Returns the entity of a node.
fn entity_of<'a>(scene: &'a Scene, node: &Node) -> Option<&'a Entity> {
    match node.content {
        Content::Entity(id) => scene.entities.get(id),
        _ => None,
    }
}

/// Converts start positions to markers. Their place and direction are those of the node.
fn convert_starts(scene: &mut Scene, losses: &mut Losses) {
    let mut starts = Vec::new();
    for visit in scene.walk() {
        let Some(entity) = entity_of(scene, visit.node) else { continue };
        if entity.class.starts_with("info_player_") && visit.node.children.is_empty() {
            let is_kept = |key: &str| ["angle", "angles", "targetname"].contains(&key);
            let left = entity.properties.iter().filter(|(key, _)| !is_kept(key)).count();
            starts.push((visit.id, entity.class.clone(), left));
        }
    }
    for (id, class, left) in starts {
        let path = format!("nodes[{}]", id.index());
        if left > 0 {
            losses.dropped(&*path, format!("{} of the start", format_count(left, "key")));
        }
        losses.approximated(&*path, format!("{class}, as a start"));
        if let Some(node) = scene.nodes.get_mut(id) {
            if node.name == class {
                node.name = "start".to_owned();
            }
            node.content = Content::Marker;
        }
    }
}

/// Converts chains of `path_corner` to paths.
fn convert_chains(scene: &mut Scene, losses: &mut Losses) {
    let mut corners: Vec<(NodeId, String, String, [f64; 3])> = Vec::new();
    for visit in scene.walk() {
        let Some(entity) = entity_of(scene, visit.node) else { continue };
        if !["path_corner", "path_track"].contains(&&*entity.class) || !visit.node.children.is_empty() {
            continue;
        }
        let (name, target) = (text(&entity.properties, "targetname"), text(&entity.properties, "target"));
        let others = entity.properties.iter().filter(|(key, _)| !["targetname", "target"].contains(key)).count();
        if others > 0 {
            let keys = format!("{} of a corner of a path", format_count(others, "key"));
            losses.dropped(format!("nodes[{}]", visit.id.index()), keys);
        }
        corners.push((visit.id, name.to_owned(), target.to_owned(), visit.world.origin()));
    }
    if corners.is_empty() {
        return;
    }
    let mut named: HashMap<&str, usize> = HashMap::new();
    for (index, (_, name, ..)) in corners.iter().enumerate().filter(|(_, (_, name, ..))| !name.is_empty()) {
        named.entry(name).or_insert(index);
    }
    let next = |index: usize| corners.get(index).and_then(|(_, _, target, _)| named.get(&**target).copied());
    let targets: HashSet<usize> = (0..corners.len()).filter_map(next).collect();
    // Chains begin at corners without a predecessor. What is left are circles.
    let first = (0..corners.len()).filter(|index| !targets.contains(index));
    let mut seen = vec![false; corners.len()];
    let mut paths = Vec::new();
    for start in first.chain(0..corners.len()) {
        let mut chain: Vec<usize> = Vec::new();
        let mut at = Some(start);
        while let Some(index) = at {
            match seen.get_mut(index) {
                Some(seen) if !*seen => *seen = true,
                _ => break,
            }
            chain.push(index);
            at = next(index);
        }
        // The corner after the last one, if the chain has it already.
        let back = at.and_then(|at| chain.iter().position(|index| *index == at));
        if at.is_some() && back.is_none() && !chain.is_empty() {
            losses.dropped("paths", "a corner that leads into another path");
        }
        if !chain.is_empty() {
            paths.push((chain, back));
        }
    }
    let mut removed: HashSet<NodeId> = HashSet::new();
    for (chain, back) in paths {
        let members: Vec<_> = chain.iter().filter_map(|index| corners.get(*index)).collect();
        let Some((_, name, ..)) = members.first() else { continue };
        let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit()).trim_end_matches('_');
        let count = u32::try_from(members.len()).unwrap_or(u32::MAX);
        let follow = (1..count).map(|to| PathEdge { from: to - 1, to, weight: 0.0 });
        let back = back.and_then(|to| Some(PathEdge { from: count - 1, to: u32::try_from(to).ok()?, weight: 0.0 }));
        let path = Path {
            name: if stem.is_empty() { "path".to_owned() } else { stem.to_owned() },
            points: members
                .iter()
                .map(|(.., position)| PathPoint { position: *position, ..PathPoint::default() })
                .collect(),
            edges: follow.chain(back).collect(),
            ..Path::default()
        };
        removed.extend(members.iter().map(|(node, ..)| *node));
        for (node, ..) in &members {
            losses.approximated(format!("nodes[{}]", node.index()), "corner of a path, as a point of the path");
        }
        let name = path.name.clone();
        let content = Content::Path(scene.paths.push(path));
        scene.add_node(None, Node::new(name, content));
    }
    for (_, node) in scene.nodes.iter_mut() {
        node.children.retain(|child| !removed.contains(child));
    }
    scene.roots.retain(|root| !removed.contains(root));
}

/// The meaning of a face without the numbers of Quake.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Surface {
    Wall,
    Sky,
    Liquid,
    /// Not drawn, but solid.
    Clip,
    /// Not drawn.
    Hidden,
}

impl Surface {
    fn new(texture: &str, properties: &Properties) -> Self {
        let number = |key: &str| properties.get(key).and_then(Value::as_int).unwrap_or_default();
        let (contents, flags) = (number("contents"), number("flags"));
        let name = texture.to_ascii_lowercase();
        let stem = name.rsplit('/').next().unwrap_or_default();
        if stem.starts_with("sky") || name.contains("skies/") || flags & Q2_SKY != 0 {
            Self::Sky
        } else if stem.ends_with("clip") || contents & Q2_CLIP != 0 {
            Self::Clip
        } else if stem.ends_with("skip")
            || ["null", "hint", "trigger", "aaatrigger", "origin", "caulk", "nodraw"].contains(&stem)
            || flags & Q2_NODRAW != 0
        {
            Self::Hidden
        } else if name.starts_with('*') || name.starts_with('!') || contents & Q2_LIQUID != 0 {
            Self::Liquid
        } else {
            Self::Wall
        }
    }
}

/// Gives blocks and faces the flags for liquids, the sky, faces that are not drawn, and detail.
fn flag_blocks(scene: &mut Scene, losses: &mut Losses) {
    let mut details: HashSet<NodeId> = HashSet::new();
    for (id, node) in scene.nodes.iter_mut() {
        let class = text(&node.properties, DETAIL).to_owned();
        if node.content == Content::Group && !class.is_empty() {
            details.extend(&node.children);
            node.properties.entries.retain(|(key, _)| key != DETAIL);
            if class != "func_detail" {
                losses.approximated(format!("nodes[{}]", id.index()), format!("class {class:?}, as detail"));
            }
        }
    }
    let detail = scene.nodes.iter().filter(|(id, _)| details.contains(id)).filter_map(|(_, node)| match node.content {
        Content::Brush(id) => Some(id),
        _ => None,
    });
    let detail: HashSet<_> = detail.collect();
    let names: Vec<String> = scene.materials.items().iter().map(|material| material.name.clone()).collect();
    let (mut flagged, mut lost) = ([0_usize; 4], 0_usize);
    for (id, brush) in scene.brushes.iter_mut() {
        let mut flags = if detail.contains(&id) { BLOCK_DETAIL } else { 0 };
        let mut surfaces = Vec::with_capacity(brush.sides.len());
        for side in &mut brush.sides {
            let texture = side.material.and_then(|id| names.get(id.index())).map_or("", String::as_str);
            let surface = Surface::new(texture, &side.properties);
            surfaces.push(surface);
            let contents = side.properties.get("contents").and_then(Value::as_int).unwrap_or_default();
            if contents & Q2_DETAIL != 0 {
                flags |= BLOCK_DETAIL;
            }
            let is_zero = |value: &Value| value.as_f64() == Some(0.0);
            let is_number = |key: &str| SIDE_NUMBERS.contains(&key) && !["valve_rotation", "matrix"].contains(&key);
            lost += usize::from(side.properties.iter().any(|(key, value)| is_number(key) && !is_zero(value)));
            side.properties.entries.retain(|(key, _)| !SIDE_NUMBERS.contains(&&**key));
            let (face, kind) = match surface {
                Surface::Wall => continue,
                Surface::Sky => (FACE_SKY, 0),
                Surface::Liquid => (FACE_WATER, 1),
                Surface::Clip => (FACE_INVISIBLE, 2),
                Surface::Hidden => (FACE_INVISIBLE, 3),
            };
            flagged.get_mut(kind).into_iter().for_each(|count| *count += 1);
            side.properties.push("flags", face);
        }
        let all = |surface: Surface| !surfaces.is_empty() && surfaces.iter().all(|it| *it == surface);
        if all(Surface::Liquid) {
            flags |= BLOCK_PASSABLE;
        } else if all(Surface::Clip) {
            flags |= BLOCK_INVISIBLE;
        } else if all(Surface::Hidden) {
            flags |= BLOCK_INVISIBLE | BLOCK_PASSABLE;
        }
        if flags != 0 {
            brush.properties.push("flags", flags);
        }
    }
    for (count, what) in flagged.into_iter().zip(["sky", "liquid", "clip", "hidden"]) {
        if count > 0 {
            losses.preserved("brushes", format!("{}, now with flags", format_count(count, &format!("{what} face"))));
        }
    }
    if lost > 0 {
        let faces = format_count(lost, "face");
        losses
            .approximated("brushes", format!("contents, flags and values of {faces}, as far as flags exist for them"));
    }
}

/// Changes a scene of a Gamestudio map so that it has the entities and textures of a Quake map.
pub(crate) fn adapt_gamestudio_map(scene: &mut Scene, losses: &mut Losses) {
    add_wads(scene, losses);
    let mut tools: HashMap<&'static str, MaterialId> = HashMap::new();
    let nodes: Vec<(NodeId, Option<NodeId>)> = scene.walk().map(|visit| (visit.id, visit.parent)).collect();
    for (id, parent) in nodes {
        let Some(Content::Brush(brush_id)) = scene.nodes.get(id).map(|node| node.content.clone()) else { continue };
        let Some(brush) = scene.brushes.get_mut(brush_id) else { continue };
        let flags = brush.properties.get("flags").and_then(Value::as_int).unwrap_or_default();
        let known = flags & (BLOCK_DETAIL | BLOCK_INVISIBLE | BLOCK_PASSABLE);
        if known == 0 {
            continue;
        }
        remove_flags(brush, flags & !known);
        let path = format!("nodes[{}]", id.index());
        let (is_hidden, is_passable) = (flags & BLOCK_INVISIBLE != 0, flags & BLOCK_PASSABLE != 0);
        if is_hidden {
            let name = if is_passable { "skip" } else { "clip" };
            let material = *tools
                .entry(name)
                .or_insert_with(|| scene.materials.push(Material { is_tool: true, ..Material::new(name) }));
            brush.sides.iter_mut().for_each(|side| side.material = Some(material));
            losses.approximated(&*path, format!("invisible block, now with the texture {name}"));
        }
        let class = match (flags & BLOCK_DETAIL != 0, is_passable && !is_hidden) {
            (_, true) => "func_detail_illusionary",
            (true, _) => "func_detail",
            _ => continue,
        };
        losses.preserved(&*path, format!("flags of the block, as {class}"));
        wrap(scene, id, parent, class);
    }
}

/// Removes the flags of a brush except some.
fn remove_flags(brush: &mut Brush, left: i64) {
    brush.properties.entries.retain(|(key, _)| key != "flags");
    if left != 0 {
        brush.properties.push("flags", left);
    }
}

/// Puts a node into a new group for detail, in the place of the node.
fn wrap(scene: &mut Scene, id: NodeId, parent: Option<NodeId>, class: &str) {
    let mut group = Node::new("", Content::Group);
    group.properties.push(DETAIL, class);
    group.transform = Transform::IDENTITY;
    group.children.push(id);
    let group = scene.nodes.push(group);
    let list = match parent.and_then(|parent| scene.nodes.get_mut(parent)) {
        Some(parent) => &mut parent.children,
        None => &mut scene.roots,
    };
    list.iter_mut().filter(|child| **child == id).for_each(|child| *child = group);
}

/// Makes the texture files of a Gamestudio map the key `wad` of the world.
fn add_wads(scene: &mut Scene, losses: &mut Losses) {
    let Some(Value::List(paths)) = scene.properties.get("wads") else { return };
    let paths: Vec<&str> = paths.iter().filter_map(Value::as_text).filter(|path| !path.contains(';')).collect();
    let list = paths.join(";");
    if list.is_empty() {
        return;
    }
    losses.preserved("properties.wads", "texture files, as the key wad");
    scene.properties.entries.retain(|(key, _)| key != "wads");
    let properties = [("wad", Value::Text(list))].into_iter().collect();
    let world = Entity { class: "worldspawn".into(), properties, ..Entity::default() };
    let world = scene.entities.push(world);
    scene.add_node(None, Node::new("worldspawn", Content::Entity(world)));
}
