//! Binary maps of any content.

use std::sync::Arc;

use mapwright_testkit::with_long_names;
use mapwright_wmp::io::FormattedNumber;
use mapwright_wmp::{
    Block, BlockFlags, Chunk, Counts, Dialect, Document, Edge, Entity, EntityKind, Face, FaceFlags, Header, Level,
    Light, LightFlags, LineEnd, Member, MemberKind, Members, Mesh, Model, ModelFlags, Name, Object, Part, Path,
    PathNode, Region, Shape, Sound, SoundFlags, Start, TextureSource, Wed,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

/// Numbers, including those that are easily lost.
fn number() -> BoxedStrategy<f64> {
    prop_oneof![
        prop::sample::select(&[0.0, -0.0, 1.0, 0.1, f64::INFINITY, f64::MIN_POSITIVE, 1e300, 5_279.414_062_5][..]),
        -1e5..1e5,
    ]
    .boxed()
}

/// Numbers of single precision.
fn single() -> BoxedStrategy<f64> {
    prop_oneof![Just(-0.0_f32), Just(0.1), Just(f32::MAX), -1e5_f32..1e5].prop_map(f64::from).boxed()
}

fn numbers<const N: usize>() -> BoxedStrategy<[f64; N]> {
    vec(number(), N).prop_map(|values| values.try_into().expect("N of them")).boxed()
}

fn colour() -> BoxedStrategy<[f64; 3]> {
    any::<[u8; 3]>().prop_map(|colour| colour.map(f64::from)).boxed()
}

/// Bytes without a NUL. May be empty.
fn name() -> BoxedStrategy<Name> {
    with_long_names(prop_oneof![
        Just(Name::NONE),
        prop::sample::select(&["brick wall", "my guard.mdl", "a.wmb", "x.TGA", "ndef", "R\u{fc}stung.mdl"][..])
            .prop_map(Name::from),
        vec(1..=255_u8, 1..20).prop_map(|bytes| bytes.as_slice().into()),
    ])
}

/// An unknown chunk as the last among its siblings.
fn extra() -> BoxedStrategy<Vec<Chunk>> {
    let chunk = vec(any::<u8>(), 0..9).prop_map(|body| {
        let size = u32::try_from(body.len() + 8).expect("short").to_le_bytes();
        let bytes = [&[0x42, 1, 2, 0][..], &size, &body].concat();
        vec![Chunk { index: 0, bytes }]
    });
    prop_oneof![4 => Just(Vec::new()), 1 => chunk].boxed()
}

fn face(vertices: u32) -> BoxedStrategy<Face> {
    let corners = vec(0..vertices, 3..7);
    let look = (
        name(),
        of(vec(number(), 3).prop_map(|mut uvs| {
            uvs.extend_from_within(..);
            uvs.into_boxed_slice()
        })),
        of((numbers(), numbers()).prop_map(|(u, v)| Arc::new([u, v]))),
        of(numbers().prop_map(Arc::new)),
        any::<u32>().prop_map(FaceFlags),
        single(),
        single(),
        extra(),
    );
    (corners, of(look))
        .prop_map(|(corners, look)| match look {
            None => Face { corners: corners.into(), bare: true, ..Face::default() },
            Some((texture, uvs, vectors, mapping, flags, ambient, albedo, extra)) => Face {
                corners: corners.into(),
                texture,
                uvs,
                vectors,
                mapping,
                flags,
                ambient,
                albedo,
                material: Name::NONE,
                bare: false,
                extra: extra.into(),
            },
        })
        .boxed()
}

fn block() -> BoxedStrategy<Block> {
    let mesh = vec(numbers::<3>(), 1..9).prop_flat_map(|vertices| {
        let count = u32::try_from(vertices.len()).expect("few");
        (Just(vertices), vec(face(count), 0..5)).prop_map(|(vertices, faces)| Mesh { vertices, faces })
    });
    (mesh, any::<u32>(), name(), any::<u32>(), extra())
        .prop_map(|(mesh, flags, material, index, extra)| Block {
            number: 0,
            shape: Shape::Mesh(mesh),
            flags: BlockFlags(flags),
            material,
            index: Some(index),
            extra,
        })
        .boxed()
}

fn level() -> BoxedStrategy<Level> {
    (name(), name(), any::<i32>(), single(), single(), vec(colour(), 6), any::<u32>())
        .prop_map(|(palette, script, nexus, azimuth, elevation, colours, word_04)| Level {
            wad: Name::NONE,
            palette,
            nexus,
            azimuth,
            elevation,
            script,
            colours,
            word_04,
        })
        .boxed()
}

fn model() -> BoxedStrategy<Model> {
    let skills = prop_oneof![vec(number(), 8), vec(number(), 20), vec(number(), 0..4)];
    let tail = vec(name(), 0..6).prop_map(|mut tail: Vec<Name>| {
        while tail.last().is_some_and(Name::is_empty) {
            tail.pop();
        }
        tail
    });
    // No real media number, so that it never follows from the file name.
    let media = of((0x1000..u32::MAX).prop_map(|media| media & !0xFF));
    (name(), name(), name(), skills, any::<u32>(), single(), single(), tail, media)
        .prop_map(|(file, name, action, skills, flags, ambient, albedo, tail, media)| Model {
            scale: [1.0; 3],
            file,
            name,
            action,
            skills: Arc::new(skills.into_iter().map(FormattedNumber::new).collect()),
            flags: ModelFlags(flags),
            ambient,
            albedo: Some(albedo),
            tail,
            media,
            flag_digits: None,
        })
        .boxed()
}

fn path() -> BoxedStrategy<Path> {
    let node = (numbers(), numbers()).prop_map(|(point, skills)| PathNode { point, skills });
    let edge = (any::<u32>(), any::<u32>(), number(), numbers()).prop_map(|(from, to, weight, numbers)| Edge {
        from,
        to,
        weight,
        numbers,
    });
    (name(), vec(node, 0..4), vec(edge, 0..3), any::<u32>())
        .prop_map(|(name, nodes, edges, word_04)| Path { name, number: 0.0, nodes, edges, word_04 })
        .boxed()
}

fn entity() -> BoxedStrategy<Entity> {
    let sound = (name(), any::<u32>(), any::<[u32; 4]>()).prop_map(|(file, flags, numbers)| Sound {
        file,
        flags: SoundFlags(flags),
        numbers: numbers.map(f64::from),
    });
    let light = (any::<[u32; 3]>(), single(), any::<u32>()).prop_map(|(colour, range, flags)| Light {
        colour: colour.map(f64::from),
        range,
        flags: Some(LightFlags(flags)),
    });
    let region = (name(), numbers(), numbers(), any::<u32>()).prop_map(|(name, minimum, maximum, word_04)| Region {
        name,
        minimum,
        maximum,
        word_04,
    });
    let kind = prop_oneof![
        level().prop_map(EntityKind::Level),
        (name(), any::<u32>()).prop_map(|(name, word_04)| EntityKind::Start(Start { name, word_04 })),
        light.prop_map(EntityKind::Light),
        sound.prop_map(EntityKind::Sound),
        model().prop_map(EntityKind::Model),
        path().prop_map(EntityKind::Path),
        region.prop_map(EntityKind::Region),
    ];
    (kind, extra()).prop_map(|(kind, extra)| Entity { extra, ..Entity::new(0, kind) }).boxed()
}

/// Head and contents of an object.
#[derive(Debug, Clone)]
struct Node {
    object: Object,
    held: Option<Held>,
    nodes: Vec<Self>,
}

#[derive(Debug, Clone)]
enum Held {
    Block(Block),
    Entity(Entity),
}

fn object() -> BoxedStrategy<Object> {
    // No real kind, so that it never follows from the contents.
    let kind = of(0x1000_u16..);
    (name(), numbers(), numbers(), numbers(), kind, any::<u32>(), extra())
        .prop_map(|(name, position, angles, scale, kind, word_04, extra)| Object {
            number: 0,
            name,
            position,
            angles,
            scale,
            members: Members::new(),
            kind,
            word_04,
            extra,
        })
        .boxed()
}

fn tree() -> BoxedStrategy<Node> {
    let held = || {
        prop_oneof![
            Just(None),
            block().prop_map(|block| Some(Held::Block(block))),
            entity().prop_map(|entity| Some(Held::Entity(entity)))
        ]
    };
    let leaf = (object(), held()).prop_map(|(object, held)| Node { object, held, nodes: Vec::new() });
    leaf.prop_recursive(4, 12, 4, move |node| {
        (object(), held(), vec(node, 0..4)).prop_map(|(object, held, nodes)| Node { object, held, nodes })
    })
    .boxed()
}

fn number_of<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("few")
}

