//! Resolved maps, compared with an independent decoder and with those of the editor.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use mapwright_testkit::corpus;
use mapwright_testkit::witness::ask;
use mapwright_wmp::resolve::{Resolved, ResolvedBlock, ResolvedEntity};
use mapwright_wmp::{Dialect, Document, EntityKind, Member, MemberKind, Name, Shape};

/// Compares our scenes with those of the decoder, and prints the differences: first with its tolerances for maps of different
/// generations, then without.
const SCRIPT: &str = r#"
import json, sys
sys.path.insert(0, sys.argv[1])
sys.setrecursionlimit(5000)
import wmp_dump
def near(a, b, tol=1e-6):
    if a in (None, "", "ndef") and b in (None, "", "ndef"):
        return True
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= tol * (1 + abs(b))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(near(x, y, tol) for x, y in zip(a, b))
    return a == b
for ours, file in zip(sys.argv[2::2], sys.argv[3::2]):
    try:
        theirs = wmp_dump.scene(wmp_dump.load(file)[1])
    except Exception as error:
        print("file", file, "refused", error)
        continue
    ours = json.load(open(ours))
    if "refused" in ours:
        print("file", file, "not read:", ours["refused"])
        continue
    counts, _, notes = wmp_dump.compare(ours, theirs)
    bad = {key: count for key, count in counts.items() if "differs" in key}
    if bad or counts["blocks_a"] != counts["blocks_b"] or counts["entities_a"] != counts["entities_b"]:
        print("file", file, dict(counts), notes[:3])
        continue
    exact = theirs["dialect"] != "a4"
    for a, b in zip(ours["blocks"], theirs["blocks"]):
        for key in ("id", "origin", "flags", "material"):
            if not near(a[key], b[key]):
                print("file", file, "block", b["id"], key, a[key], b[key])
        for i, (f, g) in enumerate(zip(a["faces"], b["faces"])):
            for key in ("tex", "uvec", "vvec", "flags", "uv", "plane") + (("poly",) if exact else ()):
                mine, other = f[key], g.get(key)
                if key == "flags":
                    other &= ~0x10000000
                if not near(mine, other):
                    print("file", file, "block", b["id"], "face", i, key, mine, other)
    for i, (a, b) in enumerate(zip(ours["entities"], theirs["entities"])):
        for key in b:
            if key != "angles" and not near(a.get(key), b[key]):
                print("file", file, "entity", i, b["kind"], key, a.get(key), b[key])
"#;

/// Returns the corpus maps, each with those that should agree with it.
fn maps() -> Option<Vec<(PathBuf, Vec<PathBuf>)>> {
    let folder = corpus("wmp")?;
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("the corpus has a list");
    let of = |line: &str| {
        let mut columns = line.split('\t');
        let (name, relation) = (columns.next()?, columns.nth(7)?);
        let pairs = relation.split("; ").filter_map(|relation| relation.strip_prefix("agrees:"));
        let is_map = !name.starts_with("wmb/") && !name.ends_with(".py");
        is_map.then(|| (folder.join(name), pairs.map(|pair| folder.join(pair)).collect()))
    };
    Some(manifest.lines().skip(1).filter_map(of).collect())
}

fn read(path: &Path) -> Result<Document, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Document::from_bytes(&bytes).map_err(|error| error.to_string())
}

