//! Lights.

use mapwright_etf::Term;

use super::props::{build, number, numbers};
use super::{Model, Name, PropList};
use crate::WriteError;

/// A light: `{Name,[{visible,_},{locked,_},{opengl,[…]}|Extra]}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// The name.
    pub name: Name,
    /// `visible`, `locked`, `opengl`, and settings of plug-ins.
    pub props: PropList,
}

/// Kind of a light.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LightType {
    /// Ambient light without a position.
    Ambient,
    /// Directional light from infinitely far away.
    Infinite,
    /// Light from a point in all directions.
    Point,
    /// Light from a point in a cone.
    Spot,
    /// Light from the surface of a mesh.
    Area,
    /// A type that Wings does not know, but preserves.
    Other(String),
}

impl LightType {
    /// Returns the name in files.
    pub fn name(&self) -> &str {
        match self {
            Self::Ambient => "ambient",
            Self::Infinite => "infinite",
            Self::Point => "point",
            Self::Spot => "spot",
            Self::Area => "area",
            Self::Other(name) => name,
        }
    }
}

impl Light {
    /// Creates a light without properties.
    pub fn new(name: impl Into<Name>) -> Self {
        Self { name: name.into(), props: PropList::default() }
    }

    /// Returns the `opengl` list.
    pub fn opengl(&self) -> PropList {
        self.props.get("opengl").and_then(Term::as_list).and_then(PropList::read).unwrap_or_default()
    }

    /// Returns the kind of the light. The default is a point light.
    pub fn kind(&self) -> LightType {
        let opengl = self.opengl();
        let name = opengl.get("type").and_then(Term::as_atom).map(|atom| atom.name().into_owned());
        match name.as_deref() {
            Some("ambient") => LightType::Ambient,
            Some("infinite") => LightType::Infinite,
            Some("point") | None => LightType::Point,
            Some("spot") => LightType::Spot,
            Some("area") => LightType::Area,
            Some(other) => LightType::Other(other.to_owned()),
        }
    }

    /// Returns the position. The default is (0, 3, 0).
    pub fn position(&self) -> [f64; 3] {
        self.opengl().get("position").and_then(numbers).unwrap_or([0.0, 3.0, 0.0])
    }

    /// Returns the target point. The default is the origin.
    pub fn aim(&self) -> [f64; 3] {
        self.opengl().get("aim_point").and_then(numbers).unwrap_or_default()
    }

    /// Returns a colour, `diffuse`, `specular` or `ambient`, as sRGB with alpha. A missing one has the default of Wings.
    pub fn color(&self, key: &str) -> [f64; 4] {
        let opengl = self.opengl();
        let read =
            opengl.get(key).and_then(|term| numbers(term).or_else(|| numbers(term).map(|[r, g, b]| [r, g, b, 1.0])));
        read.unwrap_or(match (key, self.kind()) {
            ("ambient", LightType::Ambient) => [0.1, 0.1, 0.1, 1.0],
            ("ambient", _) => [0.0, 0.0, 0.0, 1.0],
            _ => [1.0; 4],
        })
    }

    /// Returns a number: `linear_attenuation`, `quadratic_attenuation`, `cone_angle` (half angle in degrees) or `spot_exponent`.
    /// A missing one has the default of Wings.
    pub fn number(&self, key: &str) -> f64 {
        self.opengl().get(key).and_then(number).unwrap_or(if key == "cone_angle" { 30.0 } else { 0.0 })
    }

    /// Returns a flag, `visible` or `locked`. By default a light is visible and not locked.
    pub fn flag(&self, key: &str) -> bool {
        self.props.get(key).map_or(key == "visible", |value| value.is_atom("true"))
    }

    /// Sets `visible` and `locked`, which Wings requires together, and the `opengl` list.
    ///
    /// # Errors
    /// None for terms that were read or built.
    pub fn set_properties(&mut self, visible: bool, locked: bool, opengl: &PropList) -> Result<(), WriteError> {
        let flag = |value: bool| build(|term| term.atom(if value { "true" } else { "false" }));
        self.props.set("visible", &flag(visible)?)?;
        self.props.set("locked", &flag(locked)?)?;
        self.props.set("opengl", &opengl.to_tree()?)
    }
}

impl Model {
    /// Returns the lights of the scene. Entries that are not `{Name,Properties}` are skipped.
    pub fn lights(&self) -> Vec<Light> {
        self.props.entries("lights", |entry| {
            let [name, props] = entry.as_tuple_of()?;
            Some(Light { name: Name::from_string(name), props: PropList::read(props.as_list()?)? })
        })
    }

    /// Sets the lights of the scene.
    ///
    /// # Errors
    /// None for lights that were read or created.
    pub fn set_lights(&mut self, lights: &[Light]) -> Result<(), WriteError> {
        self.props.set_entries("lights", lights, |term, light| {
            term.tuple(2);
            light.name.emit_string(term);
            light.props.emit(term);
        })
    }
}
