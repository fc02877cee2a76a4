//! Cameras.

use crate::Properties;

/// A camera at the origin of its node. It looks along the node's −Z, with Y up.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Camera {
    /// The projection.
    pub projection: Projection,
    /// Distance of the near plane.
    pub near: f64,
    /// Distance of the far plane. `None`: infinite.
    pub far: Option<f64>,
    /// Width divided by height of the image. `None`: that of the window.
    pub aspect: Option<f64>,
    /// The target point in the space of the node's parent, if the file stores one.
    pub target: Option<[f64; 3]>,
    /// Other data of the file.
    pub properties: Properties,
}

/// The projection of a camera.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Projection {
    /// Perspective projection.
    Perspective {
        /// Full vertical field of view in radians, between 0 and π.
        fov_y: f64,
    },
    /// Orthographic projection.
    Orthographic {
        /// Half the height of the image in units of length.
        half_height: f64,
    },
}

impl Default for Camera {
    /// A camera with a vertical field of view of 45° and a near plane at 0.1.
    fn default() -> Self {
        Self {
            projection: Projection::Perspective { fov_y: std::f64::consts::FRAC_PI_4 },
            near: 0.1,
            far: None,
            aspect: None,
            target: None,
            properties: Properties::new(),
        }
    }
}
