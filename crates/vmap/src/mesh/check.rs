//! What is wrong with a mesh.

mod data;

use mapwright_io::{Finding, Frame, Path, Severity};

use super::Mesh;
use super::polygons::out_of_range;

impl Mesh {
    /// Compares the mesh with what every mesh of Hammer is: consistent, its data whole. One finding for each kind of flaw and each
    /// array, with the first place in the mesh and how many there are.
    ///
    /// Errors are what makes the mesh unusable (indices out of range, broken loops, streams of another length than their data
    /// array states), warnings all else. Linear, whatever the numbers are.
    ///
    /// | code | what is wrong |
    /// |---|---|
    /// | `mesh-length` | index arrays that go together differ in length, or there is an odd number of half-edges |
    /// | `mesh-range` | an index is out of range |
    /// | `mesh-twin` | a twin is not the other half of its pair |
    /// | `mesh-next` | the next half-edge starts elsewhere, lies in another face, or is the next of another one too |
    /// | `mesh-loop` | a face names a half-edge of another face, or has several loops |
    /// | `mesh-face-corners` | a face has less than three corners |
    /// | `mesh-open-edge` | an edge has no face |
    /// | `mesh-isolated-vertex` | a vertex has no edge |
    /// | `mesh-vertex-edge` | the half-edge of a vertex does not leave it |
    /// | `mesh-order` | places in vertex, edge or face data are not in order |
    /// | `mesh-corner` | two half-edges share a corner |
    /// | `mesh-size` | a data array states another size than there are vertices, edges, faces or corners |
    /// | `mesh-stream-length` | a stream is shorter or longer than its data array states |
    /// | `mesh-stream-name` | a stream is not named by its semantic, or as another one |
    /// | `mesh-stream-missing` | a stream that every mesh has is missing or has another type |
    /// | `mesh-material` | a material is empty, repeated or not used, or a face names none of them |
    /// | `mesh-not-finite` | a number is infinite or none |
    /// | `mesh-texture-scale` | a face has texture scale 0 |
    /// | `mesh-winding` | a face is clockwise about its normals |
    /// | `mesh-flat` | a face has no area |
    /// | `mesh-subdivision` | levels are not one per corner, differ within a face, or do not go with the number of samples |
    pub fn check(&self) -> Vec<Finding> {
        let mut check = Check { mesh: self, findings: Vec::new() };
        if check.indices() {
            check.order();
            if check.loops() {
                check.faces();
            }
        }
        check.data();
        check.findings
    }
}

struct Check<'a> {
    mesh: &'a Mesh,
    findings: Vec<Finding>,
}

/// An item that is known to be there.
fn at(items: &[i32], index: usize) -> i32 {
    items.get(index).copied().unwrap_or(-1)
}

/// The item that another one names.
fn through(items: &[i32], index: i32) -> i32 {
    usize::try_from(index).map_or(-1, |index| at(items, index))
}

