//! An independent decoder, written from the specification in another language, reads the same from all binary maps.

use crate::support;

use std::fmt::Write as _;
use std::path::PathBuf;

use mapwright_testkit::witness::{agree, ask, hex};
use mapwright_wmp::{Document, Entity, EntityKind, Mesh, Name, Object, Shape};
use support::{is_binary, maps};

/// Prints what the decoder reads: numbers as bits, names as bytes.
const SCRIPT: &str = r#"
import sys, struct
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import wmp_dump
def row(values):
    return ",".join(struct.pack(">d", float(x)).hex() for x in values or [])
def name(text):
    return "-" if text in (None, "ndef", "") else text.encode("latin1").hex()
for file in sys.argv[2:]:
    print("file", file)
    d = wmp_dump.load(file)[1]
    print(name(d["generator"]), name(d["created"]), *d["info"])
    w = d["wed"]
    print(w["palette"].hex(), *[name(path) for path, _ in w["wads"]], "folders", *[name(path) for path, _ in w["folders"]])
    for b in d["blocks"]:
        print("block", b["id"], b["index"], b["flags"], name(b["mat"]), row([x for v in b["verts"] for x in v]))
        for f in b["faces"]:
            print("face", *f["idx"])
            if f["tex"] is not None:
                print("", name(f["tex"]), row(f["uv"]), row(f["vec"]), row(f["map"]), f["flags"], row([f["amb"], f["alb"]]))
    for e in d["entities"]:
        k = e["kind"]
        print(k, e["id"], name(e.get("name")), name(e.get("file")))
        if k == "level":
            print("", e["nexus"], row([e["azimuth"], e["elevation"]]), name(e["script"]), name(e["palette"]),
                  *[row(c) for c in e["sun"] + e["ambient_color"] + e["fog"]])
        elif k == "light":
            print("", row(e["rgb"]), row([e["range"]]), e["flags"])
        elif k == "sound":
            print("", e["flags"], row(e["params"]))
        elif k == "model":
            s = dict(e["strings"])
            print("", name(e["action"]), row(e["scale"]), row(e["skills"]), e["flags"], row([e["ambient"], e["albedo"]]),
                  *[name(x) for x in (e["path"], e["target"], e["material"], s.get(0), s.get(1))])
        elif k == "path":
            for point, skills in zip(e["points"], e["skills"]):
                print("", row(point), row(skills))
            for x in e["edges"]:
                print("", x[0], x[1], row(x[2:]))
        elif k == "region":
            print("", row(e["box"]))
    for o in d["objects"]:
        print("object", o["id"], name(o["comment"]), row(o["pos"]), row(o["ang"]), row(o["scl"]),
              *["%s:%d" % m for m in o["members"]])
"#;

#[test]
#[ignore = "needs the corpus"]
fn an_independent_decoder_reads_the_same_corpus() {
    let Some(maps) = maps(is_binary) else { return };
    let files: Vec<PathBuf> = maps.into_iter().map(|(_, path, _)| path).collect();
    assert!(files.len() > 50, "only {} maps", files.len());
    let Some(theirs) = ask(SCRIPT, &files) else { return };
    let mut ours = String::new();
    for file in &files {
        let map = Document::from_bytes(&std::fs::read(file).unwrap()).unwrap();
        let _ = writeln!(ours, "file {}", file.display());
        dump(&mut ours, &map);
    }
    agree(&ours, &theirs);
}

