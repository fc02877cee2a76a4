//! Finds problems of meshes.

mod data;

use mapwright_io::{Finding, Frame, Path, Severity};

use super::Mesh;
use super::polygons::out_of_range;

impl Mesh {
    /// Finds differences from valid meshes of Hammer. There is one finding for each kind of problem and each
    /// array, with the first position and the number of further ones.
    ///
    /// Errors make the mesh unusable: indices out of range, broken loops, streams of the wrong length. All other problems are
    /// warnings. The time is linear for any numbers.
    ///
    /// | code | problem |
    /// |---|---|
    /// | `mesh-length` | parallel index arrays differ in length, or the number of half-edges is odd |
    /// | `mesh-range` | an index is out of range |
    /// | `mesh-twin` | a twin is not the other half of its pair |
    /// | `mesh-next` | the next half-edge starts at another vertex, lies in another face, or follows two half-edges |
    /// | `mesh-loop` | the half-edge of a face belongs to another face, or a face has several loops |
    /// | `mesh-face-corners` | a face has fewer than three corners |
    /// | `mesh-open-edge` | an edge has no face |
    /// | `mesh-isolated-vertex` | a vertex has no edge |
    /// | `mesh-vertex-edge` | the half-edge of a vertex does not start there |
    /// | `mesh-order` | indices of vertex, edge or face data are not in order |
    /// | `mesh-corner` | two half-edges share a corner |
    /// | `mesh-size` | the size of a data array differs from the number of vertices, edges, faces or corners |
    /// | `mesh-stream-length` | the length of a stream differs from the size of its data array |
    /// | `mesh-stream-name` | the name of a stream differs from its semantic, or is repeated |
    /// | `mesh-stream-missing` | a required stream is missing or has the wrong type |
    /// | `mesh-material` | a material is empty, repeated or unused, or the material index of a face is out of range |
    /// | `mesh-not-finite` | a number is not finite |
    /// | `mesh-texture-scale` | a face has texture scale 0 |
    /// | `mesh-winding` | a face is clockwise about its normals |
    /// | `mesh-flat` | a face has no area |
    /// | `mesh-subdivision` | the number of levels is not that of corners, levels differ within a face, or the number of samples is wrong |
    pub fn check(&self) -> Vec<Finding> {
        let mut check = Check { mesh: self, findings: Vec::new() };
        if check.check_indices() {
            check.check_order();
            if check.check_loops() {
                check.check_faces();
            }
        }
        check.check_data();
        check.findings
    }
}

struct Check<'a> {
    mesh: &'a Mesh,
    findings: Vec<Finding>,
}

/// Returns an item; −1 if the index is out of range.
fn at(items: &[i32], index: usize) -> i32 {
    items.get(index).copied().unwrap_or(-1)
}

/// Returns the item at an index that is itself an item.
fn at_item(items: &[i32], index: i32) -> i32 {
    usize::try_from(index).map_or(-1, |index| at(items, index))
}

