//! Vertices, edges and faces.

use mapwright_etf::Term;

use super::report::LoadOutcome::{Accepted, CrashOnSave, DataLoss, Inconsistent};
use super::report::{Location, Report, Tally};
use super::rings::Walk;
use crate::read::find_replaced_elements;
use crate::{Corner, ExtraList, WingedMesh};

/// Checks the geometry of an object. Returns `true` for each used vertex.
pub(super) fn check<'d>(
    report: &mut Report<'d>,
    location: &Location<'_, 'd>,
    mesh: &WingedMesh,
    walk: &Walk,
) -> Vec<bool> {
    let part = |index| location.term.element(index).unwrap_or(location.term);
    let edges = location.field("edges", part(1));
    let faces = location.field("faces", part(2));
    let vertices = location.field("vertices", part(3));

    let used = check_vertices(report, &edges, &vertices, mesh);
    let what = "an edge has the same face on both sides";
    report.add_tally(&edges, walk.one_face, "edge-one-face", Inconsistent, what);
    let what = "an edge refers to a neighbour that does not exist";
    report.add_tally(&edges, walk.no_edge, "ring-broken", Inconsistent, what);
    let what = "the edges around a face form no ring, pass a vertex twice, or have contradictory references";
    report.add_tally(&faces, walk.broken, "ring-broken", Inconsistent, what);
    let what = "the edges of a face form several rings, of which Wings 3D uses the one with the lowest edge";
    report.add_tally(&faces, walk.split, "ring-split", DataLoss, what);
    let what = "a face has only two corners; exports omit it";
    report.add_tally(&faces, walk.thin, "face-two-corners", Accepted, what);

    if walk.rings.faces.last().is_some_and(|&last| last as usize >= walk.rings.faces.len()) {
        let what = "the faces are not numbered from 0 without gaps; Wings 3D renumbers them on the next save";
        report.add(&edges, "face-ids-sparse", Accepted, what);
    }
    if !walk.rings.faces.is_empty() && mesh.faces.len() != walk.rings.faces.len() {
        let what = format!(
            "wrong length of the list of faces: {} entries for {} faces",
            mesh.faces.len(),
            walk.rings.faces.len()
        );
        report.add(&faces, "face-list-length", Accepted, what);
    }
    check_attributes(report, &edges, &faces, mesh, walk);
    check_replaced(report, [&edges, &faces, &vertices], location.term);
    check_shape(report, location, &edges, mesh, walk);
    used
}

fn check_vertices<'d>(
    report: &mut Report<'d>,
    edges: &Location<'_, 'd>,
    vertices: &Location<'_, 'd>,
    mesh: &WingedMesh,
) -> Vec<bool> {
    let mut used = vec![false; mesh.vertices.len()];
    let mut missing = Tally::default();
    for (index, edge) in mesh.edges.iter().enumerate() {
        for vertex in [edge.start, edge.end] {
            match used.get_mut(vertex as usize) {
                Some(used) => *used = true,
                None => missing.count(index),
            }
        }
    }
    let mut spare = Tally::default();
    for (index, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
        spare.count(index);
    }
    report.add_tally(edges, missing, "vertex-range", CrashOnSave, "an edge refers to a vertex that does not exist");
    let what = "no edge uses a vertex; Wings 3D drops it";
    report.add_tally(vertices, spare, "vertex-unused", DataLoss, what);
    used
}

/// Reports elements that a later one of the same entry replaces.
fn check_replaced<'d>(report: &mut Report<'d>, lists: [&Location<'_, 'd>; 3], mesh: Term<'d>) {
    let mut replaced = [Tally::default(); 3];
    find_replaced_elements(mesh, |list, index| {
        let [edges, faces, vertices] = &mut replaced;
        match list {
            ExtraList::Edge => edges.count(index),
            ExtraList::Face => faces.count(index),
            _ => vertices.count(index),
        }
    });
    let what = "an entry has several elements of one kind; Wings 3D uses the last one and drops the others";
    for (location, tally) in lists.into_iter().zip(replaced) {
        report.add_tally(location, tally, "element-duplicate", DataLoss, what);
    }
}

