//! L7: an independent decoder in another language finds the same values.

use std::fmt::Write as _;

use mapwright_testkit::witness::{agree, ask, hex};
use mapwright_vmf::{DisplacementArray, Document, EditorData, Entity, Side, TextureAxis, VisGroup};

use crate::support::{corpus_map, corpus_maps};

/// Prints the values of all views, read from the block tree of the oracle.
const DRIVER: &str = r#"
import sys
sys.path.insert(0, sys.argv[1])
import vmf_dump as oracle
def text(value):
    return "None" if value is None else value.encode("utf-8", "surrogateescape").hex()
def numbers(value, count):
    try:
        found = oracle.floats(value)
    except (ValueError, AttributeError):
        return "None"
    return floats(found) if len(found) == count else "None"
def floats(found):
    return " ".join(float(number).hex() for number in found)
def integer(value):
    return "None" if value is None else str(int(value))
def editor(block):
    for data in block.blocks("editor")[:1]:
        print("editor", numbers(data.get("color"), 3), integer(data.get("groupid")), numbers(data.get("logicalpos"), 2),
              integer(data.get("visgroupshown")), integer(data.get("visgroupautoshown")), text(data.get("comments")))
        print("visgroup ids", *[int(value) for key, value in data.keys() if key.lower() == "visgroupid"])
def visgroups(block, depth):
    for group in block.blocks("visgroup"):
        print("visgroup", depth, text(group.get("name")), integer(group.get("visgroupid")), numbers(group.get("color"), 3))
        visgroups(group, depth + 1)
def members(block, name):
    for child in block.blocks(name, "hidden"):
        if child.name.lower() == name:
            yield child, False
        else:
            for inner in child.blocks(name):
                yield inner, True
def entity(block, is_hidden):
    print("entity", is_hidden, integer(block.get("id")), numbers(block.get("origin"), 3), numbers(block.get("angles"), 3))
    for key, value in block.keys():
        print("key", text(key), text(value))
    for connections in block.blocks("connections"):
        for key, value in connections.keys():
            fields = oracle.output(value)
            if fields is None:
                print("output", text(key), text(value), "None")
            else:
                target, input, parameter, delay, times, separator = fields
                print("output", text(key), text(value), text(target), text(input), text(parameter), delay.hex(), times, separator)
    for group in block.blocks("group"):
        print("group", integer(group.get("id")))
        editor(group)
    editor(block)
    name = (block.get("classname") or "").lower()
    if name == "info_overlay":
        print("overlay", text(block.get("material")), *[int(word) for word in (block.get("sides") or "").split()])
        origin, u, v = [oracle.floats(block.get(key)) for key in ("basisorigin", "basisu", "basisv")]
        for key in ("uv0", "uv1", "uv2", "uv3"):
            x, y, _ = oracle.floats(block.get(key))
            print("corner", floats([o + a * x + b * y for o, a, b in zip(origin, u, v)]))
        print("texture", floats(float(block.get(key)) for key in ("startu", "startv", "endu", "endv")))
    if name == "func_instance":
        print("instance", text(block.get("file")), integer(block.get("fixup_style") or "0"))
        for key, value in block.keys():
            if key.lower().startswith("replace") and key[7:].isdigit():
                variable, _, value = value.partition(" ")
                print("variable", text(variable), text(value))
    for solid, hidden in members(block, "solid"):
        print("solid", integer(solid.get("id")), is_hidden or hidden)
        editor(solid)
        for side in solid.blocks("side"):
            print("side", integer(side.get("id")), text(side.get("material")), numbers(side.get("plane"), 9))
            print("axes", numbers(side.get("uaxis"), 5), numbers(side.get("vaxis"), 5), numbers(side.get("rotation"), 1),
                  numbers(side.get("lightmapscale"), 1), integer(side.get("smoothing_groups")))
            for vertices in side.blocks("vertices_plus"):
                for key, value in vertices.items:
                    print("v", numbers(value, 3))
            for info in side.blocks("dispinfo"):
                power = int(info.get("power"))
                print("displacement", power, numbers(info.get("startposition"), 3), integer(info.get("flags")),
                      numbers(info.get("elevation"), 1), integer(info.get("subdiv")))
                n = (1 << power) + 1
                for array in ARRAYS:
                    for found in info.blocks(array):
                        rows = oracle.rows(found, 0, n - 1 if array == "triangle_tags" else n)
                        print("array", array, floats(number for row in rows for number in row))
                for found in info.blocks("allowed_verts"):
                    for key, value in found.keys():
                        print("allowed", *[int(word) for word in value.split()])
