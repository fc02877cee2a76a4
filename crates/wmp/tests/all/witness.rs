//! An independent decoder, written from the specification in another language, reads the same from all maps.

use crate::support;

use std::fmt::Write as _;
use std::path::PathBuf;

use mapwright_testkit::witness::{agree, ask};
use mapwright_wmp::{
    Block, Dialect, Document, Entity, EntityKind, LineEnd, Mesh, Name, Object, Path, PlaneFace, Shape,
};
use support::{is_binary, maps};

/// Prints the output of `wmp_dump.py dump --bits`, with values that it omits. Numbers are printed as bits.
const SCRIPT: &str = r#"
import sys, struct
sys.path.insert(0, sys.argv[1])
import wmp_dump
def bits(x):
    return struct.pack(">d", float(x)).hex()
def row(values):
    return ",".join(bits(x) for x in values)
def name(text):
    return "-" if text is None or text == "ndef" or text == "" else text.encode("latin1").hex()
for file in sys.argv[2:]:
    print("file", file)
    try:
        d = wmp_dump.load(file)[1]
    except Exception as e:
        print("refused")
        continue
    dialect = d["dialect"]
    print(dialect, d["eol"], name(d["generator"]), name(d["created"]))
    if d["counts"]:
        print("counts", *(d["counts"].get(k) for k in ("blocks", "entities", "objects")))
    w = d["wed"]
    if w:
        print("palette", None if w["palette"] is None else w["palette"].hex())
        print("wad", name(w["wadline"]))
        for key in ("wads", "folders"):
            for path, number in w[key]:
                print(key, name(path), number)
        for key in ("bookmarks", "view"):
            for text in w[key] or []:
                print(key, name(text))
    for b in d["blocks"]:
        print("block", b["id"], b["flags"], name(b["mat"]), b["index"])
        for v in b["verts"]:
            print("v", row(v))
        for f in b["faces"]:
            if f["idx"] is None:
                print("p", row(f["pts"]), name(f["tex"]), row(f["map"]), f["flags"], row([f["amb"], f["alb"]]), name(f["mat"]),
                      name(f["name2"]), bits(f["extra"]), f["flags2"])
            else:
                print("f", *f["idx"])
                print(" ", name(f["tex"]), row(f["uv"] or []), row(f["vec"] or []), row(f["map"] or []), f["flags"],
                      row([f["amb"], f["alb"]]), name(f["mat"]))
    entities = d["entities"]
    if dialect == "711":
        sun = [e for e in entities if e["type"] == 5]
        entities = [e for e in entities if e["type"] != 5]
        level = d["level"]
        if level:
            print("level", 0, name(level["wad"]), name(level["palette"]), row([sun[0]["azimuth"], sun[0]["elevation"]]))
            for i, e in enumerate(entities):
                e["id"] = i + 1
    for e in entities:
        kind = e["kind"]
        print(kind, e["id"], name(e["comment"]) if dialect != "711" else "-")
        if "pos" in e:
            print(" at", row(e["pos"]), row(e["ang"]))
        if kind == "level":
            print(" ", name(e["wad"]), name(e["palette"]), e["nexus"], row([e["azimuth"], e["elevation"]]), name(e["script"]))
            for colour in e["colors"]:
                print(" ", row(colour))
        elif kind == "start":
            print(" ", name(e["name"]))
        elif kind == "light":
            print(" ", row(e["rgb"]), bits(e["range"]), e["flags"])
        elif kind == "sound":
            print(" ", name(e["file"]), e["flags"], row(e["params"]))
        elif kind == "model":
            print(" ", row(e["scale"]), name(e["file"]), name(e["name"]), name(e["action"]), row(e["skills"]), e["flags"],
                  bits(e["ambient"]), None if e["albedo"] is None else bits(e["albedo"]), *(name(x) for x in e["names"]))
        elif kind == "path":
            print(" ", name(e["name"]), bits(e.get("number", 0)))
            for key in ("points", "skills", "edges"):
                for values in e[key] or []:
                    print(" ", key, row(values))
        else:
            print(" ", *(name(x) for x in e["lines"]))
    for o in d["objects"]:
        print("object", o["id"], name(o["comment"]), row(o["pos"]), row(o["ang"]), row(o["scl"]),
              *("%s:%d" % m for m in o["members"]))
"#;