fn add_node(node: Node, document: &mut Document) {
    let Node { mut object, held, nodes } = node;
    let number = number_of(&document.objects);
    object.number = number;
    let held = held.map(|held| match held {
        Held::Block(mut block) => {
            block.number = number_of(&document.blocks);
            document.blocks.push(Part::new(block));
            Member { kind: MemberKind::Block, number: number_of(&document.blocks) - 1 }
        }
        Held::Entity(mut entity) => {
            entity.number = number_of(&document.entities);
            if let EntityKind::Model(model) = &mut entity.kind {
                model.scale = object.scale;
            }
            let kind = entity.member_kind();
            document.entities.push(Part::new(entity));
            Member { kind, number: number_of(&document.entities) - 1 }
        }
    });
    document.objects.push(Part::new(object));
    let mut members = Vec::new();
    for node in nodes {
        members.push(Member { kind: MemberKind::Object, number: number_of(&document.objects) });
        add_node(node, document);
    }
    members.extend(held);
    document.objects[number as usize].members = members.into();
}

/// Binary maps that can be written.
pub(crate) fn document() -> BoxedStrategy<Document> {
    let header = (name(), name(), any::<[u32; 3]>(), any::<[u32; 3]>(), extra(), extra()).prop_filter_map(
        "a day with a comma ends there",
        |(generator, created, counts, words, extra, around)| {
            let [blocks, entities, objects] = counts;
            let counts = Some(Counts { blocks, entities, objects });
            let comma = created.as_bytes().windows(2).any(|bytes| bytes == b", ") || created.as_bytes().ends_with(b",");
            (!comma).then_some(Header { generator, created, counts, words, extra, around })
        },
    );
    let source = || vec(name().prop_map(|path| TextureSource { path, enabled: 1 }), 0..3).prop_map(named);
    let wed = of((of(vec(any::<u8>(), 768)), source(), source(), extra())
        .prop_map(|(palette, wads, folders, extra)| Wed { palette, wads, folders, extra, ..Wed::default() }));
    (header, wed, tree())
        .prop_map(|(header, wed, root)| {
            let mut document = Document::new(Dialect::Binary);
            document.line_end = LineEnd::Crlf;
            document.header = Part::new(header);
            document.wed = wed.map(Part::new);
            document.entities.clear();
            document.objects.clear();
            add_node(root, &mut document);
            document
        })
        .boxed()
}

/// Removes sources without a path.
fn named(mut sources: Vec<TextureSource>) -> Vec<TextureSource> {
    sources.retain(|source| !source.path.is_empty());
    sources
}