ARRAYS = ["normals", "distances", "offsets", "offset_normals", "alphas", "triangle_tags", "multiblend", "alphablend",
          "multiblend_color_0", "multiblend_color_1", "multiblend_color_2", "multiblend_color_3"]
for path in sys.argv[2:]:
    print("file", path)
    root, _ = oracle.parse(open(path, "rb").read())
    info = root.blocks("versioninfo")[0]
    for key in ("editorversion", "editorbuild", "mapversion", "formatversion", "prefab"):
        print("version", key, integer(info.get(key)))
    for block in root.blocks("visgroups"):
        visgroups(block, 0)
    for block in root.blocks("cordon"):
        print("cordon", text(block.get("name")), integer(block.get("active")), numbers(block.get("mins"), 3), numbers(block.get("maxs"), 3))
    for block in root.blocks("cordons"):
        for cordon in block.blocks("cordon"):
            box = cordon.blocks("box")[0]
            print("cordon", text(cordon.get("name")), integer(cordon.get("active")), numbers(box.get("mins"), 3), numbers(box.get("maxs"), 3))
    for block in root.blocks("cameras"):
        print("active camera", integer(block.get("activecamera")))
        for camera in block.blocks("camera"):
            print("camera", numbers(camera.get("position"), 3), numbers(camera.get("look"), 3))
    for block in root.blocks("world", "entity", "hidden"):
        if block.name.lower() == "hidden":
            for inner in block.blocks("entity"):
                entity(inner, True)
        else:
            entity(block, False)
"#;

#[test]
fn an_independent_decoder_finds_the_same_values() {
    let files = corpus_maps();
    if files.is_empty() {
        return;
    }
    let Some(theirs) = ask(DRIVER, &files) else { return };
    let mut out = Printer(String::new());
    for path in &files {
        out.line(format_args!("file {}", path.display()));
        out.print_map(&corpus_map(path));
    }
    agree(&out.0, &theirs);
}

struct Printer(String);