fn dump(out: &mut String, map: &Document) {
    let (header, counts) = (&map.header, map.header.counts.unwrap());
    let [version, second, last] = header.words;
    let counts = format!("{} {} {}", counts.objects, counts.blocks, counts.entities);
    let (generator, created) = (name(&header.generator), name(&header.created));
    let _ = writeln!(out, "{generator} {created} {version} {second} {counts} {last}");
    let wed = map.wed.as_ref().unwrap();
    let sources = wed.wads.iter().map(|wad| name(&wad.path)).chain(["folders".to_owned()]);
    let sources: Vec<String> = sources.chain(wed.folders.iter().map(|folder| name(&folder.path))).collect();
    let _ = writeln!(out, "{} {}", hex(wed.palette.as_ref().unwrap()), sources.join(" "));
    for block in &map.blocks {
        let (index, flags, material) = (block.index.unwrap(), block.flags.0, name(&block.material));
        let Shape::Mesh(shape) = &block.shape else { panic!("a mesh") };
        let vertices = row(shape.vertices.as_flattened());
        let _ = writeln!(out, "block {} {index} {flags} {material} {vertices}", block.number);
        mesh(out, shape);
    }
    map.entities.iter().for_each(|item| entity(out, item));
    for Object { number, name: reported, position, angles, scale, members, .. } in
        map.objects.iter().map(|object| &**object)
    {
        let members: String =
            members.iter().map(|member| format!(" {}:{}", member.kind.word(), member.number)).collect();
        let (position, angles, scale) = (row(position), row(angles), row(scale));
        let _ = writeln!(out, "object {number} {} {position} {angles} {scale}{members}", name(reported));
    }
}

fn mesh(out: &mut String, mesh: &Mesh) {
    for face in &mesh.faces {
        let corners: Vec<String> = face.corners.iter().map(u32::to_string).collect();
        let _ = writeln!(out, "face {}", corners.join(" "));
        if !face.bare {
            let vectors = face.vectors.as_ref().map(|vectors| row(vectors.as_flattened())).unwrap_or_default();
            let mapping = face.mapping.as_ref().map(|mapping| row(&mapping[..])).unwrap_or_default();
            let uvs = row(face.uvs.as_deref().unwrap_or_default());
            let light = row(&[face.ambient, face.albedo]);
            let _ = writeln!(out, " {} {uvs} {vectors} {mapping} {} {light}", name(&face.texture), face.flags.0);
        }
    }
}

fn entity(out: &mut String, entity: &Entity) {
    let file = match &entity.kind {
        EntityKind::Sound(sound) => &sound.file,
        EntityKind::Model(model) => &model.file,
        _ => &Name::NONE,
    };
    let word = entity.member_kind().word();
    let _ = writeln!(out, "{word} {} {} {}", entity.number, name(entity.name()), name(file));
    let _ = match &entity.kind {
        EntityKind::Level(level) => {
            let colours: String = level.colours.iter().map(|colour| format!(" {}", row(colour))).collect();
            let (sun, script, palette) =
                (row(&[level.azimuth, level.elevation]), name(&level.script), name(&level.palette));
            writeln!(out, " {} {sun} {script} {palette}{colours}", level.nexus)
        }
        EntityKind::Light(light) => {
            writeln!(out, " {} {} {}", row(&light.colour), row(&[light.range]), light.flags.unwrap().0)
        }
        EntityKind::Sound(sound) => writeln!(out, " {} {}", sound.flags.0, row(&sound.numbers)),
        EntityKind::Model(model) => {
            let skills: Vec<f64> = model.skills.iter().map(|skill| *skill.get()).collect();
            let tail = model.tail.iter().chain(std::iter::repeat(&Name::NONE)).take(5);
            let tail: String = tail.map(|reported| format!(" {}", name(reported))).collect();
            let light = row(&[model.ambient, model.albedo.unwrap()]);
            let (action, scale, skills) = (name(&model.action), row(&model.scale), row(&skills));
            writeln!(out, " {action} {scale} {skills} {} {light}{tail}", model.flags.0)
        }
        EntityKind::Path(path) => {
            for node in &path.nodes {
                let _ = writeln!(out, " {} {}", row(&node.point), row(&node.skills));
            }
            for edge in &path.edges {
                let [a, b, c] = edge.numbers;
                let _ = writeln!(out, " {} {} {}", edge.from, edge.to, row(&[edge.weight, a, b, c]));
            }
            Ok(())
        }
        EntityKind::Region(region) => writeln!(out, " {}", row([region.minimum, region.maximum].as_flattened())),
        _ => Ok(()),
    };
}

fn row(numbers: &[f64]) -> String {
    numbers.iter().map(|number| format!("{:016x}", number.to_bits())).collect::<Vec<_>>().join(",")
}

fn name(name: &Name) -> String {
    if name.is_empty() || *name == "ndef" { "-".to_owned() } else { hex(name.as_bytes()) }
}
