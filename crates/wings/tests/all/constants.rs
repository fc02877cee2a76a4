//! Names and numbers of the format against literals from its description.

use mapwright_wings::etf::{Builder, Term, Tree, WriterProfile};
use mapwright_wings::io::Confidence;
use mapwright_wings::{FORMAT, Light, LightType, Object, ObjectState, PropList, SelectMode, View, WingedMesh, sniff};

/// Builds a term.
fn tree(build: impl FnOnce(&mut Builder)) -> Tree {
    let mut builder = Builder::new(WriterProfile::Otp17);
    build(&mut builder);
    builder.finish().unwrap()
}

/// Source: "Container": magic number, and other names of the same content.
#[test]
fn magic_number_and_extensions_are_those_published() {
    let magic = [0x23, 0x21, 0x57, 0x49, 0x4E, 0x47, 0x53, 0x2D, 0x31, 0x2E, 0x30, 0x0D, 0x0A, 0x1A, 0x04];
    assert_eq!(sniff(&magic), Confidence::Certain);
    for at in 0..magic.len() {
        let mut other = magic;
        other[at] ^= 1;
        assert_eq!(sniff(&other), Confidence::No, "byte {at}");
    }
    assert_eq!(FORMAT.extensions, ["wings", "wings~", "wings_bup", "wings_as"]);
}

/// Source: "Scene properties", selection.
#[test]
fn selection_modes_have_the_published_names() {
    let published = [
        (SelectMode::Vertex, "vertex"),
        (SelectMode::Edge, "edge"),
        (SelectMode::Face, "face"),
        (SelectMode::Body, "body"),
    ];
    for (mode, name) in published {
        assert_eq!(mode.name(), name);
        assert_eq!(SelectMode::from_name(name), mode);
    }
}

/// Source: "Object properties", state.
#[test]
fn object_states_have_the_published_names() {
    let published = [
        (ObjectState::Locked, "locked", true, true),
        (ObjectState::Hidden, "hidden", false, false),
        (ObjectState::HiddenLocked, "hidden_locked", false, true),
    ];
    for (state, name, visible, locked) in published {
        let mut object = Object::new("a", WingedMesh::default());
        object.set_state(&state).unwrap();
        assert!(object.props.get("state").is_some_and(|value| value.is_atom(name)), "{name}");
        assert_eq!((state.is_visible(), state.is_locked()), (visible, locked), "{name}");
        object.props.set("state", &tree(|term| term.atom(name))).unwrap();
        assert_eq!(object.state(), state);
    }
    let mut object = Object::new("a", WingedMesh::default());
    let selected = ObjectState::HiddenSelected { mode: SelectMode::Edge, elements: vec![7] };
    object.set_state(&selected).unwrap();
    let [kind, mode, elements] = object.props.get("state").and_then(Term::as_tuple_of).unwrap();
    assert!(kind.is_atom("hidden") && mode.is_atom("edge") && elements.as_list().is_some());
    assert_eq!(object.state(), selected);
}

/// Source: "Lights", types and defaults.
#[test]
fn light_types_have_the_published_names_and_defaults() {
    let published = [
        (LightType::Ambient, "ambient", [0.1, 0.1, 0.1, 1.0]),
        (LightType::Infinite, "infinite", [0.0, 0.0, 0.0, 1.0]),
        (LightType::Point, "point", [0.0, 0.0, 0.0, 1.0]),
        (LightType::Spot, "spot", [0.0, 0.0, 0.0, 1.0]),
        (LightType::Area, "area", [0.0, 0.0, 0.0, 1.0]),
    ];
    for (kind, name, ambient) in published {
        assert_eq!(kind.name(), name);
        let mut opengl = PropList::default();
        opengl.set("type", &tree(|term| term.atom(name))).unwrap();
        let mut light = Light::new("a");
        light.set(true, false, &opengl).unwrap();
        assert_eq!(light.kind(), kind);
        assert_eq!(light.color("ambient"), ambient, "{name}");
    }
    let light = Light::new("a");
    assert_eq!(light.kind(), LightType::Point);
    assert_eq!((light.position(), light.aim()), ([0.0, 3.0, 0.0], [0.0; 3]));
    assert_eq!((light.color("diffuse"), light.color("specular")), ([1.0; 4], [1.0; 4]));
    let numbers =
        [("linear_attenuation", 0.0), ("quadratic_attenuation", 0.0), ("cone_angle", 30.0), ("spot_exponent", 0.0)];
    for (key, number) in numbers {
        assert_eq!(light.number(key).to_bits(), f64::to_bits(number), "{key}");
    }
    assert!(light.flag("visible") && !light.flag("locked"));
}

/// Source: "Cameras", presets.
#[test]
fn cameras_have_the_published_presets() {
    let view = View { props: PropList::default() };
    let published = [
        ("distance_to_aim", 8.0),
        ("azimuth", -45.0),
        ("elevation", 25.0),
        ("fov", 45.0),
        ("hither", 0.1),
        ("yon", 10_000.0),
    ];
    for (key, number) in published {
        assert_eq!(view.number(key).to_bits(), f64::to_bits(number), "{key}");
    }
}
