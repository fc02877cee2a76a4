//! `mapwright check --fgd`.

use crate::folder::{Folder, fails};

const FGD: &str = r#"
@include "Base.fgd"
@exclude env_sun
@PointClass base(Named) = light_omni : "A lamp."
[
    radius(float) : "Radius" : "64"
    count(integer) : "Count" : 1
    enabled(boolean) : "Enabled" : 1
    rendercolor(color255) : "Colour" : "255 255 255"
    style(choices) : "Style" : 0 = [ 0 : "Steady" 1 : "Flicker" ]
    spawnflags(flags) = [ 1 : "On" : 1 4 : "Bright" : 0 ]
    buddy(target_destination) : "Buddy"
    input TurnOn(void)
    input SetRadius(float)
    output OnBroken(void)
]
@SolidClass base(Named) = trigger_once [ output OnTrigger(void) ]
@PointClass base(Nowhere) = prop_unknown [ ]
"#;

const BASE: &str = r#"
@BaseClass = Named [ targetname(target_source) : "Name" input Toggle(void) ]
@PointClass = env_sun
@PointClass = info_player_start
"#;

/// An entity of a map as text: the number of its node, keys, outputs and the number of its mesh.
fn entity(number: u32, keys: &str, outputs: &[[&str; 4]], mesh: Option<u32>) -> String {
    let keys = keys.split('|').map(|pair| pair.split_once('=').unwrap());
    let keys: String = keys.map(|(key, value)| format!("\"{key}\" \"string\" \"{value}\" ")).collect();
    let outputs: Vec<String> = outputs
        .iter()
        .map(|[output, target, input, parameter]| {
            format!(
                "\"DmeConnectionData\" {{ \"outputName\" \"string\" \"{output}\" \"targetType\" \"int\" \"7\" \"targetName\" \
                 \"string\" \"{target}\" \"inputName\" \"string\" \"{input}\" \"overrideParam\" \"string\" \"{parameter}\" }}"
            )
        })
        .collect();
    let mesh = mesh
        .map(|number| format!("\"CMapMesh\" {{ \"nodeID\" \"int\" \"{number}\" \"children\" \"element_array\" [ ] }}"));
    format!(
        "\"CMapEntity\" {{ \"nodeID\" \"int\" \"{number}\" \"children\" \"element_array\" [ {} ] \"entity_properties\" \
         \"EditGameClassProps\" {{ {keys} }} \"connectionsData\" \"element_array\" [ {} ] }}",
        mesh.unwrap_or_default(),
        outputs.join(", ")
    )
}

/// A map as text, with fields of its world.
fn map(entities: &[String], world: &str) -> String {
    format!(
        "<!-- dmx encoding keyvalues2 4 format vmap 35 -->\n\"CMapRootElement\" {{ \"world\" \"CMapWorld\" {{ \"nodeID\" \"int\" \
         \"1\" \"children\" \"element_array\" [ {} ] {world} }} }}\n",
        entities.join(", ")
    )
}

fn folder(entities: &[String]) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.at("game")).unwrap();
    folder.write("game/my.fgd", FGD);
    // The name differs in case.
    folder.write("game/base.FGD", BASE);
    folder.write("a.vmap", map(entities, ""));
    folder
}

/// Returns the findings about definitions as text, with the status of the command.
fn findings(folder: &Folder, args: &[&str]) -> Vec<String> {
    let all = [&["check", "--json", "--all", "a.vmap"], args].concat();
    let report = folder.run(all).object();
    let rows = report["findings"].as_array().unwrap().iter();
    let prefixes = ["class-", "key-", "output-unknown", "input-", "fgd-"];
    let text = |row: &serde_json::Value, field: &str| row[field].as_str().unwrap().to_owned();
    rows.filter(|row| prefixes.iter().any(|prefix| text(row, "code").starts_with(prefix)))
        .map(|row| {
            let [severity, code, path, message] = ["severity", "code", "path", "message"].map(|field| text(row, field));
            format!("{severity}[{code}] {path}: {message}")
        })
        .collect()
}

