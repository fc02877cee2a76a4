//! Cameras.

use crate::Properties;

/// A camera. It stands at the origin of its node and looks along the node's −Z, Y up.
///
/// | in | |
/// |---|---|
/// | wings | an entry of `views` |
/// | vmap | `defaultcamera`, `3dcameras` |
/// | WMP | a position or camera entity |
/// | WWD | the start of the view, as a marker |
/// | wrp | – |
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Camera {
    /// How it projects.
    pub projection: Projection,
    /// What nearer than this is not seen.
    pub near: f64,
    /// What further than this is not seen; `None`: everything is.
    pub far: Option<f64>,
    /// Width by height of the picture; `None`: as the window is.
    pub aspect: Option<f64>,
    /// The point it looks at, in the space of the node's parent, where the file stores one.
    pub target: Option<[f64; 3]>,
    /// What else the file says about it.
    pub properties: Properties,
}

/// How a camera projects.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Projection {
    /// With vanishing points.
    Perspective {
        /// The whole vertical angle of view in radians, between 0 and π.
        fov_y: f64,
    },
    /// Without.
    Orthographic {
        /// Half the height of the picture in units of length.
        half_height: f64,
    },
}

impl Default for Camera {
    /// A camera with a vertical field of 45° that sees from 0.1 units on.
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
