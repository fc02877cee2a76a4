//! Lights.

use crate::{MeshId, Properties};

/// A light at the origin of its node. It shines along the node's −Z.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Light {
    /// The shape of the light.
    pub kind: LightKind,
    /// Red, green, blue in the [colour space](crate::Scene::color_space) of the scene, and a fourth number without meaning.
    /// For [`LightKind::Ambient`], the colour of the ambient light.
    pub color: [f64; 4],
    /// Factor for the linear colour.
    pub intensity: f64,
    /// The unit of the intensity.
    pub unit: IntensityUnit,
    /// The falloff with distance.
    pub attenuation: Attenuation,
    /// Maximum distance in units of length. `None`: infinite.
    pub range: Option<f64>,
    /// The target point in the space of the node's parent. The rotation of the node points there too; this stores the exact
    /// point and its distance.
    pub target: Option<[f64; 3]>,
    /// Contribution to ambient light in older lighting models.
    pub ambient: Option<[f64; 4]>,
    /// Colour of highlights in older lighting models.
    pub specular: Option<[f64; 4]>,
    /// Other data of the file.
    pub properties: Properties,
}

impl Default for Light {
    /// A white point light without falloff.
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

/// The shape of a light.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum LightKind {
    /// Light from everywhere.
    Ambient,
    /// Parallel light from infinitely far away.
    Directional,
    /// Light from a point in all directions.
    Point,
    /// Light from a point into a cone.
    Spot {
        /// Half the angle of full light, in radians; at most `outer`.
        inner: f64,
        /// Half the angle of the cone, in radians; at most π/2.
        outer: f64,
        /// Exponent of the cosine with which the light decreases towards the edge. 0: no decrease.
        exponent: f64,
    },
    /// Light from a surface.
    Area {
        /// The surface, in the space of the node. `None`: a square of 2 × 2 units across the direction of the light.
        mesh: Option<MeshId>,
    },
    /// Another kind, with its name in the file.
    Other(String),
}

impl LightKind {
    /// Returns the name of the shape: `ambient`, `directional`, `point`, `spot`, `area`, or the name in the file.
    pub fn name(&self) -> &str {
        match self {
            Self::Ambient => "ambient",
            Self::Directional => "directional",
            Self::Point => "point",
            Self::Spot { .. } => "spot",
            Self::Area { .. } => "area",
            Self::Other(name) => name,
        }
    }
}

/// The unit of the intensity of a light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum IntensityUnit {
    /// No unit: 1 is full light.
    #[default]
    Relative,
    /// Lux for directional lights, candela for the others.
    Photometric,
}

/// The falloff of a light: 1 / (constant + linear · d + quadratic · d²) at the distance d.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attenuation {
    /// The constant term.
    pub constant: f64,
    /// Factor of the distance.
    pub linear: f64,
    /// Factor of the squared distance.
    pub quadratic: f64,
}

impl Default for Attenuation {
    /// No falloff.
    fn default() -> Self {
        Self { constant: 1.0, linear: 0.0, quadratic: 0.0 }
    }
}
