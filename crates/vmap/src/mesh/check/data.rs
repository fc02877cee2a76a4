//! Finds problems of faces, streams, materials and subdivision.

use std::collections::HashMap;

use mapwright_io::{Frame, Severity};

use super::{Check, at};
use crate::mesh::polygons::size;
use crate::mesh::subdivision::samples;
use crate::mesh::vector::{Vec3, area, dot};
use crate::mesh::{Corner, LoopError, Polygons, Stream, StreamData};

/// Required streams, with an empty one of their type.
const REQUIRED: [(&str, &[(&str, StreamData)]); 4] = [
    ("vertexData", &[("position:0", StreamData::Vector3(Vec::new()))]),
    (
        "faceVertexData",
        &[
            ("texcoord:0", StreamData::Vector2(Vec::new())),
            ("normal:0", StreamData::Vector3(Vec::new())),
            ("tangent:0", StreamData::Vector4(Vec::new())),
        ],
    ),
    ("edgeData", &[("flags:0", StreamData::Int(Vec::new()))]),
    (
        "faceData",
        &[
            ("textureScale:0", StreamData::Vector2(Vec::new())),
            ("textureAxisU:0", StreamData::Vector4(Vec::new())),
            ("textureAxisV:0", StreamData::Vector4(Vec::new())),
            ("materialindex:0", StreamData::Int(Vec::new())),
            ("flags:0", StreamData::Int(Vec::new())),
            ("lightmapScaleBias:0", StreamData::Int(Vec::new())),
        ],
    ),
];

impl Check<'_> {
    /// Checks faces: invariants 8 and 11, and levels of subdivision.
    pub(super) fn check_faces(&mut self) {
        let mesh = self.mesh;
        let error = Severity::Error;
        let polygons = match mesh.polygons() {
            Ok(polygons) => polygons,
            Err(LoopError::Degenerate { face, corners }) => {
                let path = [Frame::Field("faceEdgeIndices"), Frame::Index(face)];
                return self.report("mesh-face-corners", error, &path, format!("the face has {corners} corners"));
            }
            Err(other) => return self.report("mesh-loop", error, &[], other.to_string()),
        };
        let closed = mesh.edge_face_indices.iter().filter(|&&face| face >= 0).count();
        if closed != polygons.corners().len() {
            let message = "half-edges of faces are not in their loops".to_owned();
            self.report("mesh-loop", error, &[Frame::Field("edgeFaceIndices")], message);
        }
        self.check_geometry(&polygons);
        let levels = &mesh.subdivision_data.levels;
        let level = |corner: &Corner| at(levels, corner.corner as usize);
        let mixed =
            |&face: &usize| polygons.face(face).windows(2).any(|two| two.first().map(level) != two.last().map(level));
        // Another length is reported separately.
        let faces = if levels.len() == mesh.edge_vertex_indices.len() { polygons.len() } else { 0 };
        let flaws = (0..faces).filter(mixed);
        let message = "the corners of the face have different levels of subdivision";
        self.expect_none("mesh-subdivision", Severity::Warning, "faceEdgeIndices", flaws, message);
    }

    fn check_geometry(&mut self, polygons: &Polygons<'_>) {
        let Some(positions) = polygons.positions() else { return };
        let position = |corner: &Corner| positions.get(corner.vertex as usize).map_or([0.0; 3], |p| p.map(f64::from));
        let areas: Vec<Vec3> = polygons.iter().map(|face| area(face.iter().map(position))).collect();
        let flat = (0..areas.len()).filter(|&face| areas.get(face).is_some_and(|&area| dot(area, area) == 0.0));
        self.expect_none("mesh-flat", Severity::Warning, "faceEdgeIndices", flat, "the face has no area");
        let Some(normals) = polygons.normals() else { return };
        let normal = |corner: &Corner| normals.get(corner.corner as usize).map_or([0.0; 3], |n| n.map(f64::from));
        let clockwise = |&face: &usize| {
            let sides = |area: &Vec3| polygons.face(face).iter().map(|corner| dot(*area, normal(corner))).sum::<f64>();
            areas.get(face).map(sides).is_some_and(|side| side < 0.0)
        };
        let flaws = (0..areas.len()).filter(clockwise);
        self.expect_none(
            "mesh-winding",
            Severity::Warning,
            "faceEdgeIndices",
            flaws,
            "the face is clockwise about its normals",
        );
    }

    /// Checks streams, materials and subdivision: invariants 10 and 12.
    pub(super) fn check_data(&mut self) {
        let mesh = self.mesh;
        let half_edges = mesh.edge_vertex_indices.len();
        let counts = [mesh.vertex_edge_indices.len(), half_edges, half_edges >> 1, mesh.face_edge_indices.len()];
        for (((array, data), count), (_, required)) in mesh.data_arrays().into_iter().zip(counts).zip(REQUIRED) {
            if usize::try_from(data.size) != Ok(count) {
                let message = format!("size {}, expected {count}", data.size);
                self.report("mesh-size", Severity::Warning, &[Frame::Field(array), Frame::Field("size")], message);
            }
            self.check_streams(array, &data.streams, Some(size(data)));
            for (name, kind) in required {
                let same = |stream: &Stream| std::mem::discriminant(&stream.data) == std::mem::discriminant(kind);
                if !data.stream(name).is_some_and(same) {
                    let message = format!("stream {name} is missing or has the wrong type");
                    self.report("mesh-stream-missing", Severity::Warning, &[Frame::Field(array)], message);
                }
            }
        }
        self.check_materials();
        if let Some(StreamData::Vector2(scales)) = mesh.face_data.stream("textureScale:0").map(|stream| &stream.data) {
            let flaws = (0..scales.len()).filter(|&face| scales.get(face).is_some_and(|scale| scale.contains(&0.0)));
            self.expect_none(
                "mesh-texture-scale",
                Severity::Warning,
                "faceData",
                flaws,
                "the texture scale of the face is 0",
            );
        }
        self.check_subdivision(half_edges);
    }

    fn check_streams(&mut self, array: &'static str, streams: &[Stream], length: Option<usize>) {
        let mut names = HashMap::new();
        for (index, stream) in streams.iter().enumerate() {
            let path = [Frame::Field(array), Frame::Field("streams"), Frame::Index(index)];
            let found = stream.data.len();
            if let Some(length) = length.filter(|&length| length != found) {
                let message = format!("invalid stream length {found}: expected {length}");
                self.report("mesh-stream-length", Severity::Error, &path, message);
            }
            let semantic = [&stream.semantic_name, format!(":{}", stream.semantic_index).as_bytes()].concat();
            if semantic != stream.name {
                let shown = semantic.get(..200).unwrap_or(&semantic).escape_ascii();
                let message = format!("the name differs from the semantic {shown}");
                self.report("mesh-stream-name", Severity::Warning, &path, message);
            }
            if let Some(first) = names.insert(&stream.name, index) {
                let message = format!("the name repeats that of stream {first}");
                self.report("mesh-stream-name", Severity::Warning, &path, message);
            }
            if let Some(item) = not_finite(&stream.data) {
                let message = format!("item {item} is not finite");
                self.report("mesh-not-finite", Severity::Warning, &path, message);
            }
        }
    }

    fn check_materials(&mut self) {
        let mesh = self.mesh;
        let materials = &mesh.materials;
        let mut first = HashMap::new();
        let mut again = Vec::new();
        for (index, material) in materials.iter().enumerate() {
            if first.insert(material, index).is_some() {
                again.push(index);
            }
        }
        let warning = Severity::Warning;
        self.expect_none("mesh-material", warning, "materials", again.into_iter(), "the material is repeated");
        let empty = (0..materials.len()).filter(|&index| materials.get(index).is_some_and(Vec::is_empty));
        self.expect_none("mesh-material", warning, "materials", empty, "the material has no name");
        let stream = mesh.face_data.stream("materialindex:0").and_then(|stream| stream.data.as_ints());
        let Some(indices) = stream else { return };
        let mut used = vec![false; materials.len()];
        let mut invalid = Vec::new();
        for (face, &index) in indices.iter().enumerate() {
            match usize::try_from(index).ok().and_then(|index| used.get_mut(index)) {
                Some(used) => *used = true,
                None => invalid.push(face),
            }
        }
        self.expect_none(
            "mesh-material",
            warning,
            "faceData",
            invalid.into_iter(),
            "the material index of the face is out of range",
        );
        let unused = (0..used.len()).filter(|&index| used.get(index) == Some(&false));
        self.expect_none("mesh-material", warning, "materials", unused, "the material is unused");
    }

    fn check_subdivision(&mut self, half_edges: usize) {
        let data = &self.mesh.subdivision_data;
        let (warning, array) = (Severity::Warning, "subdivisionData");
        if data.levels.len() != half_edges {
            let message = format!("{} levels of subdivision, expected {half_edges}", data.levels.len());
            self.report("mesh-subdivision", warning, &[Frame::Field(array)], message);
        }
        let below = (0..data.levels.len()).filter(|&corner| at(&data.levels, corner) < 0);
        self.expect_none("mesh-subdivision", warning, array, below, "the level of subdivision is negative");
        let wanted = data.levels.iter().fold(0_u64, |sum, &level| sum.saturating_add(samples(level)));
        for (index, stream) in data.streams.iter().enumerate() {
            let found = stream.data.len();
            if u64::try_from(found) != Ok(wanted) {
                let path = [Frame::Field(array), Frame::Field("streams"), Frame::Index(index)];
                let message = format!("invalid number of samples {found}: expected {wanted} for the levels");
                self.report("mesh-subdivision", warning, &path, message);
            }
        }
        self.check_streams(array, &data.streams, None);
    }
}

