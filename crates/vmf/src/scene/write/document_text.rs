//! The text of a new map, in the order of Hammer.

use super::ids::Ids;
use super::plan::{ObjectPlace, Plan, PlannedCamera, PlannedEntity, PlannedGroup, PlannedSet, PlannedSolid};
use super::settings::plan_settings;
use super::text::TextWriter;
use super::values::Keys;
use crate::Connection;

/// Formats a planned map.
pub(super) fn format_map(plan: &mut Plan<'_>) -> String {
    let settings = plan_settings(plan.scene, &mut plan.losses);
    let mut ids = Ids::new(plan, None);
    let mut text = TextWriter::new(0, "\n");
    let [prefab, spacing, show_grid] = &settings.values;
    text.open("versioninfo");
    for (key, value) in [
        ("editorversion", "400"),
        ("editorbuild", "8870"),
        ("mapversion", "1"),
        ("formatversion", "100"),
        ("prefab", prefab),
    ] {
        text.key(key, value);
    }
    text.close();
    text.open("visgroups");
    write_visgroups(plan, &ids, &mut text);
    text.close();
    text.open("viewsettings");
    for (key, value) in [
        ("bSnapToGrid", "1"),
        ("bShowGrid", show_grid),
        ("bShowLogicalGrid", "0"),
        ("nGridSpacing", spacing),
        ("bShow3DGrid", "0"),
    ] {
        text.key(key, value);
    }
    text.close();

    text.open("world");
    text.keys(
        &[("id", "1"), ("mapversion", "1"), ("classname", "worldspawn")].map(|(a, b)| (a.to_owned(), b.to_owned())),
    );
    text.keys(plan.world.keys.iter().filter(|(key, _)| !key.eq_ignore_ascii_case("mapversion")));
    write_outputs(&plan.world.outputs, &mut text);
    for solid in plan.solids.iter().filter(|solid| solid.owner.is_none()) {
        write_solid(solid, &mut ids, &mut text);
    }
    for group in &plan.groups {
        write_group(group, &ids, &mut text);
    }
    if plan.world.place.comments.is_some() || !plan.world.place.sets.is_empty() {
        write_editor(&plan.world.place, &ids, &mut text);
    }
    text.close();
    // The solids of each entity, in one pass over all solids.
    let mut owned: Vec<Vec<&PlannedSolid>> = vec![Vec::new(); plan.entities.len()];
    for solid in &plan.solids {
        solid.owner.and_then(|owner| owned.get_mut(owner)).into_iter().for_each(|list| list.push(solid));
    }
    for (entity, solids) in plan.entities.iter().zip(owned) {
        write_entity(entity, &solids, &mut ids, &mut text);
    }
    ids.report_renamed_sides(&mut plan.losses);
    text.open("cameras");
    text.key("activecamera", &format_camera_index(plan.active_camera()));
    for camera in &plan.cameras {
        write_camera(camera, &mut text);
    }
    text.close();
    settings.write_cordons(&mut text);
    text.finish()
}

/// Writes the visgroups, each after the one that it is in.
fn write_visgroups(plan: &Plan<'_>, ids: &Ids, text: &mut TextWriter) {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); plan.sets.len()];
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (index, set) in plan.sets.iter().enumerate().rev() {
        match set.parent.and_then(|parent| children.get_mut(parent)) {
            // Parents come before children, so the list of each is complete before it is used.
            Some(list) => list.push(index),
            None => open.push((index, false)),
        }
    }
    while let Some((index, is_end)) = open.pop() {
        if is_end {
            text.close();
            continue;
        }
        let Some(set) = plan.sets.get(index) else { continue };
        open_visgroup(set, ids.sets.get(index).copied().unwrap_or_default(), text);
        open.push((index, true));
        open.extend(children.get(index).into_iter().flatten().map(|&child| (child, false)));
    }
}

/// Starts the block of a visgroup, and writes its keys.
pub(super) fn open_visgroup(set: &PlannedSet, id: i64, text: &mut TextWriter) {
    text.open("visgroup");
    text.key("name", &set.name);
    text.key("visgroupid", &id.to_string());
    if let Some(color) = &set.color {
        text.key("color", color);
    }
}

/// Writes an entity with its solids.
pub(super) fn write_entity(entity: &PlannedEntity, solids: &[&PlannedSolid], ids: &mut Ids, text: &mut TextWriter) {
    if entity.place.hidden {
        text.open("hidden");
    }
    text.open("entity");
    text.key("id", &ids.next_entity());
    text.keys(&entity.keys);
    write_outputs(&entity.outputs, text);
    for solid in solids {
        // The block around the entity hides its solids.
        let is_shown = entity.place.hidden && solid.place.hidden;
        let place = ObjectPlace { hidden: solid.place.hidden && !is_shown, ..solid.place.clone() };
        write_solid(&PlannedSolid { place, ..(*solid).clone() }, ids, text);
    }
    write_editor(&entity.place, ids, text);
    text.close();
    if entity.place.hidden {
        text.close();
    }
}

fn write_outputs(outputs: &[(String, Connection)], text: &mut TextWriter) {
    if outputs.is_empty() {
        return;
    }
    text.open("connections");
    for (name, connection) in outputs {
        text.key(name, &connection.to_string());
    }
    text.close();
}

/// Writes a solid.
pub(super) fn write_solid(solid: &PlannedSolid, ids: &mut Ids, text: &mut TextWriter) {
    let Some(sides) = &solid.sides else { return };
    if solid.place.hidden {
        text.open("hidden");
    }
    text.open("solid");
    text.key("id", &ids.next_solid());
    text.keys(&solid.keys);
    for side in sides {
        text.open("side");
        text.key("id", &ids.next_side(side));
        text.keys(&side.keys);
        text.close();
    }
    write_editor(&solid.place, ids, text);
    text.close();
    if solid.place.hidden {
        text.close();
    }
}

/// Writes a group.
pub(super) fn write_group(group: &PlannedGroup, ids: &Ids, text: &mut TextWriter) {
    text.open("group");
    text.key("id", &ids.groups.get(&group.node).copied().unwrap_or_default().to_string());
    write_editor(&group.place, ids, text);
    text.close();
}

/// Writes a camera.
pub(super) fn write_camera(camera: &PlannedCamera, text: &mut TextWriter) {
    text.open("camera");
    text.key("position", &camera.position);
    text.key("look", &camera.target);
    text.close();
}

/// Formats the index of the active camera: -1 if no camera is active.
pub(super) fn format_camera_index(index: Option<usize>) -> String {
    index.map_or_else(|| "-1".to_owned(), |index| index.to_string())
}

/// Returns the keys of the block `editor` that scenes have.
pub(super) fn editor_keys(place: &ObjectPlace, ids: &Ids) -> Keys {
    let group = place.group.and_then(|group| ids.groups.get(&group)).map(|id| ("groupid", id.to_string()));
    let sets = place.sets.iter().filter_map(|&set| ids.sets.get(set)).map(|id| ("visgroupid", id.to_string()));
    let comments = place.comments.clone().map(|comments| ("comments", comments));
    sets.chain(group).chain(comments).map(|(key, value)| (key.to_owned(), value)).collect()
}

fn write_editor(place: &ObjectPlace, ids: &Ids, text: &mut TextWriter) {
    text.open("editor");
    text.keys(&editor_keys(place, ids));
    text.key("visgroupshown", if place.hidden { "0" } else { "1" });
    text.key("visgroupautoshown", "1");
    text.close();
}
