//! Streams of meshes and the attributes of scenes that correspond to them.

use mapwright_scene as scene;
use mapwright_scene::{Domain, Smoothing};

use super::names::text;
use crate::mesh::{Polygons, Stream};

/// The stream of colours that artists paint. The meaning of other paint streams depends on the material.
pub(super) const TINT: &str = "VertexPaintTintColor:0";
/// The stream of tangents: a direction and a sign.
pub(super) const TANGENT: &str = "tangent:0";

/// Smoothing angle of nodes without that attribute, in degrees.
pub(super) const DEFAULT_SMOOTHING_ANGLE: f64 = 40.0;

/// Returns the name of the attribute for a stream: without the index of the first stream of its kind.
pub(super) fn attribute_name(stream: &Stream) -> String {
    let name = text(&stream.name);
    name.strip_suffix(":0").map(str::to_owned).unwrap_or(name)
}

/// Returns the name of the stream for an attribute.
pub(super) fn stream_name(attribute: &str) -> String {
    if attribute.contains(':') { attribute.to_owned() } else { format!("{attribute}:0") }
}

/// Returns `true` if the first three numbers of each row are a direction.
pub(super) fn is_tangent(attribute: &scene::Attribute) -> bool {
    attribute.domain == Domain::Corner && attribute.width == 4 && stream_name(&attribute.name) == TANGENT
}

/// Changes the direction of each tangent.
pub(super) fn map_directions(tangents: &mut [f64], change: impl Fn([f64; 3]) -> [f64; 3]) {
    for row in tangents.as_chunks_mut::<4>().0 {
        let [x, y, z, _] = row;
        [*x, *y, *z] = change([*x, *y, *z]);
    }
}

/// Returns the row in the streams for each vertex, corner or face of a mesh.
pub(super) fn rows(polygons: &Polygons<'_>, domain: Domain) -> Vec<usize> {
    let places = |indices: &[i32]| indices.iter().map(|&index| usize::try_from(index).unwrap_or(usize::MAX)).collect();
    match domain {
        Domain::Corner => polygons.corners().iter().map(|corner| corner.corner as usize).collect(),
        Domain::Face => places(&polygons.mesh().face_data_indices),
        Domain::Vertex => places(&polygons.mesh().vertex_data_indices),
    }
}

/// Converts a smoothing angle in degrees.
pub(super) fn smoothing_from_angle(degrees: f64) -> Smoothing {
    match degrees {
        _ if degrees >= 180.0 => Smoothing::Smooth,
        _ if degrees > 0.0 => Smoothing::Angle(degrees.to_radians()),
        _ => Smoothing::Flat,
    }
}

/// Returns the smoothing angle in degrees.
pub(super) fn smoothing_to_angle(smoothing: Smoothing) -> f64 {
    match smoothing {
        Smoothing::Smooth => 180.0,
        Smoothing::Flat => 0.0,
        Smoothing::Angle(angle) => angle.to_degrees(),
    }
}
