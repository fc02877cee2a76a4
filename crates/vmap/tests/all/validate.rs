//! Each finding, in a map with the problem and in one without.

use mapwright_vmap::dmx::{Attribute, ElementId, Reference, StringId, Value};
use mapwright_vmap::io::Severity;
use mapwright_vmap::{Document, Editor, MapOptions, WriteError};

/// A map of format 29 with all features. Its only findings are notes.
fn sound() -> Document {
    let mut map = Document::new_with(&MapOptions::default().with_format_version(29));
    map.edit(|map| {
        let world = map.world()?;
        let light = map.add_entity(world, "light_omni")?;
        let group = map.add_group(world)?;
        map.add_entity(group, "info_target")?;
        map.add_instance(world, group)?;
        map.add_prefab(world, "maps/prefabs/a.vmap")?;
        map.add_node(world, "CMapStaticOverlay")?;
        map.add_output(light, &mapwright_vmap::Output::new("OnUser1", "info_target", "Toggle"))?;
        map.set_hidden(light, mapwright_vmap::HiddenFlags::QUICK_HIDE)?;
        let variables = map.map().variables().unwrap().element().id();
        let graph = map.graph_mut();
        let texts = |graph: &mut mapwright_vmap::dmx::Document, name: &str, list: &[&str]| {
            let value = graph.string_array(list);
            graph.set(variables, name, value);
        };
        texts(graph, "variableNames", &["v"]);
        texts(graph, "variableValues", &["1"]);
        texts(graph, "variableTypeNames", &["boolean"]);
        texts(graph, "variableTypeParameters", &[""]);
        let choice = graph.push("CMapVariableChoice", "Yes", guid(1));
        let values = graph.string_array(["1"]);
        graph.set(choice, "m_ChoiceValues", values);
        let group = graph.push("CMapVariableChoiceGroup", "g", guid(2));
        let names = graph.string_array(["v"]);
        graph.set(group, "m_ChoiceVariables", names);
        graph.set(group, "m_Choices", elements([choice]));
        let active = graph.string_value("Yes");
        graph.set(group, "m_ActiveValue", active);
        graph.set(variables, "m_ChoiceGroups", elements([group]));
        let (keys, names) = (graph.string_array(["k"]), graph.string_array(["v"]));
        graph.set(light, "variableTargetKeys", keys);
        graph.set(light, "variableNames", names);
        Ok::<(), WriteError>(())
    })
    .unwrap();
    map
}

fn guid(number: u8) -> mapwright_vmap::dmx::Guid {
    mapwright_vmap::dmx::Guid::from_hash(&[number])
}

fn elements<const N: usize>(ids: [ElementId; N]) -> Value {
    Value::ElementArray(ids.map(Reference::Element).into())
}

/// Returns the first element of a class.
fn first(map: &mut Editor<'_>, class: &str) -> ElementId {
    map.map().graph().iter().find(|element| element.is(class)).unwrap().id()
}

/// Sets an attribute of the first element of a class.
fn set(map: &mut Editor<'_>, class: &str, name: &str, value: Value) {
    let id = first(map, class);
    map.graph_mut().set(id, name, value);
}

fn set_text(map: &mut Editor<'_>, class: &str, name: &str, text: &str) {
    let value = map.graph_mut().string_value(text);
    set(map, class, name, value);
}

fn set_texts(map: &mut Editor<'_>, class: &str, name: &str, texts: &[&str]) {
    let value = map.graph_mut().string_array(texts);
    set(map, class, name, value);
}

fn unset(map: &mut Editor<'_>, class: &str, name: &str) {
    let id = first(map, class);
    map.graph_mut().unset(id, name);
}

/// Adds a child to a node.
fn adopt(map: &mut Editor<'_>, parent: ElementId, child: ElementId) {
    let Some(Value::ElementArray(children)) = map.graph_mut().value_mut(parent, "children") else { panic!() };
    *children = children.iter().copied().chain([Reference::Element(child)]).collect();
}