fn check_attributes<'d>(
    report: &mut Report<'d>,
    edges: &Location<'_, 'd>,
    faces: &Location<'_, 'd>,
    mesh: &WingedMesh,
    walk: &Walk,
) {
    let mut partial = Tally::default();
    for (face, corners) in walk.rings.iter() {
        let mapped = corners.iter().filter(|corner| has_uv(mesh, **corner)).count();
        if mapped > 0 && mapped < corners.len() {
            partial.count(face as usize);
        }
    }
    let what = "only some corners of a face have texture coordinates; Wings 3D drops them on the next save";
    report.add_tally(faces, partial, "uv-partial", DataLoss, what);

    let mut ignored = Tally::default();
    for extra in mesh.extras.iter().filter(|extra| extra.list == ExtraList::Edge) {
        let key = extra.term.root().as_property();
        if key.is_some_and(|(key, _)| matches!(key.as_bytes(), b"uv_lt" | b"uv_rt" | b"color_lt" | b"color_rt")) {
            ignored.count(extra.index as usize);
        }
    }
    let what = "texture coordinates or a colour have a wrong size or are not finite; Wings 3D ignores them";
    report.add_tally(edges, ignored, "attribute-ignored", Accepted, what);

    let mut out_of_range = Tally::default();
    for (index, edge) in mesh.edges.iter().enumerate() {
        let channels = [edge.left.color, edge.right.color].into_iter().flatten().flatten();
        if channels.into_iter().any(|channel| !(0.0..=1.0).contains(&channel)) {
            out_of_range.count(index);
        }
    }
    report.add_tally(edges, out_of_range, "colour-range", Accepted, "a colour is outside 0 to 1");
}

fn has_uv(mesh: &WingedMesh, corner: Corner) -> bool {
    mesh.edges.get(corner.edge as usize).is_some_and(|edge| edge.wing(corner.side).uv.is_some())
}

/// Reports unusual shapes, which Wings accepts.
fn check_shape<'d>(
    report: &mut Report<'d>,
    location: &Location<'_, 'd>,
    edges: &Location<'_, 'd>,
    mesh: &WingedMesh,
    walk: &Walk,
) {
    let mut short = Tally::default();
    let mut pieces = Pieces::new(mesh.vertices.len());
    for (index, edge) in mesh.edges.iter().enumerate() {
        let position = |vertex: u32| mesh.vertices.get(vertex as usize);
        if edge.start != edge.end && position(edge.start).is_some() && position(edge.start) == position(edge.end) {
            short.count(index);
        }
        pieces.join(edge.start as usize, edge.end as usize);
    }
    report.add_tally(edges, short, "edge-length", Accepted, "an edge has no length");
    let count = pieces.count();
    if count > 1 {
        report.add(location, "pieces", Accepted, format!("the object is made of {count} separate pieces"));
    }
    if walk.rings.faces.len() > 2 && is_inside_out(mesh, walk) {
        report.add(location, "inside-out", Accepted, "the faces point inwards: the volume is negative");
    }
}

/// Returns `true` if the signed volume is clearly negative.
fn is_inside_out(mesh: &WingedMesh, walk: &Walk) -> bool {
    let origin = mesh.vertices.first().copied().unwrap_or_default();
    let position = |corner: &Corner| {
        let edge = mesh.edges.get(corner.edge as usize)?;
        let [x, y, z] = *mesh.vertices.get(edge.corner(corner.side) as usize)?;
        Some([x - origin[0], y - origin[1], z - origin[2]])
    };
    let (mut volume, mut size) = (0.0, 0.0);
    for (_, corners) in walk.rings.iter() {
        let mut positions = corners.iter().filter_map(position);
        let (Some(a), Some(mut b)) = (positions.next(), positions.next()) else { continue };
        for c in positions {
            let part = a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0]);
            volume += part;
            size += part.abs();
            b = c;
        }
    }
    volume < -1e-9 * size
}

/// Connected parts of a mesh, as a union-find structure.
struct Pieces {
    /// A vertex of the same part, closer to its root. The root refers to itself.
    up: Vec<usize>,
    /// `true` for vertices of edges.
    used: Vec<bool>,
}

impl Pieces {
    fn new(vertices: usize) -> Self {
        Self { up: (0..vertices).collect(), used: vec![false; vertices] }
    }

    /// Returns the root of a vertex, and halves the path to it.
    fn find_root(&mut self, mut vertex: usize) -> Option<usize> {
        loop {
            let up = *self.up.get(vertex)?;
            if up == vertex {
                return Some(vertex);
            }
            let above = *self.up.get(up)?;
            *self.up.get_mut(vertex)? = above;
            vertex = above;
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        let (Some(top_a), Some(top_b)) = (self.find_root(a), self.find_root(b)) else { return };
        // Close numbers usually are neighbours: the lower root stays.
        if let Some(up) = self.up.get_mut(top_a.max(top_b)) {
            *up = top_a.min(top_b);
        }
        for vertex in [a, b] {
            if let Some(used) = self.used.get_mut(vertex) {
                *used = true;
            }
        }
    }

    fn count(&self) -> usize {
        let tops = self.up.iter().enumerate().zip(&self.used);
        tops.filter(|((vertex, up), used)| *vertex == **up && **used).count()
    }
}
