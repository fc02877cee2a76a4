//! L7: an independent reader in another language reads the same maps.

use crate::maps;

use maps::{folder, maps};
use mapwright_testkit::witness::{ask, hex};
use mapwright_vmap::dmx::Value;
use mapwright_vmap::{Document, Entity, HiddenFlags, MapMesh, Node};

/// Prints nodes with transforms, keys, outputs and meshes; hidden nodes, variables and the list of assets.
const SCRIPT: &str = r"
import struct, sys
sys.path.insert(0, sys.argv[1])
import dmx_dump, vmap_check
from vmap_check import View

def bits(view, name):
    if not view.has(name):
        return '-'
    raw = view.a[name][2]
    return raw.hex() if isinstance(raw, bytes) else '-'

def strings(view):
    return [(n, x) for n, t, arr, x in view.e.attrs if t == 'string' and not arr]

for file in sys.argv[2:]:
    print('file', file)
    data = open(file, 'rb').read()
    doc = dmx_dump.load(data)
    if doc.is_text:
        doc = dmx_dump.load(dmx_dump.text_to_binary(data))
    root = View(doc, 0)
    stack, seen = [(root.ref('world'), 0)], set()
    while stack:
        node, depth = stack.pop()
        if node.i in seen:
            continue
        seen.add(node.i)
        print(depth, node.ints('nodeID'), node.cls, node.e.name.hex(), bits(node, 'origin'), bits(node, 'angles'), bits(node, 'scales'))
        if node.has('entity_properties') and node.ref('entity_properties'):
            for name, value in strings(node.ref('entity_properties')):
                print(' key', name.hex(), value.hex())
        for out in node.refs('connectionsData') if node.has('connectionsData') else []:
            print(' output', ' '.join(value.hex() for _, value in strings(out)), out.ints('timesToFire'))
        if node.has('meshData') and node.ref('meshData'):
            mesh = node.ref('meshData')
            print(' mesh', len(mesh.ints('vertexEdgeIndices')), len(mesh.ints('faceEdgeIndices')), len(mesh.texts('materials')))
        if node.has('target') and node.ref('target'):
            print(' target', node.ref('target').ints('nodeID'))
        for name, value in zip(*[node.a[n][2] for n in ('variableTargetKeys', 'variableNames')]):
            print(' binding', name.hex(), value.hex())
        stack.extend((child, depth + 1) for child in reversed(node.refs('children')))
    vis = root.ref('visbility')
    entries = [x for x in zip(vis.a['nodes'][2], vis.ints('hiddenFlags')) if x[1]]
    print('hidden', ' '.join('%s' % (flag if isinstance(x, tuple) else '%d:%d' % (View(doc, x).ints('nodeID'), flag)) for x, flag in entries))
    variables = root.ref('mapVariables')
    for name, value in zip(variables.a['variableNames'][2], variables.a['variableValues'][2]):
        print('variable', name.hex(), value.hex())
    for block in doc.prefix:
        for name, _, _, x in block:
            if name == b'map_asset_references':
                print('asset', ' '.join(path.hex() for path in x))
";

fn vector(node: Node<'_>, name: &str) -> String {
    node.element().vector3(name).map_or_else(|| "-".to_owned(), |three| hex(&three.map(f32::to_le_bytes).concat()))
}

fn dump(map: &Document) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    for visit in map.nodes() {
        let node = visit.node;
        let class = node.class().escape_ascii();
        let [origin, angles, scales] = ["origin", "angles", "scales"].map(|name| vector(node, name));
        let number = node.node_id().unwrap();
        line(format!("{} {number} {class} {} {origin} {angles} {scales}", visit.depth, hex(node.name())));
        for (key, value) in node.entity().into_iter().flat_map(Entity::keys) {
            line(format!(" key {} {}", hex(key), hex(value)));
        }
        for output in node.connections() {
            let texts = [output.output(), output.target(), output.input(), output.parameter()].map(hex);
            line(format!(" output {} {}", texts.join(" "), output.times_to_fire()));
        }
        if let Some(data) = node.mesh().and_then(MapMesh::data) {
            let length = |name| data.get(name).and_then(Value::array_len).unwrap();
            let materials = node.mesh().unwrap().materials().len();
            line(format!(" mesh {} {} {materials}", length("vertexEdgeIndices"), length("faceEdgeIndices")));
        }
        if let Some(target) = node.element().child("target") {
            line(format!(" target {}", target.int("nodeID").unwrap()));
        }
        for binding in node.bindings() {
            line(format!(" binding {} {}", hex(binding.key), hex(binding.variable)));
        }
    }
    let visibility = map.visibility().unwrap();
    let entries = visibility.entries().filter(|(_, flags)| *flags != HiddenFlags::VISIBLE).map(|(entry, flags)| {
        let node = match entry {
            mapwright_vmap::dmx::Reference::Element(id) => map.node(id).unwrap(),
            _ => return flags.0.to_string(),
        };
        format!("{}:{}", node.node_id().unwrap(), flags.0)
    });
    line(format!("hidden {}", entries.collect::<Vec<_>>().join(" ")));
    for variable in map.variables().unwrap().iter() {
        line(format!("variable {} {}", hex(variable.name), hex(variable.value)));
    }
    if map.graph().prefix_value("map_asset_references").is_some() {
        line(format!("asset {}", map.asset_references().map(hex).collect::<Vec<_>>().join(" ")));
    }
    out
}

#[test]
#[ignore = "needs the corpus"]
fn an_independent_reader_agrees_on_the_corpus() {
    let all = maps();
    let Some(corpus) = folder() else { return };
    let files: Vec<_> = all.iter().map(|(name, ..)| corpus.join(name)).collect();
    let Some(text) = ask(SCRIPT, &files) else { return };
    let sections: Vec<&str> = text.split("file /").skip(1).collect();
    assert_eq!(sections.len(), all.len());
    for (section, (name, map, _)) in sections.iter().zip(&all) {
        let (_, expected) = section.split_once('\n').unwrap();
        let found = dump(map);
        for (expected, found) in expected.lines().map(str::trim_end).zip(found.lines()) {
            assert_eq!(expected, found, "{name}");
        }
        assert_eq!(expected.lines().count(), found.lines().count(), "{name}");
    }
}