type Change = fn(&mut Editor<'_>);

#[test]
fn a_valid_map_has_only_notes() {
    let findings = sound().validate();
    // The mesh of the overlay is empty, so required streams are missing.
    let others =
        findings.iter().filter(|finding| finding.severity != Severity::Note && !finding.code.starts_with("mesh"));
    assert_eq!(others.map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
    assert_eq!(Document::new().validate().iter().filter(|finding| finding.severity != Severity::Note).count(), 0);
}

#[test]
fn each_problem_is_reported() {
    let cases: &[(&str, Severity, &str, Change)] = &[
        ("world-missing", Severity::Error, "world", |map| unset(map, "CMapRootElement", "world")),
        ("mesh-unreadable", Severity::Error, "nodes[7].meshData", |map| {
            set(map, "CMapStaticOverlay", "meshData", Value::Element(Reference::Null));
        }),
        ("mesh-unreadable", Severity::Error, "nodes[7].meshData.edgeNextIndices", |map| {
            set(map, "CDmePolygonMesh", "edgeNextIndices", Value::Int(1));
        }),
        ("mesh-length", Severity::Error, "nodes[7].meshData", |map| {
            set(map, "CDmePolygonMesh", "edgeNextIndices", Value::IntArray([1].into()));
        }),
        ("output-target", Severity::Note, "connectionsData[0]", |map| {
            set_text(map, "DmeConnectionData", "targetName", "gone");
        }),
        ("node-id-missing", Severity::Warning, "elements[", |map| unset(map, "CMapGroup", "nodeID")),
        ("node-id-twice", Severity::Warning, "nodes[2].nodeID", |map| set(map, "CMapGroup", "nodeID", Value::Int(2))),
        ("reference-id-missing", Severity::Note, "nodes[3].referenceID", |map| {
            set(map, "CMapGroup", "referenceID", Value::UInt64(0));
        }),
        ("reference-id-twice", Severity::Warning, "referenceID", |map| {
            set(map, "CMapGroup", "referenceID", Value::UInt64(7));
            set(map, "CMapPrefab", "referenceID", Value::UInt64(7));
        }),
        ("node-shared", Severity::Warning, "nodes[6]", |map| {
            let (group, prefab) = (first(map, "CMapGroup"), first(map, "CMapPrefab"));
            adopt(map, group, prefab);
        }),
        ("node-cycle", Severity::Warning, "nodes[3]", |map| {
            let group = first(map, "CMapGroup");
            adopt(map, group, group);
        }),
        ("node-stray", Severity::Warning, ".nodes[0]", |map| {
            let (world, prefab) = (first(map, "CMapWorld"), first(map, "CMapPrefab"));
            map.graph_mut().set(world, "children", elements([prefab]));
        }),
        ("node-stray", Severity::Warning, "selectedObjects[0]", |map| {
            let graph = map.graph_mut();
            let node = graph.push("CMapEntity", "", guid(3));
            let data = graph.push("CObjectSelectionSetDataElement", "objectSelectionSetData", guid(4));
            graph.set(data, "selectedObjects", elements([node]));
            set(map, "CMapSelectionSet", "selectionSetData", Value::Element(Reference::Element(data)));
        }),
        ("visibility-missing", Severity::Warning, "visbility", |map| unset(map, "CMapRootElement", "visbility")),
        ("visibility-spelling", Severity::Warning, "visibility", |map| {
            let name = map.graph_mut().intern("visibility");
            let old = map.graph_mut().intern("visbility");
            for attribute in &mut map.graph_mut().elements[0].attributes {
                if attribute.name == old {
                    attribute.name = name;
                }
            }
        }),
        ("visibility-lengths", Severity::Warning, "nodes[0].hiddenFlags", |map| {
            set(map, "CVisibilityMgr", "hiddenFlags", Value::IntArray([0, 0].into()));
        }),
        ("visibility-flags", Severity::Note, "nodes[0].hiddenFlags[0]", |map| {
            set(map, "CVisibilityMgr", "hiddenFlags", Value::IntArray([2].into()));
        }),
        ("entity-class", Severity::Warning, "nodes[2]", |map| {
            let node = map.map().find(mapwright_vmap::NodeId(2)).unwrap().id();
            map.remove_key(node, "classname").unwrap();
        }),
        ("entity-keys", Severity::Warning, "nodes[", |map| {
            set(map, "CMapEntity", "entity_properties", Value::Element(Reference::Null));
        }),
        ("output-type", Severity::Note, "nodes[2].connectionsData[0]", |map| {
            set(map, "DmeConnectionData", "targetType", Value::Int(3));
        }),
        ("plug-lengths", Severity::Warning, ".plugTypes", |map| {
            set(map, "DmePlugList", "plugTypes", Value::IntArray([3].into()));
        }),
        ("binding-lengths", Severity::Warning, ".variableNames", |map| {
            set_texts(map, "CMapGroup", "variableTargetKeys", &["a"]);
        }),
        ("override-lengths", Severity::Warning, "nodes[6].variableOverrideValues", |map| {
            set_texts(map, "CMapPrefab", "variableOverrideNames", &["a"]);
        }),
        ("variable-lengths", Severity::Warning, ".variableValues", |map| {
            set_texts(map, "CMapVariableSet", "variableValues", &[]);
        }),
        ("binding-variable", Severity::Warning, "nodes[3].variableNames", |map| {
            set_texts(map, "CMapGroup", "variableTargetKeys", &["k"]);
            set_texts(map, "CMapGroup", "variableNames", &["w"]);
        }),
        ("choice-variable", Severity::Warning, ".m_ChoiceVariables[0]", |map| {
            set_texts(map, "CMapVariableChoiceGroup", "m_ChoiceVariables", &["w"]);
        }),
        ("choice-values", Severity::Warning, ".m_ChoiceValues", |map| {
            set_texts(map, "CMapVariableChoice", "m_ChoiceValues", &[]);
        }),
        ("choice-active", Severity::Warning, "elements[", |map| {
            set_text(map, "CMapVariableChoiceGroup", "m_ActiveValue", "Perhaps");
        }),
        ("prefab-path", Severity::Warning, "nodes[6].targetMapPath", |map| {
            set_text(map, "CMapPrefab", "targetMapPath", "");
        }),
        ("prefab-path", Severity::Warning, "nodes[6].targetMapPath", |map| {
            set_text(map, "CMapPrefab", "targetMapPath", "C:\\a.vmap");
        }),
        ("prefab-path", Severity::Warning, "nodes[6].targetMapPath", |map| {
            set_text(map, "CMapPrefab", "targetMapPath", "maps/../../a.vmap");
        }),
        ("instance-target", Severity::Warning, "nodes[5].target", |map| {
            set(map, "CMapInstance", "target", Value::Element(Reference::Null));
        }),
        ("instance-target", Severity::Warning, "nodes[5].target", |map| {
            let prefab = first(map, "CMapPrefab");
            set(map, "CMapInstance", "target", Value::Element(Reference::Element(prefab)));
        }),
        ("instance-target", Severity::Warning, "nodes[5].target", |map| {
            let (world, instance) = (first(map, "CMapWorld"), first(map, "CMapInstance"));
            map.graph_mut().set(world, "children", elements([instance]));
        }),
        ("overlay-target", Severity::Note, "nodes[7].projectionTargets[1]", |map| {
            set(map, "CMapStaticOverlay", "projectionTargets", Value::IntArray([2, 99].into()));
        }),
        ("instance-data", Severity::Note, "elements[", |map| {
            let data = map.graph_mut().push("CDmeNodeInstanceData", "99", guid(5));
            set(map, "CMapRootElement", "nodeInstanceData", elements([data]));
        }),
        ("asset-unlisted", Severity::Note, ".model", |map| {
            let world = map.world().unwrap();
            map.set_key(world, "model", "models/a.vmdl").unwrap();
        }),
        ("asset-unused", Severity::Note, "map_asset_references", |map| map.add_asset("models/a.vmdl").unwrap()),
        ("thumbnail", Severity::Warning, "", |map| {
            let format = map.graph_mut().string_value("jpg");
            map.graph_mut().set_prefix("asset_preview_thumbnail", Value::Binary([1, 2, 3].into()));
            map.graph_mut().set_prefix("asset_preview_thumbnail_format", format);
        }),
        ("format-version", Severity::Note, "", |map| map.graph_mut().header.format_version = 99),
        ("type-drift", Severity::Warning, "nodes[7].disableShadows", |map| {
            set(map, "CMapStaticOverlay", "disableShadows", Value::Int(0));
        }),
        ("attribute-unknown", Severity::Note, "nodes[3].surprise", |map| {
            set(map, "CMapGroup", "surprise", Value::Int(0));
        }),
        // Findings of the element graph.
        ("external", Severity::Note, "", |map| {
            let stub = map.graph_mut().intern("01234567-89ab-cdef-0123-456789abcdef");
            set(map, "CMapInstance", "target", Value::Element(Reference::External(stub)));
        }),
    ];
    for (code, severity, place, change) in cases {
        let mut map = sound();
        let before = map.validate().iter().filter(|finding| finding.code == *code).count();
        map.edit(change);
        // The written file has the same finding.
        let read = Document::from_bytes(&map.to_bytes().unwrap()).unwrap();
        let findings = read.validate();
        let found: Vec<_> = findings.iter().filter(|finding| finding.code == *code).collect();
        assert!(found.len() > before, "{code}: {findings:#?}");
        assert!(found.iter().all(|finding| finding.severity == *severity), "{code}");
        assert!(found.iter().any(|finding| finding.path.to_string().contains(place)), "{code}: {found:#?}");
        assert!(findings.is_sorted_by_key(|finding| std::cmp::Reverse(finding.severity)));
    }
}

#[test]
fn a_new_choice_group_needs_no_active_choice() {
    let has_finding = |active: &str| {
        let mut map = sound();
        map.edit(|map| {
            set_text(map, "CMapVariableChoiceGroup", "m_ActiveValue", active);
            set(map, "CMapVariableChoiceGroup", "m_Choices", elements([]));
        });
        map.validate().iter().any(|finding| finding.code == "choice-active")
    };
    assert_eq!(["", "Yes"].map(has_finding), [false, true]);
}

#[test]
fn outputs_find_names_and_classes_also_in_prefabs() {
    /// A map with an entity of a class, and outputs with targets.
    fn map(class: &str, name: &str, targets: &[&str]) -> Document {
        let mut map = Document::new();
        map.edit(|map| {
            let world = map.world()?;
            let entity = map.add_entity(world, class)?;
            map.set_key(entity, "targetname", name)?;
            let relay = map.add_entity(world, "logic_relay")?;
            for target in targets {
                map.add_output(relay, &mapwright_vmap::Output::new("OnTrigger", *target, "Toggle"))?;
            }
            Ok::<(), WriteError>(())
        })
        .unwrap();
        map
    }
    fn found(map: &Document, prefab: Option<&Document>) -> Vec<(Severity, String)> {
        let findings = map.validate_with_prefabs(&mut |path| prefab.filter(|_| path == "maps/p.vmap").cloned());
        let targets = findings.into_iter().filter(|finding| finding.code == "output-target");
        targets.map(|finding| (finding.severity, finding.message)).collect()
    }
    let known =
        ["Door_1", "door*", "*", "logic_relay", "LOGIC_*", "!self", "!activator", "player", "worldspawn", "d*r_2"];
    assert_eq!(found(&map("info_player_start", "door_1", &known), None), []);
    let mut level = map("info_player_start", "door_1", &["door_2", "gone*"]);
    let severities =
        |found: Vec<(Severity, String)>| -> Vec<Severity> { found.iter().map(|finding| finding.0).collect() };
    assert_eq!(severities(found(&level, None)), [Severity::Warning; 2]);
    // Another map can contain the target.
    assert_eq!(severities(found(&map("info_target", "door_1", &["gone"]), None)), [Severity::Note]);
    level.edit(|map| map.add_prefab(map.world()?, "maps/p.vmap").map(drop)).unwrap();
    let unread = found(&level, None);
    assert_eq!(unread.len(), 2);
    assert!(
        unread.iter().all(|(severity, text)| *severity == Severity::Note && text.ends_with("1 prefab was not read"))
    );
    let mut prefab = map("func_door", "door_2", &[]);
    // A prefab that contains itself.
    prefab.edit(|map| map.add_prefab(map.world()?, "maps/p.vmap").map(drop)).unwrap();
    let found = found(&level, Some(&prefab));
    assert_eq!(found.len(), 1);
    assert!(found[0].0 == Severity::Warning && found[0].1.contains("\"gone*\""), "{found:?}");
}

#[test]
fn targets_may_have_the_number_of_a_prefab_before_the_name() {
    let mut prefab = Document::new();
    prefab
        .edit(|map| {
            let lamp = map.add_entity(map.world()?, "light_omni")?;
            map.set_key(lamp, "targetname", "Lamp_a")
        })
        .unwrap();
    let mut map = Document::new();
    map.edit(|map| map.add_prefab(map.world()?, "maps/p.vmap")).unwrap();
    let node = map.nodes().map(|visit| visit.node).find(|node| node.class() == b"CMapPrefab").unwrap();
    let number = node.node_id().unwrap().0;
    let targets = map.targets(&mut |path| (path == "maps/p.vmap").then(|| prefab.clone()));
    assert!(!targets.is_level() && targets.unread_prefabs() == 0);
    for target in ["lamp_a", "@other", "!self", "light_omni"] {
        assert!(targets.has_match(target.as_bytes()), "{target}");
    }
    let with_number = |name: &str| targets.has_match(format!("{number}_{name}").as_bytes());
    assert!(with_number("lamp_a") && with_number("LAMP_*") && with_number(&format!("{number}_lamp_a")));
    assert!(!with_number("lamp_b") && !targets.has_match(format!("{}_lamp_a", number + 1).as_bytes()));
    assert_eq!(map.targets(&mut |_| None).unread_prefabs(), 1);
}

#[test]
fn the_class_of_the_start_of_the_player_shows_a_level() {
    for (class, name, severity) in
        [("info_target", "info_player_1", Severity::Note), ("Info_Player_Start", "start", Severity::Warning)]
    {
        let mut map = Document::new();
        map.edit(|map| {
            let entity = map.add_entity(map.world()?, class)?;
            map.set_key(entity, "targetname", name)?;
            map.add_output(entity, &mapwright_vmap::Output::new("OnUser1", "gone", "Toggle"))
        })
        .unwrap();
        let findings = map.validate();
        let finding = findings.iter().find(|finding| finding.code == "output-target").unwrap();
        assert_eq!(finding.severity, severity, "{class}");
    }
}

#[test]
fn prefabs_are_read_up_to_a_depth() {
    fn map(number: u32) -> Document {
        let mut map = Document::new();
        map.edit(|map| {
            let relay = map.add_entity(map.world()?, "logic_relay")?;
            map.add_output(relay, &mapwright_vmap::Output::new("OnTrigger", "gone", "Toggle"))?;
            map.add_prefab(map.world()?, &format!("maps/{number}.vmap")).map(drop)
        })
        .unwrap();
        map
    }
    let mut count = 0;
    let findings = map(0).validate_with_prefabs(&mut |_| {
        count += 1;
        Some(map(count))
    });
    assert_eq!(count, 8);
    assert!(findings.iter().any(|finding| finding.message.ends_with("1 prefab was not read")), "{findings:?}");
}

#[test]
fn documented_and_tested_codes_are_equal() {
    let (page, tests) = (include_str!("../../src/validate.rs"), include_str!("validate.rs"));
    let rows = page.lines().filter_map(|line| line.trim().strip_prefix("/// | `"));
    let codes = rows.flat_map(|row| {
        let cell = row.split(" |").next().unwrap_or_default();
        cell.split('`').filter(|code| code.contains(['-', 't']) && !code.contains([',', '…'])).collect::<Vec<_>>()
    });
    let codes: Vec<&str> = codes.collect();
    assert!(codes.len() > 30, "{codes:?}");
    for code in codes {
        assert!(tests.contains(&format!("(\"{code}\", Severity::")), "{code}");
    }
}

#[test]
fn a_valid_thumbnail_is_not_reported() {
    for (format, bytes) in [("jpg", &b"\xFF\xD8\xFF\xE0"[..]), ("PNG", b"\x89PNG\r\n\x1A\n")] {
        let mut map = Document::new();
        let format = map.graph_mut().string_value(format);
        map.graph_mut().prefix = vec![vec![]];
        map.graph_mut().set_prefix("asset_preview_thumbnail", Value::Binary(bytes.into()));
        map.graph_mut().set_prefix("asset_preview_thumbnail_format", format);
        assert_eq!(map.thumbnail().unwrap().bytes, bytes);
        assert!(map.validate().iter().all(|finding| finding.code != "thumbnail"));
    }
}

#[test]
fn findings_of_one_code_are_limited() {
    let mut map = sound();
    map.edit(|map| {
        for number in 0..300 {
            let name = map.graph_mut().intern(format!("surprise {number}"));
            let group = first(map, "CMapGroup");
            let attributes = &mut map.graph_mut().elements[group.index()].attributes;
            attributes.push(Attribute { name, value: Value::String(StringId::EMPTY) });
        }
    });
    let findings = map.validate();
    let found: Vec<_> = findings.iter().filter(|finding| finding.code == "attribute-unknown").collect();
    assert_eq!(found.len(), 101);
    assert_eq!(found.last().unwrap().message, "and 200 more of these");
}