#[test]
#[ignore = "needs the corpus"]
fn an_independent_decoder_resolves_corpus_maps_to_the_same() {
    let Some(maps) = maps() else { return };
    let folder = std::env::temp_dir().join(format!("mapwright-wmp-resolve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for what is compared");
    let mut pairs = Vec::new();
    for (number, (file, _)) in maps.iter().enumerate() {
        let json = match read(file) {
            Ok(map) => scene(&map),
            Err(error) => format!("{{\"refused\":{error:?}}}"),
        };
        let path = folder.join(format!("{number}.json"));
        std::fs::write(&path, json).expect("the folder is there");
        pairs.extend([path, file.clone()]);
    }
    let reported = ask(SCRIPT, &pairs);
    std::fs::remove_dir_all(&folder).expect("it was made above");
    let Some(reported) = reported else { return };
    let hostile = |line: &&str| line.contains("hostile_") || line.contains("other_");
    let reported: Vec<String> =
        reported.lines().filter(|line| !hostile(line)).map(|line| format!("{line:.300}")).collect();
    assert!(reported.is_empty(), "{} lines: {:#?}", reported.len(), reported.iter().take(40).collect::<Vec<_>>());
    assert!(maps.len() > 200, "{} maps", maps.len());
}

/// Prints a resolved map in the format of the decoder.
fn scene(map: &Document) -> String {
    let resolved = map.resolve();
    let mut out = format!("{{\"dialect\":{:?},\"blocks\":[", map.dialect.name());
    list(&mut out, &resolved.blocks, |out, block| self::block(out, map, block));
    out.push_str("],\"entities\":[");
    list(&mut out, &resolved.entities, |out, entity| self::entity(out, map, entity));
    out.push_str("]}");
    out
}

fn list<T>(out: &mut String, items: impl IntoIterator<Item = T>, mut one: impl FnMut(&mut String, T)) {
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        one(out, item);
    }
}

fn text(name: &Name) -> String {
    let mut out = String::from("\"");
    for byte in name.as_bytes() {
        let _ = write!(out, "\\u{byte:04x}");
    }
    out + "\""
}

fn block(out: &mut String, map: &Document, resolved: &ResolvedBlock) {
    let block = &map.blocks[resolved.block];
    let (origin, material) = (resolved.origin, text(&block.material));
    let _ = write!(out, "{{\"id\":{},\"origin\":{origin:?},\"flags\":{},", block.number, block.flags.0);
    let _ = write!(out, "\"material\":{material},\"faces\":[");
    list(out, resolved.faces.iter().enumerate(), |out, (at, face)| {
        let points: Vec<_> = face.corners.iter().map(|corner| resolved.vertices[*corner as usize]).collect();
        let null = || "null".to_owned();
        let ([u, v], texture) = match &face.texture {
            Some(texture) => (face.vectors.map(|vector| format!("{vector:?}")), text(texture)),
            None => ([null(), null()], null()),
        };
        let uvs = match &block.shape {
            Shape::Mesh(mesh) => mesh.faces[at].uvs.as_ref().map(|uvs| format!("{uvs:?}")),
            Shape::Planes(_) => None,
        };
        let plane = face.plane.map(|plane| format!("{plane:?}"));
        let (uvs, plane) = (uvs.unwrap_or_else(null), plane.unwrap_or_else(null));
        let _ = write!(out, "{{\"poly\":{points:?},\"uvec\":{u},\"vvec\":{v},\"tex\":{texture},");
        let _ = write!(out, "\"uv\":{uvs},\"plane\":{plane},\"flags\":{}}}", face.flags.0);
    });
    out.push_str("]}");
}

