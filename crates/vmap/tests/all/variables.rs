//! Variables of a map that a prefab sets.

use mapwright_vmap::dmx::{self, Guid, Reference, Value};
use mapwright_vmap::{Document, HiddenFlags, WriteError};

/// A map with the variables `Color`, `Off` and `Size`, a group of choices `Look` for the first two, and a lamp that is bound to all.
fn map() -> Document {
    let mut map = Document::new();
    map.edit(|map| {
        let world = map.world()?;
        let lamp = map.add_entity(world, "light_omni")?;
        map.set_key(lamp, "color", "stored")?;
        let variables = map.map().variables().unwrap().element().id();
        let graph = map.graph_mut();
        let set = |graph: &mut dmx::Document, element, name: &str, list: &[&str]| {
            let value = graph.string_array(list);
            graph.set(element, name, value);
        };
        set(graph, variables, "variableNames", &["Color", "Off", "Size"]);
        set(graph, variables, "variableValues", &["white", "0", "1"]);
        let guid = |number: u8| Guid::from_hash(&[number]);
        let choices = [("Day", 1, ["yellow", "0"]), ("Night", 2, ["blue", "1"])].map(|(name, number, values)| {
            let choice = graph.push("CMapVariableChoice", name, guid(number));
            set(graph, choice, "m_ChoiceValues", &values);
            Reference::Element(choice)
        });
        let group = graph.push("CMapVariableChoiceGroup", "Look", guid(3));
        set(graph, group, "m_ChoiceVariables", &["Color", "Off"]);
        graph.set(group, "m_Choices", Value::ElementArray(choices.into()));
        let active = graph.string_value("Night");
        graph.set(group, "m_ActiveValue", active);
        graph.set(variables, "m_ChoiceGroups", Value::ElementArray([Reference::Element(group)].into()));
        set(graph, lamp, "variableTargetKeys", &["color", "Force Hidden", "size", "other"]);
        set(graph, lamp, "variableNames", &["Color", "Off", "Size", "Gone"]);
        Ok::<(), WriteError>(())
    })
    .unwrap();
    map
}

/// Returns the keys `color` and `size` of the lamp, whether it is visible, and the losses.
fn applied(overrides: &[(&str, &str)]) -> (String, String, bool, Vec<String>) {
    let mut map = map();
    let overrides: Vec<(&[u8], &[u8])> =
        overrides.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
    let losses = map.apply_variables(&overrides).unwrap();
    let lamp = map.nodes().find_map(|visit| visit.node.entity().filter(|it| it.classname() == b"light_omni")).unwrap();
    assert_eq!(lamp.node().bindings().count(), 0);
    let key = |name: &str| String::from_utf8(lamp.get(name).unwrap_or_default().to_vec()).unwrap();
    let hidden = map
        .visibility()
        .unwrap()
        .hidden()
        .any(|(node, flags)| node.id() == lamp.node().id() && flags != HiddenFlags::VISIBLE);
    (key("color"), key("size"), !hidden, losses.iter().map(ToString::to_string).collect())
}

#[test]
fn bound_keys_get_the_values_of_variables_and_overrides() {
    let result = |color: &str, size: &str, visible| (color.to_owned(), size.to_owned(), visible, Vec::new());
    // The active choice of a group without an override has no effect.
    assert_eq!(applied(&[]), result("white", "1", true));
    assert_eq!(applied(&[("Color", "red"), ("Size", "2")]), result("red", "2", true));
    assert_eq!(applied(&[("Look", "Night")]), result("blue", "1", false));
    // Overrides apply in order.
    assert_eq!(applied(&[("Look", "Night"), ("Color", "red")]), result("red", "1", false));
    assert_eq!(applied(&[("Color", "red"), ("Look", "Night")]), result("blue", "1", false));
}

#[test]
fn overrides_that_match_nothing_or_only_without_case_are_reported() {
    let (color, size, visible, losses) = applied(&[("color", "red"), ("LOOK", "day"), ("Gone", "1"), ("Look", "Dusk")]);
    assert_eq!((&*color, &*size, visible), ("yellow", "1", true));
    let expected = [
        "repaired: mapVariables: override \"color\" differs in case from its variable",
        "repaired: mapVariables: override \"LOOK\" differs in case from its variable",
        "dropped: mapVariables: override \"Gone\" of no variable",
        "dropped: mapVariables: override \"Look\" of no variable",
    ];
    assert_eq!(losses, expected);
}