/// Compares the output of the decoder with ours.
fn compare(files: &[PathBuf], dump: impl Fn(&mut String, &Document)) {
    let Some(theirs) = ask(SCRIPT, files) else { return };
    let mut ours = String::new();
    for file in files {
        let _ = writeln!(ours, "file {}", file.display());
        match Document::from_bytes(&std::fs::read(file).expect("a file of the corpus")) {
            Ok(document) => dump(&mut ours, &document),
            Err(_) => ours.push_str("refused\n"),
        }
    }
    agree(&ours, &theirs);
}

#[test]
#[ignore = "needs the corpus"]
fn an_independent_decoder_reads_the_same_corpus_text() {
    let Some(maps) = maps(|bytes| !is_binary(bytes)) else { return };
    let files: Vec<PathBuf> = maps.into_iter().map(|(_, path, _)| path).collect();
    compare(&files, text);
    assert!(files.len() >= 100, "only {} maps", files.len());
}

fn text(out: &mut String, document: &Document) {
    let header = &document.header;
    let end = if document.line_end == LineEnd::Crlf { "crlf" } else { "lf" };
    let _ = writeln!(out, "{} {end} {} {}", document.dialect.name(), name(&header.generator), name(&header.created));
    if let Some(counts) = header.counts {
        let _ = writeln!(out, "counts {} {} {}", counts.blocks, counts.entities, counts.objects);
    }
    if let Some(wed) = &document.wed {
        let palette = wed.palette.as_ref().map_or_else(|| "None".to_owned(), |bytes| hex(bytes));
        let _ = writeln!(out, "palette {palette}\nwad {}", wed.wad_head.as_ref().map_or_else(|| "-".to_owned(), name));
        for (key, sources) in [("wads", &wed.wads), ("folders", &wed.folders)] {
            for source in sources {
                let _ = writeln!(out, "{key} {} {}", name(&source.path), source.enabled);
            }
        }
        for (key, lines) in [("bookmarks", &wed.bookmarks), ("view", &wed.views)] {
            for line in lines.iter().flatten() {
                let _ = writeln!(out, "{key} {}", name(line));
            }
        }
    }
    document.blocks.iter().for_each(|item| block(out, item));
    for item in &document.entities {
        let is_held = |object: &&_| contains(object, item);
        let resolved = document.dialect == Dialect::Resolved;
        entity(out, item, document.objects.iter().map(|object| &**object).find(is_held).filter(|_| resolved));
    }
    if document.dialect != Dialect::Resolved {
        document.objects.iter().for_each(|item| object(out, item));
    }
}

fn contains(object: &Object, entity: &Entity) -> bool {
    object.members.iter().any(|member| (member.kind, member.number) == (entity.member_kind(), entity.number))
}

fn block(out: &mut String, block: &Block) {
    let (material, index) = (name(&block.material), opt(block.index));
    let _ = writeln!(out, "block {} {} {material} {index}", block.number, block.flags.0);
    match &block.shape {
        Shape::Planes(faces) => faces.iter().for_each(|face| plane(out, face)),
        Shape::Mesh(shape) => mesh(out, shape),
    }
}

fn plane(out: &mut String, face: &PlaneFace) {
    let points = row(face.points.as_flattened());
    let (texture, material, other) = (name(&face.texture), name(&face.material), name(&face.name));
    let (mapping, light) = (row(&face.mapping), row(&[face.ambient, face.albedo]));
    let (flags, number, flags2) = (face.flags.0, row(&[face.number]), face.flags2.0);
    let _ = writeln!(out, "p {points} {texture} {mapping} {flags} {light} {material} {other} {number} {flags2}");
}

fn mesh(out: &mut String, mesh: &Mesh) {
    for vertex in &mesh.vertices {
        let _ = writeln!(out, "v {}", row(vertex));
    }
    for face in &mesh.faces {
        let corners: Vec<String> = face.corners.iter().map(u32::to_string).collect();
        let uvs = row(face.uvs.as_deref().unwrap_or_default());
        let vectors = face.vectors.as_ref().map(|vectors| row(vectors.as_flattened())).unwrap_or_default();
        let mapping = face.mapping.as_ref().map(|mapping| row(&mapping[..])).unwrap_or_default();
        let (texture, material) = (name(&face.texture), name(&face.material));
        let (flags, light) = (face.flags.0, row(&[face.ambient, face.albedo]));
        let _ = writeln!(out, "f {}", corners.join(" "));
        let _ = writeln!(out, "  {texture} {uvs} {vectors} {mapping} {flags} {light} {material}");
    }
}

