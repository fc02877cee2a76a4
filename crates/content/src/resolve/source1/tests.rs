//! Maps of Source 1 with instances, as the compiler collapses them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::super::{ResolveOptions, resolve};
use super::*;

/// Returns an entity.
fn entity(keys: &[(&str, &str)], outputs: &[(&str, &str)]) -> String {
    let mut text = "entity\n{\n".to_owned();
    for (key, value) in keys {
        writeln!(text, "\t\"{key}\" \"{value}\"").unwrap();
    }
    text.push_str("\tconnections\n\t{\n");
    for (name, value) in outputs {
        writeln!(text, "\t\t\"{name}\" \"{value}\"").unwrap();
    }
    text + "\t}\n}\n"
}

fn write(folder: &Path, name: &str, entities: &[String]) {
    let world = "world\n{\n\t\"classname\" \"worldspawn\"\n\t\"skyname\" \"day\"\n}\n";
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, world.to_owned() + &entities.concat()).unwrap();
}

fn instance(file: &str, keys: &[(&str, &str)]) -> String {
    entity(&[&[("classname", "func_instance"), ("file", file)], keys].concat(), &[])
}

/// Resolves the instances of a map. Returns its entities, one per line: class, keys and connections.
fn resolved(folder: &Path, name: &str) -> (Vec<String>, Vec<String>, Losses) {
    let map = Document::from_bytes(&fs::read(folder.join(name)).unwrap()).unwrap();
    let mut scene = scene::to_scene(&map, &scene::ImportOptions::default()).unwrap().scene;
    let content = ContentSource::open([folder]).unwrap();
    let options = ResolveOptions::default().with_level(Some(name.to_owned()));
    let report = resolve(&mut scene, &content, &Source1::default(), &options);
    let entities = scene.walk().filter_map(|visit| match &visit.node.content {
        Content::Entity(id) => scene.entities.get(*id),
        _ => None,
    });
    let lines = entities.map(|entity| {
        let keys = entity.properties.iter().map(|(key, value)| format!(" {key}={}", value.as_text().unwrap()));
        let outputs = entity.connections.iter().map(|it| {
            let parameter = if it.parameter.is_empty() { String::new() } else { format!("({})", it.parameter) };
            format!(" {}>{}.{}{parameter}", it.output, it.target, it.input)
        });
        entity.class.clone() + &keys.chain(outputs).collect::<String>()
    });
    let lights = scene.walk().filter_map(|visit| match visit.node.content {
        Content::Light(id) => scene.lights.get(id),
        _ => None,
    });
    let text =
        |light: &mapwright_scene::Light, key: &str| light.properties.get(key).unwrap().as_text().unwrap().to_owned();
    let lights = lights.map(|light| text(light, "targetname") + " " + &text(light, "parentname"));
    (lines.collect(), lights.collect(), report.losses)
}

