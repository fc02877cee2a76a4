//! Scene → document: changes the document that the scene came from, or fills an empty one.

mod blocks;
mod content;
mod context;
mod entities;
mod free_numbers;
mod members;
mod nodes;
mod placement;
mod report;
mod settings;
mod shape;

use std::borrow::Cow;
use std::collections::VecDeque;

use mapwright_io::format_count;
use mapwright_scene::{ColorSpace, Estimate, GrowthCheck, Losses, Node, NodeId, Scene, Transform};

use self::context::{Context, Visit};
use self::shape::texture_name;
use super::capabilities;
use crate::{Document, Face, WriteError, WriteErrorKind};

pub(super) use self::context::OldScene;
pub(super) use self::members::TreeChange;

/// Writes the differences between the old and the new scene into the document.
pub(super) fn write_scene(
    document: &mut Document,
    before: OldScene<'_>,
    scene: &Scene,
    max_bytes: u64,
) -> Result<(Losses, TreeChange), WriteError> {
    let mut losses = check_scene(scene, max_bytes)?;
    let scene = &*to_screen_colours(scene, &mut losses);
    let mut context = Context::new(document, scene, before, losses);
    report_renamed_textures(&mut context);
    settings::write_settings(&mut context);
    write_nodes(&mut context, max_bytes)?;
    // All nodes are known now: what no node mentions any more is removed.
    let change = members::write_members(&mut context);
    if before.scene.is_none() {
        scene.report_unused_materials(std::mem::take(&mut context.used_materials), &mut context.losses);
    }
    context.rejections.report_skipped(scene, "a closed convex body", &mut context.losses);
    Ok((context.losses, change))
}

/// Writes nodes breadth first: the object of a node must exist before its children are written.
fn write_nodes(context: &mut Context<'_>, max_bytes: u64) -> Result<(), WriteError> {
    let scene = context.scene;
    let root = context.find_or_add_root();
    context.members.insert(root, Vec::new());
    let visit = |node| Visit { node, parent: root, outer: Transform::IDENTITY };
    let mut queue: VecDeque<Visit> = scene.roots.iter().copied().map(visit).collect();
    // The number of faces is not known before meshes are converted.
    let mut growth = GrowthCheck::default();
    while let Some(visit) = queue.pop_front() {
        if growth.is_due(context.faces) {
            check_estimate(estimate_faces(context.faces), max_bytes)?;
        }
        let node = scene.nodes.get(visit.node).expect("a valid scene has the nodes it refers to");
        if !node.visible {
            // The hidden node itself is a feature that maps do not have, and is reported with the others.
            report_hidden_children(context, visit.node);
            continue;
        }
        if context.find_before(node).is_none() {
            report_new_node(context, node, &format!("nodes[{}]", visit.node.index()));
        }
        let (parent, outer) = nodes::write_node(context, node, &visit);
        queue.extend(node.children.iter().map(|&node| Visit { node, parent, outer }));
    }
    report_default_lights(context);
    // A map without objects must not get a root that contains nothing.
    if context.tree.order.is_empty() && context.members[&root].is_empty() {
        context.document.objects.pop();
    }
    Ok(())
}

/// Reports the visible nodes below a hidden one, which are left out with it.
fn report_hidden_children(context: &mut Context<'_>, hidden: NodeId) {
    let nodes = &context.scene.nodes;
    let children = |id| nodes.get(id).into_iter().flat_map(|node| node.children.iter().copied());
    let mut stack: Vec<NodeId> = children(hidden).collect();
    let mut left_out = 0_usize;
    while let Some(id) = stack.pop() {
        left_out += usize::from(nodes.get(id).is_some_and(|node| node.visible));
        stack.extend(children(id));
    }
    if left_out > 0 {
        let text = format!("{} below a hidden node", format_count(left_out, "node"));
        context.losses.dropped(format!("nodes[{}]", hidden.index()), text);
    }
}

/// Rejects invalid and too large scenes. Returns the losses that follow from the features of the scene.
fn check_scene(scene: &Scene, max_bytes: u64) -> Result<Losses, WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(WriteError::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    let counts = scene.occurrences().counts(scene);
    let names = counts.names.saturating_add(counts.material_names);
    check_estimate(estimate_faces(counts.brush_sides).with(counts.nodes, 0, 400).with(names, 0, 1), max_bytes)?;
    Ok(capabilities().losses(scene))
}

/// Estimates the least text for faces of blocks, and their memory: shape of the scene, face, mapping and axes.
fn estimate_faces(faces: u64) -> Estimate {
    Estimate::default().with(faces, 40, size_of::<Face>() as u64).with(faces, 0, 200)
}

fn check_estimate(estimate: Estimate, max_bytes: u64) -> Result<(), WriteError> {
    estimate.check(max_bytes).map_err(|excess| WriteError::without_position(excess.into()))
}

/// Converts the colours of lights to sRGB, which files store.
fn to_screen_colours<'a>(scene: &'a Scene, losses: &mut Losses) -> Cow<'a, Scene> {
    if scene.color_space == ColorSpace::Srgb || scene.lights.is_empty() {
        return Cow::Borrowed(scene);
    }
    losses.approximated("color_space", "linear colours converted to sRGB");
    let mut scene = scene.clone();
    let space = std::mem::replace(&mut scene.color_space, ColorSpace::Srgb);
    for (_, light) in scene.lights.iter_mut() {
        light.color = space.color_to_srgb(light.color);
    }
    Cow::Owned(scene)
}

/// Reports the data of a new node that the map cannot store.
fn report_new_node(context: &mut Context<'_>, node: &Node, path: &str) {
    report_code_page(context, &node.name, path);
    for (key, _) in node.properties.iter().filter(|(key, _)| *key != "object_name") {
        context.losses.dropped(path, format!("property {key}"));
    }
}

/// Reports the sun and the ambient light of a new level without them. They are black and light nothing, so nothing is lost.
fn report_default_lights(context: &mut Context<'_>) {
    let is_new = context.before.scene.is_none() && context.document.level().is_some();
    for (is_written, name) in context.level_lights.into_iter().zip(["sun", "ambient light"]) {
        if is_new && !is_written {
            context
                .losses
                .preserved("lights", format!("black {name} added: every level stores one, and it lights nothing"));
        }
    }
}

/// Reports a name that programs with a Windows code page show differently.
fn report_code_page(context: &mut Context<'_>, name: &str, path: &str) {
    if !name.is_ascii() {
        context.losses.approximated(path, format!("non-ASCII letters of the name {name:?}, written as UTF-8"));
    }
}

fn report_renamed_textures(context: &mut Context<'_>) {
    for (id, material) in context.scene.materials.iter() {
        let name = texture_name(&material.name);
        let path = format!("materials[{}]", id.index());
        if name != material.name {
            context.losses.approximated(&*path, format!("spaces in the name of a texture replaced: {name}"));
        }
        report_code_page(context, &material.name, &path);
        if material.base_color != [1.0; 4] {
            context.losses.dropped(&*path, "colour of the material");
        }
    }
}
