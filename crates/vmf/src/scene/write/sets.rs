//! Named sets → visgroups.

use mapwright_scene::{Elements, Value};

use super::plan::{Plan, PlannedSet};
use super::values::{clean_text, format_value};
use crate::scene::names::PARENT_SET;

/// Plans the visgroups, and finds the sets of each node.
pub(super) fn plan_sets(plan: &mut Plan<'_>) {
    for (index, set) in plan.scene.sets.iter().enumerate() {
        let path = format!("sets[{index}]");
        let parent = set.properties.get(PARENT_SET).and_then(Value::as_int);
        let parent = parent.and_then(|parent| usize::try_from(parent).ok()).filter(|parent| *parent < index);
        let color = set.properties.get("color").and_then(format_value);
        let color = color.map(|color| clean_text(&color, &path, &mut plan.losses));
        for (key, _) in set.properties.iter() {
            let is_stored = key == PARENT_SET && parent.is_some() || key == "color" && color.is_some();
            if !is_stored {
                plan.losses.dropped(&*path, format!("property {key}"));
            }
        }
        let parts = set.members.iter().filter(|(_, part)| *part != Elements::Node).count();
        if parts > 0 {
            plan.losses.approximated(&*path, "members selected in part: stored as whole objects");
        }
        let name = clean_text(&set.name, &path, &mut plan.losses);
        plan.sets.push(PlannedSet { name, color, parent });
        for (node, _) in &set.members {
            let sets = plan.memberships.entry(*node).or_default();
            if sets.last() == Some(&index) {
                plan.losses.dropped(&*path, "repeated members");
            } else {
                sets.push(index);
            }
        }
    }
}

/// Reports members that are no objects of the map. Those that are were taken from the list.
pub(super) fn report_other_members(plan: &mut Plan<'_>) {
    let mut left: Vec<usize> = std::mem::take(&mut plan.memberships).into_values().flatten().collect();
    left.sort_unstable();
    left.dedup();
    for index in left {
        plan.losses.dropped(format!("sets[{index}]"), "members that are no solids, entities or groups of the map");
    }
}
