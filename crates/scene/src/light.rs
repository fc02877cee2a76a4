//! Lights.

use crate::{MeshId, Properties};

/// A light. It stands at the origin of its node and shines along the node's −Z.
///
/// | in | |
/// |---|---|
/// | wings | an entry of `lights` |
/// | vmap | entities of class `light_…`, which stay entities |
/// | WMP | a light: point, colour, range |
/// | WWD, wrp | – |
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Light {
    /// What shape the light has.
    pub kind: LightKind,
    /// Red, green, blue in the [colour space](crate::Scene::color_space) of the scene, and a fourth number without a
    /// meaning that wings stores. For [`LightKind::Ambient`] the colour of the ambient light.
    pub color: [f64; 4],
    /// A factor on the (linear) colour.
    pub intensity: f64,
    /// What the factor counts.
    pub unit: IntensityUnit,
    /// How the light fades with distance.
    pub attenuation: Attenuation,
    /// Where it ends, in units of length; `None`: nowhere.
    pub range: Option<f64>,
    /// The point it is aimed at, in the space of the node's parent (as the node's translation is). The rotation of the
    /// node points there too; this keeps the exact point and its distance.
    pub target: Option<[f64; 3]>,
    /// What it adds to ambient light, in older lighting models.
    pub ambient: Option<[f64; 4]>,
    /// The colour of its highlights, in older lighting models.
    pub specular: Option<[f64; 4]>,
    /// What else the file says about it.
    pub properties: Properties,
}

impl Default for Light {
    /// A white point light that does not fade.
    fn default() -> Self {
        Self {
            kind: LightKind::Point,
            color: [1.0; 4],
            intensity: 1.0,
            unit: IntensityUnit::Relative,
            attenuation: Attenuation::default(),
            range: None,
            target: None,
            ambient: None,
            specular: None,
            properties: Properties::new(),
        }
    }
}

/// What shape a light has.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum LightKind {
    /// From everywhere.
    Ambient,
    /// Parallel, from infinitely far.
    Directional,
    /// From a point to all sides.
    Point,
    /// From a point into a cone.
    Spot {
        /// Half the angle in which the light is full, in radians; at most `outer`.
        inner: f64,
        /// Half the angle in which there is light, in radians; at most π/2.
        outer: f64,
        /// Towards the edge the light falls with this power of the cosine; 0: not at all.
        exponent: f64,
    },
    /// From a surface.
    Area {
        /// The surface, in the space of the node; `None`: a square of 2 × 2 units across the direction of the light.
        mesh: Option<MeshId>,
    },
    /// Something else, by the name it has in the file.
    Other(String),
}

/// What the intensity of a light counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum IntensityUnit {
    /// Nothing: 1 is full light.
    #[default]
    Relative,
    /// Lux for directional lights, candela for the others: glTF.
    Photometric,
}

/// How light fades: 1 / (constant + linear · d + quadratic · d²) at the distance d.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attenuation {
    /// The constant term.
    pub constant: f64,
    /// The factor of the distance.
    pub linear: f64,
    /// The factor of its square.
    pub quadratic: f64,
}

impl Default for Attenuation {
    /// No fading.
    fn default() -> Self {
        Self { constant: 1.0, linear: 0.0, quadratic: 0.0 }
    }
}