#[test]
fn entities_are_checked_against_the_classes_of_the_game() {
    let entities = [
        entity(2, "classname=info_player_start|origin=0 0 0", &[], None),
        entity(
            3,
            "classname=light_omni|targetname=lamp|radius=1.5|count=-2|enabled=1|rendercolor=1 2 3 4|style=1|spawnflags=5|buddy=lamp*",
            &[
                ["OnBroken", "lamp", "TurnOn", ""],
                ["onbroken", "!activator", "Anything", ""],
                ["OnUser1", "lamp", "Kill", ""],
            ],
            None,
        ),
        entity(
            4,
            "classname=light_omni|radius=wide|count=1.5|enabled=2|rendercolor=1 2|style=7|spawnflags=9|buddy=lmap|raduis=1",
            &[
                ["OnBrokn", "lamp", "TurnOff", ""],
                ["OnBroken", "lamp", "TurnOn", "5"],
                ["OnBroken", "!self", "SetRadius", ""],
            ],
            Some(5),
        ),
        entity(6, "classname=trigger_once", &[["OnTrigger", "lamp", "Toggle", ""]], None),
        entity(7, "classname=light_omin", &[], None),
        entity(8, "classname=env_sun", &[], None),
        entity(9, "classname=prop_unknown|anything=1", &[], None),
        entity(10, "classname=prop_unknown", &[], None),
    ];
    let folder = folder(&entities);
    let expected = [
        "warning[fgd-base] : game/my.fgd: base class \"Nowhere\" of \"prop_unknown\" is not defined",
        "warning[class-meshes] nodes[4]: entity has meshes, but its class \"light_omni\" is a PointClass",
        "warning[key-value] nodes[4].radius: value \"wide\" of \"radius\": expected a number",
        "warning[key-value] nodes[4].count: value \"1.5\" of \"count\": expected a whole number",
        "warning[key-value] nodes[4].enabled: value \"2\" of \"enabled\": expected 0 or 1",
        "warning[key-value] nodes[4].rendercolor: value \"1 2\" of \"rendercolor\": expected three or four numbers",
        "warning[key-value] nodes[4].style: value \"7\" of \"style\": expected one of the choices of the class",
        "warning[key-flags] nodes[4].spawnflags: flags 9 of \"spawnflags\": class \"light_omni\" has no flags 8",
        "warning[key-target] nodes[4].buddy: \"buddy\" has the target \"lmap\", which no entity of the map has as its name or class",
        "warning[key-unknown] nodes[4].raduis: class \"light_omni\" has no key \"raduis\"; did you mean \"radius\"?",
        "warning[output-unknown] nodes[4].connectionsData[0]: class \"light_omni\" has no output \"OnBrokn\"; did you mean \"OnBroken\"?",
        "warning[input-unknown] nodes[4].connectionsData[0]: class \"light_omni\" of the target has no input \"TurnOff\"; did you mean \"TurnOn\"?",
        "warning[class-meshes] nodes[6]: entity has no mesh, but its class \"trigger_once\" is a SolidClass",
        "warning[class-unknown] nodes[7].classname: class \"light_omin\" is not defined; did you mean \"light_omni\"?",
        "warning[class-excluded] nodes[8].classname: class \"env_sun\" is excluded from the game: the entity may not work",
        "note[input-parameter] nodes[4].connectionsData[1]: input \"TurnOn\" of class \"light_omni\" gets a parameter, but ignores it",
        "note[input-parameter] nodes[4].connectionsData[2]: input \"SetRadius\" of class \"light_omni\" gets no parameter, but expects one of type float",
        "note[class-incomplete] nodes[9].classname: class \"prop_unknown\" is not checked (2 entities): a class that it inherits from is missing or invalid",
    ];
    let found = findings(&folder, &["--fgd", "game/my.fgd"]);
    let expected: Vec<String> = expected.map(|text| text.replace('/', std::path::MAIN_SEPARATOR_STR)).into();
    assert_eq!(
        found.iter().map(|text| text.replace('/', std::path::MAIN_SEPARATOR_STR)).collect::<Vec<_>>(),
        sorted(expected),
        "{found:#?}"
    );
    // Without definitions, none of that is checked.
    assert_eq!(findings(&folder, &[]), [""; 0]);
    let text = folder.run(["check", "--fgd", "game/my.fgd", "a.vmap"]).ends(0);
    assert!(text.out.contains("did you mean \"radius\"?"), "{text:?}");
}

/// Sorts findings by severity, as the command does.
fn sorted(mut findings: Vec<String>) -> Vec<String> {
    findings.sort_by_key(|text| text.starts_with("note"));
    findings
}