#[test]
fn instances_are_collapsed_as_by_the_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let button = |target: &str| {
        let keys = [("classname", "func_button"), ("targetname", "button"), ("target", "@global"), ("speed", "$speed")];
        entity(&keys, &[("OnPressed", target)])
    };
    let parts = entity(&[("classname", "func_instance_parms"), ("parm1", "$speed integer 5")], &[]);
    let proxy =
        entity(&[("classname", "func_instance_io_proxy"), ("targetname", "proxy")], &[("OnProxyRelay", "a,b,,0,-1")]);
    write(root, "parts/inner.vmf", &[button("$target,Open,,0,-1"), parts, proxy]);
    let outputs = [("OnOpen", "button*,Lock,,0,-1"), ("OnClose", "IN-button,SetParent,Door,0,-1")];
    let door = entity(&[("classname", "func_door"), ("targetname", "door")], &outputs);
    let lamp = entity(&[("classname", "light"), ("targetname", "lamp"), ("parentname", "door")], &[]);
    let hidden = format!("hidden\n{{\n{}}}\n", entity(&[("classname", "info_target"), ("targetname", "gone")], &[]));
    let inner = |keys: &[(&str, &str)]| instance("inner.vmf", keys);
    let replaced = [("replace01", "$target door"), ("replace02", "$speed $fast")];
    let outer = [
        door,
        lamp,
        hidden,
        inner(&[&[("targetname", "in")], &replaced[..]].concat()),
        inner(&[("targetname", "same"), ("fixup_style", "2"), ("replace01", "$target !self")]),
    ];
    write(root, "parts/outer.vmf", &outer);
    let placed = |keys: &[(&str, &str)]| instance("parts/outer.vmf", &[keys, &[("replace1", "$FAST 10")]].concat());
    let trigger = entity(&[("classname", "trigger")], &[("OnUser1", "A,instance:door;Open,,0,-1")]);
    let level =
        [trigger, placed(&[("targetname", "a")]), placed(&[("targetname", "b"), ("fixup_style", "1")]), placed(&[])];
    write(root, "level.vmf", &level);
    let (entities, lights, losses) = resolved(root, "level.vmf");
    assert_eq!(lights, ["a-lamp a-door", "lamp-b door-b", "InstanceAuto3-lamp InstanceAuto3-door"]);
    let expected = |name: &dyn Fn(&str) -> String| {
        let named = |inner: &str| format!("func_button targetname={inner}button target=@global");
        [
            format!(
                "func_door targetname={} OnOpen>button*.Lock OnClose>{}.SetParent({})",
                name("door"),
                name("IN") + "-button",
                name("Door")
            ),
            format!("{} speed=10 OnPressed>{}.Open", named(&format!("{}-", name("in"))), name("door")),
            format!("{} speed=5 OnPressed>!self.Open", named("")),
        ]
    };
    let names: [&dyn Fn(&str) -> String; 3] =
        [&|name| format!("a-{name}"), &|name| format!("{name}-b"), &|name| format!("InstanceAuto3-{name}")];
    let own = ["worldspawn skyname=day", "trigger OnUser1>a-door.Open"].map(str::to_owned);
    let all: Vec<String> = own.into_iter().chain(names.into_iter().flat_map(expected)).collect();
    assert_eq!(entities, all);
    for text in ["outputs that lead out of an instance", "hidden objects of an instance: 1"] {
        assert!(losses.iter().any(|loss| loss.text.contains(text)), "{text}: {losses:?}");
    }
}

#[test]
fn solids_of_instances_get_the_values_of_variables() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let planes = [
        ("(0 0 64) (0 64 64) (64 64 64)", "[1 0 0 0] 1", "[0 -1 0 0] 1"),
        ("(0 64 0) (0 0 0) (64 0 0)", "[1 0 0 0] 1", "[0 -1 0 0] 1"),
        ("(0 64 64) (0 0 64) (0 0 0)", "[0 1 0 0] 1", "[0 0 -1 0] 1"),
        ("(64 64 0) (64 0 0) (64 0 64)", "[0 1 0 0] 1", "[0 0 -1 0] 1"),
        ("(64 64 64) (0 64 64) (0 64 0)", "[1 0 0 0] 1", "[0 0 -1 0] 1"),
        ("(64 0 0) (0 0 0) (0 0 64)", "[1 0 0 0] 1", "[0 0 -1 0] 1"),
    ];
    let mut cube = "world\n{\n\t\"classname\" \"worldspawn\"\n\tsolid\n\t{\n\t\t\"id\" \"2\"\n".to_owned();
    for (plane, u, v) in planes {
        write!(
            cube,
            "side\n{{\n\"plane\" \"{plane}\"\n\"material\" \"dev/$look\"\n\"uaxis\" \"{u}\"\n\"vaxis\" \"{v}\"\n}}\n"
        )
        .unwrap();
    }
    fs::write(root.join("cube.vmf"), cube + "\t}\n}\n").unwrap();
    let looks = ["grey", "orange"].map(|look| instance("cube.vmf", &[("replace01", &format!("$look {look}"))]));
    write(root, "level.vmf", &looks);
    let map = Document::from_bytes(&fs::read(root.join("level.vmf")).unwrap()).unwrap();
    let mut scene = scene::to_scene(&map, &scene::ImportOptions::default()).unwrap().scene;
    let content = ContentSource::open([root]).unwrap();
    resolve(&mut scene, &content, &Source1::default(), &ResolveOptions::default());
    let materials: Vec<&str> = scene.materials.items().iter().map(|material| &*material.name).collect();
    assert_eq!(materials, ["dev/grey", "dev/orange"]);
    let brushes = scene.walk().filter(|visit| matches!(visit.node.content, Content::Brush(_))).count();
    assert_eq!(brushes, 2);
}
