//! Models with every construct of the format, including unusual ones.

use mapwright_etf::{Builder, Tree, WriterProfile};
use mapwright_testkit::with_long_names;
use mapwright_wings::{
    Edge, Extra, ExtraList, Image, ImageSource, Light, Material, MaterialEntry, Model, Name, Object, ObjectState,
    PropList, SelectMode, Selection, Shape, View, Wing, WingedMesh,
};
use proptest::prelude::*;

fn tree(make: impl FnOnce(&mut Builder)) -> Tree {
    let mut term = Builder::new(WriterProfile::Otp17);
    make(&mut term);
    term.finish().expect("a term")
}

fn finite() -> BoxedStrategy<f64> {
    prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(5e-324),
        Just(f64::MAX),
        any::<f64>().prop_filter("finite", |value| value.is_finite()),
        -1000.0..1000.0,
    ]
    .boxed()
}

fn channel() -> BoxedStrategy<f32> {
    prop_oneof![Just(0.0), Just(1.0), any::<f32>().prop_filter("finite", |value| value.is_finite())].boxed()
}

/// Usual names: ASCII, Latin-1, beyond, empty, and rarely with 70,000 letters.
pub(crate) fn name() -> BoxedStrategy<Name> {
    with_long_names::<String>(short_name()).prop_map(Name::from).boxed()
}

/// Names of materials are atoms, which have at most 255 characters.
fn material_name() -> BoxedStrategy<Name> {
    short_name().prop_map(Name::from).boxed()
}

fn short_name() -> BoxedStrategy<String> {
    prop_oneof!["[a-z]{0,8}", "[ -~]{1,12}", "[à-ÿ]{1,4}", any::<char>().prop_map(String::from), "\\PC{0,8}"].boxed()
}

/// A term without a meaning in the format.
fn unknown() -> BoxedStrategy<Tree> {
    prop_oneof![
        "[a-z]{1,6}".prop_map(|name| tree(|term| term.atom(&name))),
        any::<i64>().prop_map(|value| tree(|term| term.integer(value))),
        finite().prop_map(|value| tree(|term| term.float(value))),
        // Shorter than 24 bytes, which would be a position.
        prop::collection::vec(any::<u8>(), 0..20).prop_map(|bytes| tree(|term| term.binary(&bytes))),
        ("[a-z]{1,6}", any::<i64>()).prop_map(|(key, value)| tree(|term| {
            term.tuple(2);
            term.atom(&format!("x_{key}"));
            term.integer(value);
        })),
        prop::collection::vec(any::<u8>(), 0..5).prop_map(|bytes| tree(|term| {
            term.begin_list();
            bytes.iter().for_each(|&byte| term.integer(byte.into()));
            term.end_list();
        })),
    ]
    .boxed()
}

fn wing() -> BoxedStrategy<Wing> {
    let uv = prop::option::of([finite(), finite()]);
    let color = prop::option::of([channel(), channel(), channel()]);
    (any::<[u32; 3]>(), uv, color)
        .prop_map(|([face, predecessor, successor], uv, color)| Wing { face, predecessor, successor, uv, color })
        .boxed()
}

fn edge() -> BoxedStrategy<Edge> {
    (any::<[u32; 2]>(), wing(), wing()).prop_map(|([start, end], left, right)| Edge { start, end, left, right }).boxed()
}

/// Any lists. The writer accepts inconsistent objects; the tests of winged edges cover consistent ones.
pub(crate) fn mesh() -> BoxedStrategy<WingedMesh> {
    let edges = prop::collection::vec(edge(), 0..6);
    let faces = prop::collection::vec(prop::option::of(material_name()), 0..5);
    let vertices = prop::collection::vec([finite(), finite(), finite()], 0..5);
    let hard = prop::collection::vec(prop_oneof![0..20_u32, any::<u32>()], 0..4);
    let extras = prop::collection::vec((0..4_usize, 0..8_usize, unknown()), 0..3);
    (edges, faces, vertices, hard, extras)
        .prop_map(|(edges, faces, vertices, hard_edges, extras)| {
            let mut mesh = WingedMesh { edges, faces, vertices, hard_edges, extras: Vec::new() };
            for (list, index, term) in extras {
                let (list, length) = [
                    (ExtraList::Edge, mesh.edges.len()),
                    (ExtraList::Face, mesh.faces.len()),
                    (ExtraList::Vertex, mesh.vertices.len()),
                    (ExtraList::HardEdge, 0),
                ][list];
                let fits = index < length && mesh.extras.iter().all(|extra| extra.list <= list);
                // Integers among hard edges are hard edges. Another term keeps its index in lists that are long enough.
                let place = |extra: &Extra| extra.list == list && extra.index as usize == index;
                let unknown = mesh.extras.iter().filter(|extra| extra.list == ExtraList::HardEdge).count();
                let is_hard_edge = list == ExtraList::HardEdge
                    && term.root().as_i64().is_none()
                    && index <= mesh.hard_edges.len() + unknown
                    && !mesh.extras.iter().any(place);
                if is_hard_edge || fits {
                    mesh.extras.push(Extra { list, index: u32::try_from(index).expect("small"), term });
                }
            }
            mesh.extras.sort_by_key(|extra| (extra.list, extra.index));
            mesh
        })
        .boxed()
}