impl Printer {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.0, "{line}");
    }

    fn print_map(&mut self, map: &Document) {
        for key in ["editorversion", "editorbuild", "mapversion", "formatversion", "prefab"] {
            self.line(format_args!("version {key} {}", integer(map.version(key))));
        }
        map.visgroups().for_each(|visgroup| self.print_visgroup(visgroup, 0));
        for cordon in map.cordons() {
            let [low, high] = cordon.bounds().expect("a box");
            let active = cordon.is_active().map(i64::from);
            self.line(format_args!(
                "cordon {} {} {} {}",
                text(cordon.name()),
                integer(active),
                floats(low),
                floats(high)
            ));
        }
        if map.blocks("cameras").next().is_some() {
            let active = map.active_camera().map_or(-1, |index| index as i64);
            self.line(format_args!("active camera {active}"));
        }
        for camera in map.cameras() {
            self.line(format_args!("camera {} {}", maybe(camera.position()), maybe(camera.look_at())));
        }
        map.all_entities().for_each(|entity| self.print_entity(entity));
    }

    fn print_visgroup(&mut self, visgroup: VisGroup<'_>, depth: usize) {
        let (name, id) = (text(visgroup.name()), integer(visgroup.id()));
        self.line(format_args!("visgroup {depth} {name} {id} {}", maybe(visgroup.color())));
        visgroup.visgroups().for_each(|inner| self.print_visgroup(inner, depth + 1));
    }

    fn print_editor(&mut self, editor: Option<EditorData<'_>>) {
        let Some(editor) = editor else { return };
        let [shown, auto] = [editor.is_shown(), editor.is_auto_shown()].map(|flag| integer(flag.map(i64::from)));
        self.line(format_args!(
            "editor {} {} {} {shown} {auto} {}",
            maybe(editor.color()),
            integer(editor.group_id()),
            maybe(editor.logical_position()),
            text(editor.comments())
        ));
        let ids: Vec<String> = editor.visgroup_ids().map(|id| id.to_string()).collect();
        self.line(format_args!("visgroup ids {}", ids.join(" ")));
    }

    fn print_entity(&mut self, entity: Entity<'_>) {
        let is_hidden = python(entity.is_hidden());
        let (origin, angles) = (maybe(entity.origin()), maybe(entity.angles()));
        self.line(format_args!("entity {is_hidden} {} {origin} {angles}", integer(entity.id())));
        for key in entity.keys() {
            self.line(format_args!("key {} {}", hex(&key.name()), hex(&key.value().unwrap())));
        }
        for output in entity.outputs() {
            let fields = output.connection().map_or_else(
                || "None".to_owned(),
                |fields| {
                    let texts = [&fields.target, &fields.input, &fields.parameter].map(|text| hex(text.as_bytes()));
                    let separator = if fields.separator.char() == ',' { "," } else { "ESC" };
                    format!("{} {} {} {separator}", texts.join(" "), float_hex(fields.delay), fields.times)
                },
            );
            let [name, value] = [hex(&output.item().name()), hex(&output.item().value().unwrap())];
            self.line(format_args!("output {name} {value} {fields}"));
        }
        for group in entity.groups() {
            self.line(format_args!("group {}", integer(group.id())));
            self.print_editor(group.editor());
        }
        self.print_editor(entity.editor());
        if let Some(overlay) = entity.as_overlay() {
            let ids: Vec<String> = overlay.sides().iter().map(ToString::to_string).collect();
            self.line(format_args!("overlay {} {}", text(overlay.material()), ids.join(" ")));
            for corner in overlay.corners().expect("corners") {
                self.line(format_args!("corner {}", floats(corner)));
            }
            let [[u0, v0], _, [u1, v1], _] = overlay.texture_coordinates().expect("texture coordinates");
            self.line(format_args!("texture {}", floats([u0, v0, u1, v1])));
        }
        if let Some(instance) = entity.as_instance() {
            let style = instance.fixup_style().expect("a style").number();
            self.line(format_args!("instance {} {style}", text(instance.file())));
            for (name, value) in instance.replacements() {
                self.line(format_args!("variable {} {}", hex(name.as_bytes()), hex(value.as_bytes())));
            }
        }
        for solid in entity.solids() {
            self.line(format_args!("solid {} {}", integer(solid.id()), python(solid.is_hidden())));
            self.print_editor(solid.editor());
            solid.sides().for_each(|side| self.print_side(side));
        }
    }

    fn print_side(&mut self, side: Side<'_>) {
        let plane = side.plane().map_or_else(|| "None".to_owned(), |points| floats(points.into_iter().flatten()));
        self.line(format_args!("side {} {} {plane}", integer(side.id()), text(side.material())));
        let number = |number: Option<f64>| maybe(number.map(|number| [number]));
        self.line(format_args!(
            "axes {} {} {} {} {}",
            axis(side.u_axis()),
            axis(side.v_axis()),
            number(side.rotation()),
            number(side.lightmap_scale()),
            integer(side.smoothing_groups().map(i64::from))
        ));
        for vertex in side.stored_vertices().unwrap_or_default() {
            self.line(format_args!("v {}", floats(vertex)));
        }
        if let Some(displacement) = side.displacement() {
            self.line(format_args!(
                "displacement {} {} {} {} {}",
                displacement.power().expect("a power"),
                maybe(displacement.start_position()),
                integer(displacement.flags()),
                number(displacement.elevation()),
                integer(displacement.is_subdivided().map(i64::from))
            ));
            for array in DisplacementArray::ALL {
                if displacement.block(array).is_some() {
                    let numbers = displacement.array(array).expect("an array of the right size");
                    self.line(format_args!("array {} {}", array.name(), floats(numbers)));
                }
            }
            if let Some(bits) = displacement.allowed_vertices() {
                let bits: Vec<String> = bits.iter().map(ToString::to_string).collect();
                self.line(format_args!("allowed {}", bits.join(" ")));
            }
        }
    }
}

fn python(flag: bool) -> &'static str {
    if flag { "True" } else { "False" }
}

fn text(text: Option<std::borrow::Cow<'_, str>>) -> String {
    text.map_or_else(|| "None".to_owned(), |text| hex(text.as_bytes()))
}

fn integer(number: Option<i64>) -> String {
    number.map_or_else(|| "None".to_owned(), |number| number.to_string())
}

fn maybe<const N: usize>(numbers: Option<[f64; N]>) -> String {
    numbers.map_or_else(|| "None".to_owned(), floats)
}

fn axis(axis: Option<TextureAxis>) -> String {
    let numbers = axis.map(|TextureAxis { direction: [x, y, z], shift, scale }| [x, y, z, shift, scale]);
    maybe(numbers)
}

fn floats(numbers: impl IntoIterator<Item = f64>) -> String {
    numbers.into_iter().map(float_hex).collect::<Vec<_>>().join(" ")
}

/// Formats a number like `float.hex` of Python.
pub(crate) fn float_hex(number: f64) -> String {
    let bits = number.to_bits();
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let (exponent, mantissa) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    match exponent {
        0 if mantissa == 0 => format!("{sign}0x0.0p+0"),
        0 => format!("{sign}0x0.{mantissa:013x}p-1022"),
        _ => format!("{sign}0x1.{mantissa:013x}p{:+}", exponent.cast_signed() - 1023),
    }
}
