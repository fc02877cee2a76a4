//! Text maps of any content. Numbers have no more decimals than are printed.

use std::sync::Arc;

use mapwright_testkit::with_long_names;
use mapwright_wmp::io::FormattedNumber;
use mapwright_wmp::{
    Block, BlockFlags, Counts, Dialect, Document, Edge, Entity, EntityKind, Face, FaceFlags, Header, Level, Light,
    LightFlags, LineEnd, Member, MemberKind, Mesh, Model, ModelFlags, Name, Object, Path, PathNode, PlaneFace, Shape,
    Sound, SoundFlags, Start, TextureSource, Wed,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

/// Numbers with a number of decimals.
fn decimal(unit: f64) -> BoxedStrategy<f64> {
    prop_oneof![
        prop::sample::select(&[0.0, -0.0, 1.0, -1.0, 50.0, 123_456_789.0][..]),
        (-1_000_000_000..1_000_000_000_i64).prop_map(move |count| count as f64 / unit),
    ]
    .boxed()
}

fn numbers<const N: usize>() -> BoxedStrategy<[f64; N]> {
    vec(decimal(1e6), N).prop_map(|values| values.try_into().expect("N of them")).boxed()
}

/// Bytes of a name on a line of faces.
fn word() -> BoxedStrategy<Name> {
    let bytes = prop::sample::select(&b"ab019#*_+~.-:()[],<>/{}'\xFC\x00"[..]);
    with_long_names(prop_oneof![
        Just(Name::NONE),
        prop::sample::select(&["brick", "#default", "*water", "02___Default"][..]).prop_map(Name::from),
        vec(bytes, 1..16).prop_map(|bytes| if bytes.starts_with(b"//") { "x".into() } else { bytes.as_slice().into() }),
    ])
}

/// Bytes of a line. It begins with a letter, so that it is not a number, a bracket or a brace.
fn line() -> BoxedStrategy<Name> {
    let bytes = prop::sample::select(&b"ab01 ,.{}<>()/\t\xFC"[..]);
    with_long_names(prop_oneof![
        Just(Name::NONE),
        prop::sample::select(&["my guard.mdl", "player,idle", "pos_000"][..]).prop_map(Name::from),
        vec(bytes, 0..16).prop_map(|bytes| {
            let text = [b"n".as_slice(), bytes.trim_ascii_end()].concat();
            let is_cut = text.windows(3).any(|three| three[0].is_ascii_whitespace() && &three[1..] == b"//");
            if is_cut || text.ends_with(b"{") { "other".into() } else { text.as_slice().into() }
        }),
    ])
}

/// A file name: in brackets, or bare in resolved maps.
fn file(dialect: Dialect) -> BoxedStrategy<Name> {
    let bytes = prop::sample::select(&b"ab /\\.:{}<\t\xFC\r"[..]);
    let bracketed = with_long_names(vec(bytes, 1..16).prop_map(|bytes| Name::from(bytes.as_slice())));
    if dialect == Dialect::Resolved { line().boxed() } else { bracketed.boxed() }
}

fn shape(dialect: Dialect) -> BoxedStrategy<Shape> {
    if dialect == Dialect::A4 {
        return vec(plane(), 0..5).prop_map(Shape::Planes).boxed();
    }
    let faces = move |vertices: Vec<[f64; 3]>| {
        let count = u32::try_from(vertices.len()).expect("few");
        let faces = if count == 0 { Just(Vec::new()).boxed() } else { vec(face(count, dialect), 0..5).boxed() };
        faces.prop_map(move |faces| Shape::Mesh(Mesh { vertices: vertices.clone(), faces }))
    };
    vec(numbers(), 0..9).prop_flat_map(faces).boxed()
}

fn plane() -> BoxedStrategy<PlaneFace> {
    let look = (word(), vec(-500..500_i32, 3), vec(decimal(1e2), 2), any::<u32>(), numbers::<2>());
    ((numbers(), numbers(), numbers()), look, word(), word(), decimal(1e6), any::<u32>())
        .prop_map(|((a, b, c), (texture, offset, scale, flags, [ambient, albedo]), material, name, number, flags2)| {
            let [x, y, rotation] = [0, 1, 2].map(|index: usize| offset[index].into());
            PlaneFace {
                points: [a, b, c],
                texture,
                mapping: [x, y, rotation, scale[0], scale[1]],
                flags: FaceFlags(flags),
                ambient,
                albedo,
                material,
                name,
                number,
                flags2: FaceFlags(flags2),
            }
        })
        .boxed()
}

fn face(vertices: u32, dialect: Dialect) -> BoxedStrategy<Face> {
    let vectors = of((numbers::<4>(), numbers::<4>()).prop_map(|(u, v)| Arc::new([u, v])));
    let mapping = of(numbers::<5>().prop_map(Arc::new)).prop_map(move |mapping| match mapping {
        None if dialect != Dialect::Resolved => Some(Arc::new([0.0, 0.0, 0.0, 1.0, 1.0])),
        _ => mapping,
    });
    let uvs = of(vec(decimal(1e6), 0..7).prop_map(Vec::into_boxed_slice));
    (vec(0..vertices, 0..6), word(), uvs, vectors, mapping, any::<u32>(), numbers::<2>(), word())
        .prop_map(|(corners, texture, uvs, vectors, mapping, flags, [ambient, albedo], material)| Face {
            corners: corners.into(),
            texture,
            uvs,
            vectors,
            mapping,
            flags: FaceFlags(flags),
            ambient,
            albedo,
            material,
            ..Face::default()
        })
        .boxed()
}

fn block(dialect: Dialect) -> BoxedStrategy<Block> {
    (any::<u32>(), shape(dialect), any::<u32>(), line(), of(any::<u32>()))
        .prop_map(|(number, shape, flags, material, index)| Block {
            number,
            shape,
            flags: BlockFlags(flags),
            material,
            index,
            extra: Vec::new(),
        })
        .boxed()
}

fn colours(dialect: Dialect) -> BoxedStrategy<[f64; 3]> {
    let unit = if matches!(dialect, Dialect::A4 | Dialect::A5) { 1e8 } else { 1e6 };
    vec(decimal(unit), 3).prop_map(|values| values.try_into().expect("three")).boxed()
}

fn level(dialect: Dialect) -> BoxedStrategy<Level> {
    let sun = vec(decimal(if dialect == Dialect::A4 { 1e3 } else { 1e6 }), 2);
    let files = (file(dialect), file(dialect), file(dialect));
    (files, any::<i32>(), sun, vec(colours(dialect), 0..7))
        .prop_map(move |((wad, palette, script), nexus, sun, colours)| {
            let level = Level { wad, palette, azimuth: sun[0], elevation: sun[1], ..Level::default() };
            if dialect == Dialect::Resolved {
                Level { nexus: 0, colours: Vec::new(), ..level }
            } else {
                Level { nexus, script, colours, ..level }
            }
        })
        .boxed()
}

fn light(dialect: Dialect) -> BoxedStrategy<Light> {
    (colours(dialect), decimal(1e6), of(any::<u32>()))
        .prop_map(|(colour, range, flags)| Light { colour, range, flags: flags.map(LightFlags) })
        .boxed()
}

fn model(dialect: Dialect) -> BoxedStrategy<Model> {
    let skills = (vec(decimal(1e6), 20), any::<bool>(), any::<bool>()).prop_map(move |(mut skills, few, typed)| {
        skills.truncate(if few { 8 } else { 20 });
        let mut skills: Vec<FormattedNumber<f64>> = skills.into_iter().map(FormattedNumber::new).collect();
        if typed && dialect == Dialect::A4 {
            skills[0] = FormattedNumber::from_text(10.0, "010");
        }
        skills
    });
    let names = (file(dialect), line(), line());
    (numbers(), names, skills, any::<u32>(), numbers::<2>(), any::<bool>(), vec(line(), 0..6), any::<bool>())
        .prop_map(move |(scale, (file, name, action), skills, flags, [ambient, albedo], lit, tail, quoted)| {
            // The type of a resolved model determines the number of skills, and whether it has an albedo.
            let has_albedo = if dialect == Dialect::Resolved { skills.len() == 20 } else { lit };
            Model {
                scale,
                file,
                name,
                action,
                skills: Arc::new(skills),
                flags: ModelFlags(flags),
                ambient,
                albedo: has_albedo.then_some(albedo),
                tail,
                media: None,
                flag_digits: quoted.then_some(32),
            }
        })
        .boxed()
}

fn path(dialect: Dialect) -> BoxedStrategy<Path> {
    let old = matches!(dialect, Dialect::A4 | Dialect::A5);
    let node = (numbers(), numbers()).prop_map(|(point, skills)| PathNode { point, skills });
    let edge = (any::<u32>(), any::<u32>(), decimal(1e6), numbers()).prop_map(|(from, to, weight, numbers)| Edge {
        from,
        to,
        weight,
        numbers,
    });
    (line(), decimal(1e6), vec(node, 0..4), vec(edge, 0..3))
        .prop_map(move |(name, number, mut nodes, edges)| {
            if old {
                nodes.iter_mut().for_each(|node| node.skills = [0.0; 6]);
                Path { name, number, nodes, edges: Vec::new(), word_04: 0 }
            } else {
                Path { name, number: 0.0, nodes, edges, word_04: 0 }
            }
        })
        .boxed()
}

/// An entity other than the level.
fn any_entity(dialect: Dialect) -> BoxedStrategy<Entity> {
    let sound = (file(dialect), any::<u32>(), numbers()).prop_map(|(file, flags, numbers)| Sound {
        file,
        flags: SoundFlags(flags),
        numbers,
    });
    let kind = prop_oneof![
        line().prop_map(|name| EntityKind::Start(Start { name, word_04: 0 })),
        light(dialect).prop_map(EntityKind::Light),
        sound.prop_map(EntityKind::Sound),
        model(dialect).prop_map(EntityKind::Model),
        path(dialect).prop_map(EntityKind::Path),
    ];
    (any::<u32>(), line(), kind, vec(line(), 0..3))
        .prop_map(|(number, comment, kind, lines)| {
            let lines = match &kind {
                // Lines after the names would be read as names.
                EntityKind::Model(model) if model.tail.len() < 5 => Vec::new(),
                _ => lines,
            };
            Entity { comment, lines, ..Entity::new(number, kind) }
        })
        .boxed()
}

fn object() -> BoxedStrategy<Object> {
    let member = (prop::sample::select(&MemberKind::ALL[..]), any::<u32>());
    let members = vec(member.prop_map(|(kind, number)| Member { kind, number }), 0..25);
    (any::<u32>(), line(), numbers(), numbers(), numbers(), members, any::<bool>())
        .prop_map(|(number, name, position, angles, scale, mut members, sorted)| {
            if sorted {
                members.sort_by_key(|member| member.kind);
            }
            Object { name, position, angles, scale, members: members.into(), ..Object::new(number) }
        })
        .boxed()
}

fn sources() -> BoxedStrategy<Vec<TextureSource>> {
    let source = (file(Dialect::A7), any::<u32>()).prop_map(|(path, enabled)| TextureSource { path, enabled });
    vec(source, 0..3).boxed()
}

fn wed() -> BoxedStrategy<Wed> {
    let wads = of((prop_oneof![Just("0 0 0 0 0".into()), Just(Name::NONE)], sources()));
    (of(vec(any::<u8>(), 0..100)), wads, sources(), of(vec(line(), 0..8)), of(vec(line(), 0..5)))
        .prop_map(|(palette, wads, folders, bookmarks, views)| {
            let (wad_head, wads) = wads.map_or((None, Vec::new()), |(head, wads)| (Some(head), wads));
            Wed { palette, wad_head, wads, folders, bookmarks, views, extra: Vec::new() }
        })
        .boxed()
}

fn header(dialect: Dialect) -> BoxedStrategy<Header> {
    let generators = match dialect {
        Dialect::Resolved => &["", "wmpio (1.30)", "Wed (6.731.01)", "by hand, of course"][..],
        _ => &["", "ACKWED V 4.52", "WMPIO V 1.30"][..],
    };
    let counts = any::<[u32; 3]>().prop_map(|[blocks, entities, objects]| Counts { blocks, entities, objects });
    (prop::sample::select(generators), prop::sample::select(&["", "31.07.2001"][..]), of(counts))
        .prop_map(move |(generator, created, counts)| {
            let is_resolved = dialect == Dialect::Resolved;
            let created = if is_resolved && generator.is_empty() { "" } else { created };
            let counts = counts.filter(|_| !is_resolved);
            Header { generator: generator.into(), created: created.into(), counts, ..Header::default() }
        })
        .boxed()
}

/// Any map in text.
pub(crate) fn document() -> BoxedStrategy<Document> {
    dialect().prop_flat_map(document_of_dialect).boxed()
}

/// Two maps of one dialect.
pub(crate) fn pair() -> BoxedStrategy<(Document, Document)> {
    dialect().prop_flat_map(|dialect| (document_of_dialect(dialect), document_of_dialect(dialect))).boxed()
}

fn dialect() -> BoxedStrategy<Dialect> {
    prop::sample::select(&[Dialect::A4, Dialect::A5, Dialect::A7, Dialect::Resolved][..]).boxed()
}

fn document_of_dialect(dialect: Dialect) -> BoxedStrategy<Document> {
    let parts =
        (vec(block(dialect), 0..4), of((line(), level(dialect))), vec(any_entity(dialect), 0..5), vec(object(), 0..5));
    (any::<bool>(), header(dialect), of(wed()), parts)
        .prop_map(move |(windows, header, wed, (mut blocks, level, others, mut objects))| {
            let mut entities = Vec::new();
            if let Some((comment, level)) = level {
                entities.push(Entity { comment, ..Entity::new(0, EntityKind::Level(level)) });
            } else if dialect == Dialect::Resolved {
                blocks.clear();
            }
            entities.extend(others);
            if dialect == Dialect::Resolved {
                objects = placed(&mut blocks, &mut entities, &objects);
            }
            let mut document = Document::new(dialect);
            document.line_end = if windows { LineEnd::Crlf } else { LineEnd::Lf };
            document.header = header.into();
            document.wed = wed.filter(|_| dialect != Dialect::Resolved).map(Into::into);
            document.blocks = blocks.into_iter().map(Into::into).collect();
            document.entities = entities.into_iter().map(Into::into).collect();
            document.objects = objects.into_iter().map(Into::into).collect();
            document
        })
        .boxed()
}

/// Numbers blocks and entities of a resolved map, and gives each an object.
fn placed(blocks: &mut [Block], entities: &mut [Entity], places: &[Object]) -> Vec<Object> {
    let mut objects = vec![Object::new(0)];
    let mut place = |kind, number: u32, object: Object| {
        let next = u32::try_from(objects.len()).expect("few");
        objects[0].members.push(Member { kind: MemberKind::Object, number: next });
        objects.push(Object { number: next, members: vec![Member { kind, number }].into(), ..object });
    };
    for (number, block) in (0..).zip(blocks) {
        block.number = number;
        place(MemberKind::Block, number, Object::new(0));
    }
    let mut level = None;
    for (number, entity) in (0..).zip(entities) {
        entity.number = number;
        let mut object = Object::new(0);
        if let Some(place) = places.get(number as usize) {
            (object.position, object.angles) = (place.position, place.angles);
        }
        match &entity.kind {
            EntityKind::Level(_) => {
                level = Some(Member { kind: MemberKind::Level, number });
                continue;
            }
            EntityKind::Path(_) => object = Object::new(0),
            EntityKind::Model(model) => object.scale = model.scale,
            _ => {}
        }
        place(entity.member_kind(), number, object);
    }
    objects[0].members.extend(level);
    objects
}
