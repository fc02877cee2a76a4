//! Findings of validation.

use crate::support::{box_sides, corpus_map, corpus_maps, map, world};

const AXES: &str = "\"uaxis\" \"[1 0 0 0] 0.25\"\n\"vaxis\" \"[0 -1 0 0] 0.25\"\n";

/// Returns the findings of a map, one per line.
fn findings(text: &str) -> Vec<String> {
    map(text).validate().iter().map(ToString::to_string).collect()
}

/// Returns the findings of a map with a world and an entity that contains a text.
fn of_entity(content: &str) -> Vec<String> {
    findings(&format!("{}entity\n{{\n{content}\n}}\n", world(&box_sides([0, 0, 0], [64, 64, 64], 1, AXES))))
}

/// Returns the findings of a map with a solid, whose first side contains a text.
fn of_side(content: &str) -> Vec<String> {
    let sides = box_sides([0, 0, 0], [64, 64, 64], 1, "");
    findings(&world(&sides.replacen("\t\t}\n", &format!("{content}\n\t\t}}\n"), 1)))
}

#[test]
fn usual_maps_have_no_findings() {
    let none: [&str; 0] = [];
    assert_eq!(of_entity("\"id\" \"1\"\n\"classname\" \"light\"\n\"origin\" \"0 0 8\""), none);
    assert_eq!(of_side(AXES), none);
    assert_eq!(findings(&String::from_utf8(mapwright_vmf::Document::new().to_bytes().unwrap()).unwrap()), none);
}

#[test]
fn findings_have_a_path_a_line_and_a_column() {
    let text = world(&box_sides([0, 0, 0], [64, 64, 64], 1, AXES).replacen("(0 64 64)", "(0 64)", 1));
    assert_eq!(
        findings(&text),
        [
            "error[value-malformed]: plane is \"(0 64) (64 64 64) (64 0 64)\": expected 9 numbers in world.solids[0].sides[0] \
          at line 11, column 4"
        ]
    );
}

#[test]
fn sides_are_checked() {
    for (content, expected) in [
        (
            "uaxis \"[1 0 0] 1\"",
            "error[value-malformed]: uaxis is \"[1 0 0] 1\": expected 5 numbers in world.solids[0].sides[0]",
        ),
        ("vaxis \"[1 0 0 0] 0\"", "warning[scale-zero]"),
        (
            "vertices_plus { v \"64 64 64.04\" v \"0 0 64.2\" }",
            "warning[vertices-differ]: the vertex 0 0 64.2 of Hammer++",
        ),
        (
            "dispinfo { power 7 }",
            "warning[displacement-invalid]: the displacement has no power from 1 to 4: the flat side is used",
        ),
        ("dispinfo { power 2 }", "warning[displacement-invalid]: the displacement has no `normals`"),
    ] {
        let found = of_side(content);
        assert!(found.len() == 1 && found[0].starts_with(expected), "{content}: {found:#?}");
    }
    let triangle = "side { plane \"(60 64 64) (64 64 60) (64 60 64)\" dispinfo { } }";
    let found = findings(&world(&(box_sides([0, 0, 0], [64, 64, 64], 1, AXES) + triangle)));
    let expected = ["the side of the displacement has 3 corners: expected 4", "the displacement has no power"];
    assert!(found.iter().zip(expected).all(|(found, expected)| found.contains(expected)), "{found:#?}");
}

#[test]
fn solids_are_checked() {
    let sides = box_sides([0, 0, 0], [64, 64, 64], 1, AXES);
    let found = findings(&world(&(sides.clone() + "side { id 9 }")));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].starts_with(
            "error[side-plane]: the side has no plane: Hammer rejects the file in world.solids[0].sides[6]"
        )
    );
    let found = findings(&world(&(sides.clone() + "side { id 9 plane \"(0 0 0) (1 1 1) (2 2 2)\" }")));
    assert!(found[0].starts_with(
        "warning[solid-invalid]: side 6 of the solid has no plane (id 2): Hammer removes the solid in world.solids[0]"
    ));
    let found = findings(&world(&sides.replace("64", "20000")));
    assert_eq!(found.iter().filter(|line| line.contains("[coordinate-far]")).count(), 6, "{found:#?}");
}

