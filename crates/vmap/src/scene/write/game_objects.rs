//! Moves the JSON of s&box's game objects with their nodes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use mapwright_dmx::{ElementId, ElementRef};
use serde_json::value::RawValue;

use super::super::conventions::narrow;
use super::super::transforms;
use super::context::WriteContext;
use super::reachable::ReachableNode;

const JSON: &str = "m_SerializedGameObject";

/// Updates the place in the JSON of a game object whose node moved. The game reads the JSON, Hammer the node.
pub(super) fn move_game_object(
    context: &mut WriteContext<'_, '_, '_>,
    reachable: &ReachableNode,
    element: ElementId,
    path: &str,
) {
    let json_of = |element: ElementRef<'_>| element.text(JSON).filter(|json| !json.is_empty()).map(<[u8]>::to_vec);
    let Some(json) = context.element_ref(element).and_then(json_of) else { return };
    let (Some(old_node), Some(old_world)) = (context.old_node(reachable.id), context.old_world(reachable.id)) else {
        return;
    };
    let parent = context.parent_element(reachable);
    // The JSON of children is relative to that of their parent.
    let is_nested = context.element_ref(parent).and_then(json_of).is_some();
    let node = &context.scene.nodes[reachable.id];
    let (old, new) = if is_nested { (old_node.transform, node.transform) } else { (old_world, reachable.world) };
    if old == new {
        return;
    }
    let moved = transforms::to_map(&old).zip(transforms::to_map(&new)).and_then(|(old, new)| {
        let json = String::from_utf8(json).ok()?;
        let ((from, old_turn, old_scale), (to, turn, scale)) = (old, new);
        let mut json = json;
        if from != to {
            let stated = match member(&json, "Position")? {
                Some(range) => numbers(json.get(range)?)?,
                None => [0.0; 3],
            };
            let place: [f64; 3] = std::array::from_fn(|axis| stated[axis] + to[axis] - from[axis]);
            json = with_member(&json, "Position", &place)?;
        }
        if old_turn != turn {
            json = with_member(&json, "Rotation", &turn)?;
        }
        if old_scale != scale { with_member(&json, "Scale", &scale) } else { Some(json) }
    });
    match moved {
        Some(json) => context.set_text(element, JSON, &json),
        None => context.losses.approximated(path, "place in the JSON of the game object, which stays as it was"),
    }
}

fn numbers(text: &str) -> Option<[f64; 3]> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Returns the JSON of an object with a member that has these numbers as text.
fn with_member(json: &str, name: &str, numbers: &[f64]) -> Option<String> {
    let numbers: Vec<String> = numbers.iter().map(|&number| (narrow(number) + 0.0).to_string()).collect();
    let text = numbers.join(",");
    Some(match member(json, name)? {
        Some(range) => [json.get(..range.start)?, &text, json.get(range.end..)?].concat(),
        None => {
            let start = json.find('{')? + 1;
            let is_empty = json.get(start..)?.trim_start().starts_with('}');
            let comma = if is_empty { "" } else { "," };
            format!("{}\"{name}\":\"{text}\"{comma}{}", json.get(..start)?, json.get(start..)?)
        }
    })
}

/// Returns the range of the text of a member of the outermost object: `Some(None)` if there is none. `None` if the text is no JSON
/// object, or if the member is not a string of numbers.
fn member(json: &str, name: &str) -> Option<Option<Range<usize>>> {
    let members: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(json).ok()?;
    let Some(value) = members.get(name) else { return Some(None) };
    let text = value.get().strip_prefix('"')?.strip_suffix('"')?;
    let start = text.as_ptr().addr() - json.as_ptr().addr();
    Some(Some(start..start + text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_the_outermost_object_are_replaced_or_added() {
        let json = r#"{"Name":"a \"Position\"", "Inner":{"Position":"9,9,9"}, "Position": "1,2,3", "Z":1}"#;
        let moved = with_member(json, "Position", &[1.5, 0.0, -2.0]).unwrap();
        assert_eq!(moved, json.replace("1,2,3", "1.5,0,-2"));
        assert_eq!(with_member(r#"{"Z":1}"#, "Scale", &[1.0, 2.0, 3.0]).unwrap(), r#"{"Scale":"1,2,3","Z":1}"#);
        assert_eq!(with_member("{}", "Scale", &[1.0; 3]).unwrap(), r#"{"Scale":"1,1,1"}"#);
        let escaped = r#"{"\u0050osition":"1,2,3"}"#;
        assert_eq!(with_member(escaped, "Position", &[4.0; 3]).unwrap(), escaped.replace("1,2,3", "4,4,4"));
        let deep = "{\"a\":".repeat(100_000);
        for broken in ["", "[]", "{\"Position\":3}", "{\"Position\":{}}", "{\"a", "{}}", deep.as_str()] {
            assert_eq!(with_member(broken, "Position", &[0.0; 3]), None, "{broken}");
        }
    }
}