impl Check<'_> {
    fn report(&mut self, code: &'static str, severity: Severity, path: &[Frame], message: String) {
        let path: Path = path.iter().cloned().collect();
        self.findings.push(Finding::new(code, severity, message).on(path));
    }

    /// Reports the first of some flaws in an array, and how many more there are. Says whether there is none.
    fn none(
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

    /// Lengths and ranges. Says whether all indices can be followed.
    fn indices(&mut self) -> bool {
        let mesh = self.mesh;
        if let Some(array) = mesh.odd_length() {
            let message = "the array has another length than the arrays that go with it".to_owned();
            self.report("mesh-length", Severity::Error, &[Frame::Field(array)], message);
            return false;
        }
        if !mesh.edge_vertex_indices.len().is_multiple_of(2) {
            let path = [Frame::Field("edgeVertexIndices")];
            self.report("mesh-length", Severity::Error, &path, "the number of half-edges is odd".to_owned());
            return false;
        }
        let mut whole = true;
        for (array, items, low, high) in mesh.bounds() {
            if let Some(index) = out_of_range(items, low, high) {
                let message = format!("{} is not in the range from {low} to below {high}", at(items, index));
                self.report("mesh-range", Severity::Error, &[Frame::Field(array), Frame::Index(index)], message);
                whole = false;
            }
        }
        whole
    }

    /// Invariants 1 to 4 and 9: how the arrays are numbered, and what vertices name.
    fn order(&mut self) {
        let mesh = self.mesh;
        let unlike = |items: &'static str, list: &[i32], wanted: fn(usize) -> usize| {
            let flaws: Vec<usize> =
                (0..list.len()).filter(|&i| usize::try_from(at(list, i)) != Ok(wanted(i))).collect();
            (items, flaws)
        };
        let orders = [
            unlike("vertexDataIndices", &mesh.vertex_data_indices, |index| index),
            unlike("edgeDataIndices", &mesh.edge_data_indices, |half| half >> 1),
            unlike("faceDataIndices", &mesh.face_data_indices, |index| index),
        ];
        for (array, flaws) in orders {
            self.none("mesh-order", Severity::Warning, array, flaws.into_iter(), "the data are not in order");
        }
        let corners = &mesh.edge_vertex_data_indices;
        let message = "the corner is that of another half-edge too";
        let flaws = repeated(corners);
        self.none("mesh-corner", Severity::Warning, "edgeVertexDataIndices", flaws.into_iter(), message);

        let edges = &mesh.vertex_edge_indices;
        let isolated = (0..edges.len()).filter(|&vertex| at(edges, vertex) < 0);
        let message = "the vertex has no edge";
        self.none("mesh-isolated-vertex", Severity::Warning, "vertexEdgeIndices", isolated, message);
        let astray = (0..edges.len()).filter(|&vertex| {
            let edge = at(edges, vertex);
            edge >= 0 && usize::try_from(through(&mesh.edge_vertex_indices, edge ^ 1)) != Ok(vertex)
        });
        let message = "the half-edge does not leave the vertex";
        self.none("mesh-vertex-edge", Severity::Warning, "vertexEdgeIndices", astray, message);
    }

    /// Invariants 1 and 5 to 8. Says whether the loops of faces can be walked.
    fn loops(&mut self) -> bool {
        let Mesh { edge_opposite_indices, edge_next_indices, edge_vertex_indices, edge_face_indices, .. } = self.mesh;
        let (next, ends, faces) = (edge_next_indices, edge_vertex_indices, edge_face_indices);
        let halves = 0..ends.len();
        let twins = halves.clone().filter(|&half| usize::try_from(at(edge_opposite_indices, half)) != Ok(half ^ 1));
        let message = "the twin is not the other half of the pair";
        let mut whole = self.none("mesh-twin", Severity::Error, "edgeOppositeIndices", twins, message);

        let (error, array) = (Severity::Error, "edgeNextIndices");
        let doubles = repeated(next);
        let message = "the half-edge is the next of another one too";
        whole &= self.none("mesh-next", error, array, doubles.into_iter(), message);
        let astray = halves.clone().filter(|&half| through(ends, at(next, half) ^ 1) != at(ends, half));
        let message = "the next half-edge starts at another vertex than this one ends at";
        whole &= self.none("mesh-next", error, array, astray, message);
        let astray = halves.clone().filter(|&half| through(faces, at(next, half)) != at(faces, half));
        let message = "the next half-edge lies in another face";
        whole &= self.none("mesh-next", error, array, astray, message);

        let named = &self.mesh.face_edge_indices;
        let astray = (0..named.len()).filter(|&face| usize::try_from(through(faces, at(named, face))) != Ok(face));
        whole &= self.none("mesh-loop", error, "faceEdgeIndices", astray, "the half-edge lies in another face");
        let open = halves.filter(|&half| half & 1 == 0 && at(faces, half) < 0 && at(faces, half ^ 1) < 0);
        let message = "the edge is open on both sides";
        self.none("mesh-open-edge", Severity::Warning, "edgeFaceIndices", open, message);
        whole
    }
}

/// The places of items that stand further ahead too; items below 0 are none. Found by sorting: a list of what they number could be
/// as long as a file says, whatever its size.
fn repeated(items: &[i32]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..items.len()).filter(|&place| at(items, place) >= 0).collect();
    places.sort_unstable_by_key(|&place| (at(items, place), place));
    let pairs = places.windows(2).filter_map(|pair| <[usize; 2]>::try_from(pair).ok());
    let mut again: Vec<usize> =
        pairs.filter(|&[one, next]| at(items, one) == at(items, next)).map(|[_, next]| next).collect();
    again.sort_unstable();
    again
}