fn entity(out: &mut String, map: &Document, resolved: &ResolvedEntity) {
    let entity = &map.entities[resolved.entity];
    let position = resolved.nodes.first().copied().unwrap_or(resolved.position);
    let kind = entity.member_kind().word();
    let _ = write!(out, "{{\"kind\":{kind:?},\"name\":{},\"pos\":{position:?}", text(entity.name()));
    if !matches!(entity.kind, EntityKind::Path(_) | EntityKind::Region(_)) {
        let _ = write!(out, ",\"matrix\":{:?}", resolved.rotation.concat());
    }
    let _ = match &entity.kind {
        EntityKind::Model(model) => {
            let skills: Vec<f64> = model.skills.iter().map(|skill| *skill.get()).collect();
            let (file, action, flags) = (text(&model.file), text(&model.action), model.flags.0);
            let _ = write!(out, ",\"file\":{file},\"action\":{action},\"flags\":{flags}");
            write!(out, ",\"scale\":{:?},\"skills\":{skills:?}", resolved.scale)
        }
        EntityKind::Light(light) => {
            write!(out, ",\"rgb\":{:?},\"range\":{:?}", resolved.colour.unwrap_or_default(), light.range)
        }
        EntityKind::Sound(sound) => write!(out, ",\"file\":{},\"params\":{:?}", text(&sound.file), sound.numbers),
        EntityKind::Path(_) => write!(out, ",\"points\":{:?}", resolved.nodes),
        EntityKind::Region(region) => write!(out, ",\"box\":{:?}", [region.minimum, region.maximum].concat()),
        _ => Ok(()),
    };
    out.push('}');
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_maps_resolve_to_the_maps_of_the_editor() {
    let Some(maps) = maps() else { return };
    let (mut pairs, mut counts) = (0, Counts::default());
    for (file, others) in &maps {
        for other in others {
            let [map, made] = [file, other].map(|file| read(file).unwrap_or_else(|error| panic!("{file:?}: {error}")));
            // Each pair is listed twice.
            if made.dialect == Dialect::Resolved && map.dialect != Dialect::Resolved {
                pairs += 1;
                counts.compare(&file.display().to_string(), &map, &made);
            }
        }
    }
    assert!(pairs >= 31, "{pairs} pairs");
    // Textures that were missing when the editor resolved a map are the default texture.
    assert!(counts.faces > 3800 && counts.textures * 100 < counts.faces, "{counts:?}");
    assert!(counts.turns <= 1, "{counts:?}");
}

/// Counts of compared values and of differences.
#[derive(Debug, Default)]
struct Counts {
    faces: usize,
    textures: usize,
    turns: usize,
}

impl Counts {
    fn compare(&mut self, name: &str, map: &Document, made: &Document) {
        let [a, b]: [Resolved; 2] = [map.resolve(), made.resolve()];
        assert_eq!(a.blocks.len(), b.blocks.len(), "{name}");
        for (at, (a, b)) in a.blocks.iter().zip(&b.blocks).enumerate() {
            assert_eq!((a.vertices.len(), a.faces.len()), (b.vertices.len(), b.faces.len()), "{name} block {at}");
            assert!(a.vertices.iter().zip(&b.vertices).all(|(a, b)| near(a, b, 0.01)), "{name} block {at}");
            for (a, b) in a.faces.iter().zip(&b.faces) {
                self.faces += 1;
                let same = a.vectors.iter().zip(&b.vectors).all(|(a, b)| near(a, b, 0.01));
                self.textures += usize::from(!same);
            }
        }
        // Resolved maps have no regions.
        let is_region = |entity: &ResolvedEntity| map.entities[entity.entity].member_kind() == MemberKind::Region;
        let entities: Vec<_> = a.entities.iter().filter(|entity| !is_region(entity)).collect();
        assert_eq!(entities.len(), b.entities.len(), "{name}");
        for (a, b) in entities.into_iter().zip(&b.entities) {
            let [reported, other] = [&map.entities[a.entity], &made.entities[b.entity]];
            assert_eq!(reported.member_kind(), other.member_kind(), "{name}");
            let place = |entity: &ResolvedEntity| entity.nodes.first().copied().unwrap_or(entity.position);
            assert!(near(&place(a), &place(b), 0.01), "{name} {}", reported.name());
            if matches!(reported.kind, EntityKind::Model(_) | EntityKind::Start(_)) {
                self.turns += usize::from(!near(&a.rotation.concat(), &b.rotation.concat(), 0.003));
            }
        }
    }
}

fn near(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * (1.0 + b.abs() * 1e-3))
}

#[test]
fn cyclic_members_terminate() {
    let mut map = Document::new(Dialect::A7);
    map.objects[0].members.push(Member { kind: MemberKind::Object, number: 0 });
    assert_eq!(map.resolve(), Resolved { sun: map.resolve().sun, ..Resolved::default() });
}