/// Prints an entity, in resolved maps with its object.
fn entity(out: &mut String, entity: &Entity, place: Option<&Object>) {
    if let (EntityKind::Level(level), Some(_)) = (&entity.kind, place) {
        let sun = row(&[level.azimuth, level.elevation]);
        let _ = writeln!(out, "level {} {} {} {sun}", entity.number, name(&level.wad), name(&level.palette));
        return;
    }
    let comment = if place.is_some() { "-".to_owned() } else { name(&entity.comment) };
    let _ = writeln!(out, "{} {} {comment}", entity.member_kind().word(), entity.number);
    if let (Some(place), false) = (place, matches!(entity.kind, EntityKind::Path(_))) {
        let _ = writeln!(out, " at {} {}", row(&place.position), row(&place.angles));
    }
    let line = match &entity.kind {
        EntityKind::Level(level) => {
            let (wad, palette, script) = (name(&level.wad), name(&level.palette), name(&level.script));
            let sun = row(&[level.azimuth, level.elevation]);
            let colours: String = level.colours.iter().map(|colour| format!("\n  {}", row(colour))).collect();
            format!("{wad} {palette} {} {sun} {script}{colours}", level.nexus)
        }
        EntityKind::Start(start) => name(&start.name),
        EntityKind::Light(light) => {
            format!("{} {} {}", row(&light.colour), row(&[light.range]), opt(light.flags.map(|flags| flags.0)))
        }
        EntityKind::Sound(sound) => format!("{} {} {}", name(&sound.file), sound.flags.0, row(&sound.numbers)),
        EntityKind::Model(model) => {
            let skills: Vec<f64> = model.skills.iter().map(|skill| *skill.get()).collect();
            let names = [&model.file, &model.name, &model.action].map(name).join(" ");
            let tail: String = model.tail.iter().map(|name| format!(" {}", self::name(name))).collect();
            let albedo = model.albedo.map_or_else(|| "None".to_owned(), |albedo| row(&[albedo]));
            let (scale, skills, ambient) = (row(&model.scale), row(&skills), row(&[model.ambient]));
            format!("{scale} {names} {skills} {} {ambient} {albedo}{tail}", model.flags.0)
        }
        EntityKind::Path(path) => self::path(path),
        EntityKind::Region(region) => name(&region.name),
        kind => panic!("{kind:?} is not compared yet"),
    };
    let lines: String = entity.lines.iter().map(|line| format!(" {}", name(line))).collect();
    let _ = writeln!(out, "  {line}{lines}");
}

fn path(path: &Path) -> String {
    let mut out = format!("{} {}", name(&path.name), row(&[path.number]));
    for node in &path.nodes {
        let _ = write!(out, "\n  points {}", row(&node.point));
    }
    // Files before A7 have none.
    if !path.edges.is_empty() {
        for node in &path.nodes {
            let _ = write!(out, "\n  skills {}", row(&node.skills));
        }
    }
    for edge in &path.edges {
        let [a, b, c] = edge.numbers;
        let _ = write!(out, "\n  edges {}", row(&[edge.from.into(), edge.to.into(), edge.weight, a, b, c]));
    }
    out
}

fn object(out: &mut String, object: &Object) {
    let members: String =
        object.members.iter().map(|member| format!(" {}:{}", member.kind.word(), member.number)).collect();
    let [position, angles, scale] = [object.position, object.angles, object.scale].map(|numbers| row(&numbers));
    let _ = writeln!(out, "object {} {} {position} {angles} {scale}{members}", object.number, name(&object.name));
}

fn row(numbers: &[f64]) -> String {
    numbers.iter().map(|number| format!("{:016x}", number.to_bits())).collect::<Vec<_>>().join(",")
}

fn opt(number: Option<u32>) -> String {
    number.map_or_else(|| "None".to_owned(), |number| number.to_string())
}

fn name(name: &Name) -> String {
    if name.is_empty() { "-".to_owned() } else { hex(name.as_bytes()) }
}

fn hex(bytes: &[u8]) -> String {
    mapwright_testkit::witness::hex(bytes)
}