impl Check<'_> {
    fn report(&mut self, code: &'static str, severity: Severity, path: &[Frame], message: String) {
        let path: Path = path.iter().cloned().collect();
        self.findings.push(Finding::new(code, severity, message).with_path(path));
    }

    /// Reports the first problem of an array and the number of others. Returns `true` if there is none.
    fn expect_none(
        &mut self,
        code: &'static str,
        severity: Severity,
        array: &'static str,
        mut flaws: impl Iterator<Item = usize>,
        message: &str,
    ) -> bool {
        let Some(first) = flaws.next() else { return true };
        let more = flaws.count();
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        self.report(code, severity, &[Frame::Field(array), Frame::Index(first)], format!("{message}{more}"));
        false
    }

    /// Checks lengths and ranges. Returns `true` if all indices are in range.
    fn check_indices(&mut self) -> bool {
        let mesh = self.mesh;
        if let Some(array) = mesh.unequal_length() {
            let message = "the length differs from that of the parallel arrays".to_owned();
            self.report("mesh-length", Severity::Error, &[Frame::Field(array)], message);
            return false;
        }
        if !mesh.edge_vertex_indices.len().is_multiple_of(2) {
            let path = [Frame::Field("edgeVertexIndices")];
            self.report("mesh-length", Severity::Error, &path, "the number of half-edges is odd".to_owned());
            return false;
        }
        let mut is_valid = true;
        for (array, items, low, high) in mesh.bounds() {
            if let Some(index) = out_of_range(items, low, high) {
                let message =
                    format!("index {} out of range: expected {low} to {}", at(items, index), high.saturating_sub(1));
                self.report("mesh-range", Severity::Error, &[Frame::Field(array), Frame::Index(index)], message);
                is_valid = false;
            }
        }
        is_valid
    }

    /// Checks invariants 1 to 4 and 9: the order of arrays, and the half-edges of vertices.
    fn check_order(&mut self) {
        let mesh = self.mesh;
        let out_of_order = |items: &'static str, list: &[i32], wanted: fn(usize) -> usize| {
            let flaws: Vec<usize> =
                (0..list.len()).filter(|&i| usize::try_from(at(list, i)) != Ok(wanted(i))).collect();
            (items, flaws)
        };
        let orders = [
            out_of_order("vertexDataIndices", &mesh.vertex_data_indices, |index| index),
            out_of_order("edgeDataIndices", &mesh.edge_data_indices, |half| half >> 1),
            out_of_order("faceDataIndices", &mesh.face_data_indices, |index| index),
        ];
        for (array, flaws) in orders {
            self.expect_none("mesh-order", Severity::Warning, array, flaws.into_iter(), "the index is not in order");
        }
        let corners = &mesh.edge_vertex_data_indices;
        let message = "two half-edges share the corner";
        let flaws = repeated(corners);
        self.expect_none("mesh-corner", Severity::Warning, "edgeVertexDataIndices", flaws.into_iter(), message);

        let edges = &mesh.vertex_edge_indices;
        let isolated = (0..edges.len()).filter(|&vertex| at(edges, vertex) < 0);
        let message = "the vertex has no edge";
        self.expect_none("mesh-isolated-vertex", Severity::Warning, "vertexEdgeIndices", isolated, message);
        let invalid = (0..edges.len()).filter(|&vertex| {
            let edge = at(edges, vertex);
            edge >= 0 && usize::try_from(at_item(&mesh.edge_vertex_indices, edge ^ 1)) != Ok(vertex)
        });
        let message = "the half-edge does not start at the vertex";
        self.expect_none("mesh-vertex-edge", Severity::Warning, "vertexEdgeIndices", invalid, message);
    }

    /// Checks invariants 1 and 5 to 8. Returns `true` if all faces are valid loops.
    fn check_loops(&mut self) -> bool {
        let Mesh { edge_opposite_indices, edge_next_indices, edge_vertex_indices, edge_face_indices, .. } = self.mesh;
        let (next, ends, faces) = (edge_next_indices, edge_vertex_indices, edge_face_indices);
        let halves = 0..ends.len();
        let twins = halves.clone().filter(|&half| usize::try_from(at(edge_opposite_indices, half)) != Ok(half ^ 1));
        let message = "the twin is not the other half of the pair";
        let mut is_valid = self.expect_none("mesh-twin", Severity::Error, "edgeOppositeIndices", twins, message);

        let (error, array) = (Severity::Error, "edgeNextIndices");
        let doubles = repeated(next);
        let message = "two half-edges have the same next half-edge";
        is_valid &= self.expect_none("mesh-next", error, array, doubles.into_iter(), message);
        let invalid = halves.clone().filter(|&half| at_item(ends, at(next, half) ^ 1) != at(ends, half));
        let message = "the next half-edge starts at another vertex";
        is_valid &= self.expect_none("mesh-next", error, array, invalid, message);
        let invalid = halves.clone().filter(|&half| at_item(faces, at(next, half)) != at(faces, half));
        let message = "the next half-edge lies in another face";
        is_valid &= self.expect_none("mesh-next", error, array, invalid, message);

        let named = &self.mesh.face_edge_indices;
        let invalid = (0..named.len()).filter(|&face| usize::try_from(at_item(faces, at(named, face))) != Ok(face));
        is_valid &= self.expect_none(
            "mesh-loop",
            error,
            "faceEdgeIndices",
            invalid,
            "the half-edge of the face lies in another face",
        );
        let open = halves.filter(|&half| half & 1 == 0 && at(faces, half) < 0 && at(faces, half ^ 1) < 0);
        let message = "the edge is open on both sides";
        self.expect_none("mesh-open-edge", Severity::Warning, "edgeFaceIndices", open, message);
        is_valid
    }
}

/// Returns the indices of items that repeat earlier ones, except for negative items. Sorts them: a table of all possible items
/// could be much larger than the file.
fn repeated(items: &[i32]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..items.len()).filter(|&place| at(items, place) >= 0).collect();
    places.sort_unstable_by_key(|&place| (at(items, place), place));
    let pairs = places.windows(2).filter_map(|pair| <[usize; 2]>::try_from(pair).ok());
    let mut again: Vec<usize> =
        pairs.filter(|&[one, next]| at(items, one) == at(items, next)).map(|[_, next]| next).collect();
    again.sort_unstable();
    again
}