#[test]
fn entities_are_checked() {
    for (content, expected) in [
        ("\"id\" \"4\"", "warning[class-missing]: the entity has no class: games ignore it in entities[0]"),
        ("classname a origin \"1 2\"", "error[value-malformed]: origin is \"1 2\": expected 3 numbers in entities[0]"),
        ("classname a angles \"x\"", "error[value-malformed]: angles is \"x\": expected 3 numbers in entities[0]"),
        ("classname a origin \"0 0 -16385\"", "warning[coordinate-far]: the position is beyond"),
        (
            "classname info_overlay sides \"3 77\"",
            "warning[side-unknown]: sides refers to side 77, which does not exist",
        ),
        ("classname env_cubemap sides2 5000", "warning[side-unknown]: sides2 refers to side 5000"),
        ("classname func_instance file \"\"", "warning[instance-file]: the instance has no file in entities[0]"),
        ("classname a editor { visgroupid 5 }", "warning[visgroup-unknown]: there is no visgroup 5 in entities[0]"),
        ("classname a editor { groupid 6 }", "warning[group-unknown]: there is no group 6 in entities[0]"),
        ("classname a comments \"a \"b\" c\"", "warning[quote-unescaped]: a value contains a quote"),
        ("classname a \"\" \"b\"", "warning[quote-unescaped]: a key has no name"),
        (
            "classname a connections { OnA \"!self,b\" }",
            "warning[output-fields]: OnA is \"!self,b\": expected target, input, parameter, delay and times in entities[0].outputs[0]",
        ),
        (
            "classname a connections { OnA \"a,b,,0,-1\" OnB \"door,c,,0,-1\" }",
            "warning[output-target]: the target of OnB is \"door\", which no entity has as its name in entities[0].outputs[1]",
        ),
        ("classname a solid { id 2 }", "warning[id-duplicate]: another solid has the id 2"),
        (
            "classname a } entity { classname b id 5 } entity { classname b id 5",
            "warning[id-duplicate]: another entity has the id 5",
        ),
    ] {
        let mut found = of_entity(content);
        found.retain(|line| !line.contains("[solid-invalid]"));
        assert!(found.len() == 1 && found[0].starts_with(expected), "{content}: {found:#?}");
    }
}

#[test]
fn targets_are_names_wildcards_classes_and_names_in_instances() {
    let check = |names: &str, target: &str| {
        let connections = format!("connections {{ OnA \"{target},b,,0,-1\" }}");
        let found = of_entity(&format!("classname relay {connections} }} {names} entity {{ classname relay"));
        assert!(found.iter().all(|line| line.contains("[output-target]")), "{found:#?}");
        found.is_empty()
    };
    let names = "entity { classname door targetname Door_1 }";
    for target in ["door_1", "DOOR*", "door_1*", "*", "!activator", "$door", "@global", "player", "Relay"] {
        assert!(check(names, target), "{target}");
    }
    for target in ["door_2", "oor*", "doors*", "", "door_1-x"] {
        assert!(!check(names, target), "{target}");
    }
    let named = "entity { classname func_instance targetname inst file a }";
    assert!(check(named, "inst-door") && check(named, "door-inst") && !check(named, "other-door"));
    assert!(check("entity { classname func_instance file a }", "InstanceAuto1-door"));
}

#[test]
fn worlds_are_counted() {
    let found = |text: &str| findings(text).concat();
    assert!(found("entity { classname a }").contains("[world-missing]"));
    let several = found("world { classname a solid { } } world { classname a solid { } }");
    assert!(several.contains("[world-several]") && several.contains("in world[1].solids[0]"), "{several}");
}

#[test]
fn long_lists_of_findings_are_shortened() {
    let found = map("world { classname a } ".to_owned() + &"entity { } ".repeat(1000)).validate();
    assert_eq!(found.len(), 101);
    assert_eq!(found.iter().map(|finding| finding.count).sum::<usize>(), 1000);
}

#[test]
fn corpus_maps_have_only_problems_of_outputs_and_quotes() {
    for path in &corpus_maps() {
        for finding in corpus_map(path).validate() {
            let is_known = matches!(finding.code, "output-fields" | "output-target" | "quote-unescaped");
            assert!(is_known, "{}: {finding}", path.display());
        }
    }
}