fn state() -> BoxedStrategy<ObjectState> {
    let mode =
        prop_oneof![Just(SelectMode::Vertex), Just(SelectMode::Edge), Just(SelectMode::Face), Just(SelectMode::Body)];
    prop_oneof![
        Just(ObjectState::Normal),
        Just(ObjectState::Locked),
        Just(ObjectState::Hidden),
        Just(ObjectState::HiddenLocked),
        (mode, prop::collection::vec(0..500_i64, 0..4))
            .prop_map(|(mode, elements)| ObjectState::HiddenSelected { mode, elements }),
    ]
    .boxed()
}

fn object() -> BoxedStrategy<Object> {
    let props = (
        prop::option::of(with_long_names::<String>("[a-z ]{1,8}")),
        0..5_u32,
        prop::option::of(0..9_u32),
        state(),
        prop::option::of(unknown()),
    );
    (name(), mesh(), props)
        .prop_map(|(name, mesh, (folder, hidden, mirror, state, unknown))| {
            let mut object = Object::new(name, mesh);
            if let Some(folder) = folder {
                object.set_folder(Some(&folder)).expect("a folder");
            }
            object.set_hidden_faces(hidden, &(0..hidden).step_by(2).collect::<Vec<_>>()).expect("faces");
            object.set_mirror_face(mirror).expect("a face");
            object.set_state(&state).expect("a state");
            object.props.items.extend(unknown);
            object
        })
        .boxed()
}

fn material() -> BoxedStrategy<Material> {
    let color = [finite(), finite(), finite(), finite()];
    (material_name(), color, finite(), prop::option::of(0..9_i64), prop::option::of(unknown()))
        .prop_map(|(name, color, number, image, unknown)| {
            let mut material = Material::new(name);
            material.set_color("diffuse", color).expect("a colour");
            material.set_number("metallic", number).expect("a number");
            if let Some(image) = image {
                material.set_maps(&[("diffuse", image), ("normal", 300)]).expect("maps");
            }
            material.props.items.extend(unknown);
            material
        })
        .boxed()
}

fn image() -> BoxedStrategy<Image> {
    let embedded =
        (1..4_u32, 1..4_u32, prop::sample::select(vec![1_u8, 2, 3, 4])).prop_map(|(width, height, samples)| {
            let pixels = vec![7; (width * height * u32::from(samples)) as usize];
            ImageSource::Embedded { width, height, samples, mask_size: (samples == 4).then_some(1), pixels }
        });
    let external = with_long_names::<String>("[a-z:/\\\\]{1,12}").prop_map(|path| ImageSource::External { path });
    (0..999_i64, with_long_names::<String>("[a-z]{0,8}"), prop_oneof![embedded, external])
        .prop_map(|(id, name, source)| Image::new(id, &name, &source).expect("an image"))
        .boxed()
}

fn light() -> BoxedStrategy<Light> {
    let kind = prop::sample::select(vec!["ambient", "infinite", "point", "spot", "area", "zzz"]);
    (name(), kind, [finite(), finite(), finite()], any::<bool>())
        .prop_map(|(name, kind, position, flag)| {
            let mut opengl = PropList::default();
            opengl.set("type", &tree(|term| term.atom(kind))).expect("a type");
            let position = tree(|term| {
                term.tuple(3);
                position.into_iter().for_each(|x| term.float(x));
            });
            opengl.set("position", &position).expect("a position");
            let mut light = Light::new(name);
            light.set_properties(flag, !flag, &opengl).expect("a light");
            light
        })
        .boxed()
}

fn view() -> BoxedStrategy<View> {
    (name(), finite())
        .prop_map(|(name, azimuth)| {
            let mut props = PropList::default();
            props.set("name", &tree(|term| term.text(name.as_str()))).expect("a name");
            props.set("azimuth", &tree(|term| term.float(azimuth))).expect("an angle");
            View { props }
        })
        .boxed()
}

fn selection() -> BoxedStrategy<Selection> {
    let mode = prop::sample::select(vec!["vertex", "edge", "face", "body", "zzz"]);
    let members = prop::collection::vec((0..9_i64, prop::collection::vec(0..400_i64, 0..4)), 0..3);
    (prop::option::of(name()), mode, members)
        .prop_map(|(name, mode, members)| Selection { name, mode: SelectMode::from_name(mode), members })
        .boxed()
}

/// Complete scenes.
pub(crate) fn model() -> BoxedStrategy<Model> {
    let shapes = prop::collection::vec(object().prop_map(Shape::Object), 0..3);
    let materials = prop::collection::vec(material().prop_map(MaterialEntry::Material), 0..3);
    let images = prop::collection::vec(image(), 0..3);
    let lights = prop::collection::vec(light(), 0..3);
    let views = prop::collection::vec(view(), 0..3);
    let selections = prop::collection::vec(selection(), 0..3);
    (shapes, materials, images, lights, views, selections, prop::option::of(unknown()))
        .prop_map(|(shapes, materials, images, lights, views, selections, unknown)| {
            let mut model = Model { version: 2, shapes, materials, ..Model::default() };
            model.set_views(&views).expect("views");
            model.set_images(&images).expect("images");
            model.set_lights(&lights).expect("lights");
            for selection in &selections {
                model.add_selection(selection).expect("a selection");
            }
            model.props.items.extend(unknown);
            model
        })
        .boxed()
}