#[test]
fn missing_files_of_definitions_are_noted() {
    let folder =
        folder(&[entity(2, "classname=info_player_start", &[], None), entity(3, "classname=trigger_once", &[], None)]);
    std::fs::rename(folder.at("game/base.FGD"), folder.at("base.fgd")).unwrap();
    folder.write("game/my.fgd", FGD.replace("Base.fgd", "../base.fgd"));
    // Files outside of the folder are not read, and nothing is known about their classes.
    let found = findings(&folder, &["--fgd", "game/my.fgd"]);
    assert!(found.iter().all(|text| text.starts_with("note[")), "{found:#?}");
    for part in [
        "\"../base.fgd\" was not read",
        "class \"info_player_start\" is not defined",
        "class \"trigger_once\" is not checked",
    ] {
        assert_eq!(found.iter().filter(|text| text.contains(part)).count(), 1, "{part}: {found:#?}");
    }
    // The user may name them.
    let found = findings(&folder, &["--fgd", "base.fgd", "--fgd", "game/my.fgd"]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].starts_with("warning[fgd-base]") && found[1].starts_with("warning[class-meshes]"), "{found:#?}");
}

#[test]
fn files_of_definitions_that_include_each_other_are_read_once() {
    let folder = folder(&[entity(2, "classname=info_player_start|x=1", &[], None)]);
    folder.write("game/base.FGD", format!("@include \"my.fgd\" @include \"base.fgd\" {BASE}"));
    let found = findings(&folder, &["--fgd", "game/my.fgd", "--fgd", "game/base.FGD"]);
    let unknown = "warning[key-unknown] nodes[2].x: class \"info_player_start\" has no key \"x\"";
    assert!(
        found.contains(&unknown.to_owned()) && !found.iter().any(|text| text.contains("fgd-include")),
        "{found:#?}"
    );
}

#[test]
fn damaged_definitions_are_failures() {
    let folder = folder(&[]);
    folder.write("game/base.FGD", "@PointClass = a\n[ b");
    let args = ["check", "--fgd", "game/my.fgd", "a.vmap"];
    fails(&folder, &args, 4, &["base.FGD", "the text ends early", "line 2, column 4"]);
    fails(&folder, &["check", "--fgd", "gone.fgd", "a.vmap"], 1, &["gone.fgd"]);
    folder.write("room.wmp", std::fs::read(mapwright_testkit::fixtures("wmp").join("room.wmp")).unwrap());
    folder.write("game/base.FGD", BASE);
    fails(&folder, &["check", "--fgd", "game/my.fgd", "room.wmp"], 7, &["room.wmp", "supported: vmap"]);
    fails(&folder, &["check", "--fgd", "game/my.fgd", "--fix", "--dry-run", "a.vmap"], 2, &["--fix"]);
}

#[test]
fn the_world_of_a_prefab_has_its_named_inputs_and_outputs() {
    let relay = entity(
        2,
        "classname=relay",
        &[["OnTrigger", "worldspawn", "OnOpened", ""], ["OnTrigger", "worldspawn", "Wrong", ""]],
        None,
    );
    let folder = folder(&[]);
    folder.write(
        "game/base.FGD",
        format!("{BASE} @SolidClass = worldspawn @PointClass = relay [ input Trigger(void) output OnTrigger(void) ]"),
    );
    let output = |name: &str| format!("\"DmeConnectionData\" {{ \"outputName\" \"string\" \"{name}\" }}");
    let world = format!(
        "\"entity_properties\" \"EditGameClassProps\" {{ \"classname\" \"string\" \"worldspawn\" }} \"connectionsData\" \
         \"element_array\" [ {}, {} ] \"relayPlugData\" \"DmePlugList\" {{ \"names\" \"string_array\" [ \"Open\", \"OnOpened\" ] \
         \"dataTypes\" \"int_array\" [ ] \"plugTypes\" \"int_array\" [ ] \"descriptions\" \"string_array\" [ ] }}",
        output("Open"),
        output("Close")
    );
    folder.write("a.vmap", map(&[relay], &world));
    let mut found = findings(&folder, &["--fgd", "game/my.fgd"]);
    found.retain(|text| !text.contains("fgd-base"));
    let expected = [
        "warning[output-unknown] nodes[1].connectionsData[1]: class \"worldspawn\" has no output \"Close\"",
        "warning[input-unknown] nodes[2].connectionsData[1]: class \"worldspawn\" of the target has no input \"Wrong\"",
    ];
    assert_eq!(found, expected);
}