fn not_finite(data: &StreamData) -> Option<usize> {
    fn find<const N: usize>(items: &[[f32; N]]) -> Option<usize> {
        items.iter().position(|item| item.iter().any(|number| !number.is_finite()))
    }
    match data {
        StreamData::Int(_) => None,
        StreamData::Float(items) => items.iter().position(|number| !number.is_finite()),
        StreamData::Vector2(items) => find(items),
        StreamData::Vector3(items) => find(items),
        StreamData::Vector4(items) => find(items),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Streams", those that are not optional.
    #[test]
    fn required_streams_match_the_published_list() {
        let kind = |data: &StreamData| match data {
            StreamData::Int(_) => "int",
            StreamData::Float(_) => "float",
            StreamData::Vector2(_) => "vector2",
            StreamData::Vector3(_) => "vector3",
            StreamData::Vector4(_) => "vector4",
        };
        let required: Vec<_> = REQUIRED
            .iter()
            .flat_map(|(array, streams)| streams.iter().map(|(name, data)| (*array, *name, kind(data))))
            .collect();
        let published = [
            ("vertexData", "position:0", "vector3"),
            ("faceVertexData", "texcoord:0", "vector2"),
            ("faceVertexData", "normal:0", "vector3"),
            ("faceVertexData", "tangent:0", "vector4"),
            ("edgeData", "flags:0", "int"),
            ("faceData", "textureScale:0", "vector2"),
            ("faceData", "textureAxisU:0", "vector4"),
            ("faceData", "textureAxisV:0", "vector4"),
            ("faceData", "materialindex:0", "int"),
            ("faceData", "flags:0", "int"),
            ("faceData", "lightmapScaleBias:0", "int"),
        ];
        assert_eq!(required, published);
    }
}
