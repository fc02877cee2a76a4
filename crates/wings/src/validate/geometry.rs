//! Vertices, edges and faces.

use super::report::{Fate, Place, Report, Tally};
use super::rings::Walk;
use crate::{Corner, ExtraOf, WingedMesh};

/// Checks the geometry of an object; gives which vertices are used.
pub(super) fn check<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, mesh: &WingedMesh, walk: &Walk) -> Vec<bool> {
    let part = |index| place.term.element(index).unwrap_or(place.term);
    let edges = place.field("edges", part(1));
    let faces = place.field("faces", part(2));
    let vertices = place.field("vertices", part(3));

    let used = uses(report, &edges, &vertices, mesh);
    let what = "an edge has the same face on both sides";
    report.many(&edges, walk.one_face, "edge-one-face", Fate::Inconsistent, what);
    let what = "an edge names a neighbour that does not exist";
    report.many(&edges, walk.no_edge, "ring-broken", Fate::Inconsistent, what);
    let what = "the edges around a face form no ring, or past a vertex twice, or their pointers disagree";
    report.many(&faces, walk.broken, "ring-broken", Fate::Inconsistent, what);
    let what = "the edges of a face form several rings, of which Wings 3D sees the one with the lowest edge";
    report.many(&faces, walk.split, "ring-split", Fate::Lost, what);
    let what = "a face has only two corners; it is left out of exports";
    report.many(&faces, walk.thin, "face-two-corners", Fate::Note, what);

    if walk.rings.faces.last().is_some_and(|&last| last as usize >= walk.rings.faces.len()) {
        let what = "the faces are not numbered from 0 without gaps; Wings 3D numbers them anew on the next save";
        report.add(&edges, "face-ids-sparse", Fate::Note, what);
    }
    if !walk.rings.faces.is_empty() && mesh.faces.len() != walk.rings.faces.len() {
        let what = format!("there are {} entries for {} faces", mesh.faces.len(), walk.rings.faces.len());
        report.add(&faces, "face-list-length", Fate::Note, what);
    }
    attributes(report, &edges, &faces, mesh, walk);
    form(report, place, &edges, mesh, walk);
    used
}

fn uses<'d>(report: &mut Report<'d>, edges: &Place<'_, 'd>, vertices: &Place<'_, 'd>, mesh: &WingedMesh) -> Vec<bool> {
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
    report.many(edges, missing, "vertex-range", Fate::Save, "an edge names a vertex that does not exist");
    let what = "no edge uses a vertex; Wings 3D drops it";
    report.many(vertices, spare, "vertex-unused", Fate::Lost, what);
    used
}

fn attributes<'d>(
    report: &mut Report<'d>,
    edges: &Place<'_, 'd>,
    faces: &Place<'_, 'd>,
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
    report.many(faces, partial, "uv-partial", Fate::Lost, what);

    let mut ignored = Tally::default();
    for extra in mesh.extras.iter().filter(|extra| extra.of == ExtraOf::Edge) {
        let key = extra.term.root().as_property();
        if key.is_some_and(|(key, _)| matches!(key.as_bytes(), b"uv_lt" | b"uv_rt" | b"color_lt" | b"color_rt")) {
            ignored.count(extra.index as usize);
        }
    }
    let what = "texture coordinates or a colour of a wrong size, or not finite; Wings 3D ignores them";
    report.many(edges, ignored, "attribute-ignored", Fate::Note, what);

    let mut garish = Tally::default();
    for (index, edge) in mesh.edges.iter().enumerate() {
        let channels = [edge.left.color, edge.right.color].into_iter().flatten().flatten();
        if channels.into_iter().any(|channel| !(0.0..=1.0).contains(&channel)) {
            garish.count(index);
        }
    }
    report.many(edges, garish, "colour-range", Fate::Note, "a colour is outside 0 to 1");
}

fn has_uv(mesh: &WingedMesh, corner: Corner) -> bool {
    mesh.edges.get(corner.edge as usize).is_some_and(|edge| edge.wing(corner.side).uv.is_some())
}

/// What does not disturb Wings, but its user.
fn form<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, edges: &Place<'_, 'd>, mesh: &WingedMesh, walk: &Walk) {
    let mut short = Tally::default();
    let mut pieces = Pieces::new(mesh.vertices.len());
    for (index, edge) in mesh.edges.iter().enumerate() {
        let position = |vertex: u32| mesh.vertices.get(vertex as usize);
        if edge.start != edge.end && position(edge.start).is_some() && position(edge.start) == position(edge.end) {
            short.count(index);
        }
        pieces.join(edge.start as usize, edge.end as usize);
    }
    report.many(edges, short, "edge-length", Fate::Note, "an edge has no length");
    let count = pieces.count();
    if count > 1 {
        report.add(place, "pieces", Fate::Note, format!("the object is made of {count} separate pieces"));
    }
    if walk.rings.faces.len() > 2 && is_inside_out(mesh, walk) {
        report.add(place, "inside-out", Fate::Note, "the faces look inwards: the volume is negative");
    }
}

/// Whether the signed volume is clearly negative.
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

/// Sets of vertices that edges connect.
struct Pieces {
    /// A vertex of the same piece, nearer to its first; the vertex itself for those that stand for their piece.
    up: Vec<usize>,
    /// Vertices that an edge uses.
    used: Vec<bool>,
}

impl Pieces {
    fn new(vertices: usize) -> Self {
        Self { up: (0..vertices).collect(), used: vec![false; vertices] }
    }

    /// The vertex that stands for the piece; the way there is halved.
    fn top(&mut self, mut vertex: usize) -> Option<usize> {
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
        let (Some(top_a), Some(top_b)) = (self.top(a), self.top(b)) else { return };
        // Vertices that are close in number are mostly neighbours: the lower one stays on top.
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
