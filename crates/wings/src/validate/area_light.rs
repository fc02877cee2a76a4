//! Meshes of area lights: `{e3d_mesh,Type,Vertices,Colours,Uvs,Normals,Faces,HardEdges,Matrix}`.
//!
//! Wings cleans the faces, drops unused vertices and builds an object, if necessary face by face. Therefore the arrangement of
//! the faces causes few faults; most are in the types of the terms.

use std::cmp::Ordering;

use mapwright_etf::{List, ListItem, Term};

use super::lookup::{items, pair, proper};
use super::report::LoadOutcome::{self, CrashOnLoad, CrashOnSave};
use super::term_order::compare_terms;

type Fault = (LoadOutcome, &'static str);

/// Returns the first fault of a mesh.
pub(super) fn find_fault(mesh: Term<'_>) -> Option<Fault> {
    let shape = "the mesh of an area light is not an e3d_mesh of lists";
    let Some([tag, _, vertices, colors, uvs, normals, faces, hard, matrix]) = mesh.as_tuple_of() else {
        return Some((CrashOnLoad, shape));
    };
    let lists = [vertices, colors, uvs, normals, faces, hard];
    if !tag.is_atom("e3d_mesh") || lists.iter().any(|list| proper(*list).is_none()) {
        return Some((CrashOnLoad, shape));
    }
    check(vertices, colors, faces, matrix)
        .and_then(|used| {
            // Wings renumbers the vertices if some are unused, or if there are texture coordinates or normals.
            let all_used = used.iter().all(|used| *used) && [uvs, normals].iter().all(|list| is_empty(*list));
            let is_edge = |item| pair(item).is_some_and(|ends| ends.into_iter().all(super::lookup::is_number));
            match all_used || items(hard).all(is_edge) {
                true => Ok(()),
                false => Err((CrashOnLoad, "a hard edge in the mesh of an area light is not a pair of vertices")),
            }
        })
        .err()
}

fn is_empty(list: Term<'_>) -> bool {
    list.as_list().is_some_and(List::is_empty)
}

/// Checks all parts except the hard edges. Returns `true` for each used vertex.
fn check(vertices: Term<'_>, colors: Term<'_>, faces: Term<'_>, matrix: Term<'_>) -> Result<Vec<bool>, Fault> {
    let is_color = |item: ListItem<'_>| {
        item.term().and_then(Term::as_tuple).is_some_and(|channels| matches!(channels.len(), 3 | 4))
    };
    if !items(colors).all(is_color) {
        return Err((
            CrashOnLoad,
            "a vertex colour in the mesh of an area light is not a tuple of three or four channels",
        ));
    }
    let mut used = vec![false; items(vertices).count()];
    let mut is_seen = false;
    for face in items(faces) {
        let Some((ring, material)) = face_parts(face) else {
            return Err((
                CrashOnLoad,
                "a face in the mesh of an area light is not an e3d_face with a list of vertices",
            ));
        };
        let Some(ring) = clean_ring(ring, used.len()) else { continue };
        for corner in ring {
            let used = corner.as_i64().and_then(|vertex| used.get_mut(usize::try_from(vertex).ok()?));
            *used.ok_or((CrashOnLoad, "a vertex in a face of an area light is not a natural number"))? = true;
        }
        let named = items(material).next().and_then(ListItem::term);
        let is_one = proper(material).is_some_and(|all| all.count() == 1);
        let is_hole = named.and_then(Term::as_tuple_of).is_some_and(|[tag]: [_; 1]| tag.is_atom("hole"));
        if !is_empty(material) && !(is_one && (is_hole || named.is_some_and(|name| name.as_atom().is_some()))) {
            return Err((CrashOnLoad, "the material in a face of an area light is not a list of at most one atom"));
        }
        is_seen |= !is_hole;
    }
    let matrix = Matrix::new(matrix).ok_or((CrashOnLoad, "the matrix of an area light is not a matrix of floats"))?;
    if !is_seen {
        return Err((CrashOnSave, "no face of an area light has three different vertices"));
    }
    check_centre(vertices, &used, &matrix)?;
    Ok(used)
}

/// Returns the vertices and the material of a face.
fn face_parts(face: ListItem<'_>) -> Option<(Term<'_>, Term<'_>)> {
    let face = face.term()?;
    let [tag, ring, material] = [face.element(0)?, face.element(1)?, face.element(5)?];
    (face.as_tuple().is_some() && tag.is_atom("e3d_face") && proper(ring).is_some()).then_some((ring, material))
}

/// Returns the corners of a face. Wings drops faces with a vertex out of range, a repeated vertex, or too few corners.
fn clean_ring(ring: Term<'_>, vertices: usize) -> Option<Vec<ListItem<'_>>> {
    let is_below = |corner: ListItem<'_>| match corner {
        ListItem::Byte(byte) => usize::from(byte) < vertices,
        // In Erlang's order, all other terms follow the numbers.
        ListItem::Term(term) => match term.as_integer() {
            Some(integer) => {
                let id = integer.to_i64().and_then(|id| usize::try_from(id).ok());
                integer.negative || id.is_some_and(|id| id < vertices)
            }
            #[expect(clippy::cast_precision_loss, reason = "a mesh of 2^53 vertices does not fit the memory")]
            None => term.as_f64().is_some_and(|id| id < vertices as f64),
        },
    };
    let is_float = |corner: ListItem<'_>| corner.term().and_then(Term::as_f64).is_some();
    let mut corners = Vec::new();
    for corner in items(ring) {
        if !is_below(corner) {
            return None;
        }
        corners.push(corner);
    }
    let is_same = |a: ListItem<'_>, b: ListItem<'_>| is_float(a) == is_float(b) && compare_terms(a, b).is_eq();
    let first = corners.first().copied();
    corners.dedup_by(|a, b| is_same(*a, *b));
    if corners.last().zip(first).is_some_and(|(last, first)| is_same(*last, first)) {
        corners.pop();
    }
    let mut sorted = corners.clone();
    sorted.sort_unstable_by(|a, b| compare_terms(*a, *b));
    let repeats = sorted.windows(2).any(|pair| matches!(pair, [a, b] if compare_terms(*a, *b) == Ordering::Equal));
    (corners.len() > 2 && !repeats).then_some(corners)
}

/// Adds all vertices, as Wings does to compute the position of the light.
fn check_centre(vertices: Term<'_>, used: &[bool], matrix: &Matrix) -> Result<(), Fault> {
    let mut sum = [0.0_f64; 3];
    for (vertex, _) in items(vertices).zip(used).filter(|(_, used)| **used) {
        let floats = vertex.term().and_then(Term::as_tuple_of::<3>).map(|vertex| vertex.map(Term::as_f64));
        let outcome = if matches!(matrix, Matrix::Identity) { CrashOnSave } else { CrashOnLoad };
        let Some([Some(x), Some(y), Some(z)]) = floats else {
            return Err((outcome, "a vertex of an area light is not a triple of floats"));
        };
        let moved = matrix.apply([x, y, z]);
        if moved.iter().any(|x| !x.is_finite()) {
            return Err((outcome, "the matrix of an area light moves a vertex beyond the range of floats"));
        }
        sum.iter_mut().zip(moved).for_each(|(sum, x)| *sum += x);
    }
    match sum.iter().all(|sum| sum.is_finite()) {
        true => Ok(()),
        false => Err((CrashOnSave, "the vertices of an area light are beyond the range of floats")),
    }
}

/// A matrix of a mesh.
enum Matrix {
    Identity,
    /// Three axes and a translation, each with its weight.
    Rows([[f64; 4]; 4]),
}

impl Matrix {
    fn new(term: Term<'_>) -> Option<Self> {
        if term.is_atom("identity") {
            return Some(Self::Identity);
        }
        let columns = match term.as_tuple()?.len() {
            12 => 3,
            16 => 4,
            _ => return None,
        };
        let mut rows = [[0.0; 4], [0.0; 4], [0.0; 4], [0.0, 0.0, 0.0, 1.0]];
        let floats: Vec<f64> = term.as_tuple()?.map(Term::as_f64).collect::<Option<_>>()?;
        for (row, floats) in rows.iter_mut().zip(floats.chunks_exact(columns)) {
            row.iter_mut().zip(floats).for_each(|(element, float)| *element = *float);
        }
        let identity = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
        Some(if rows == identity { Self::Identity } else { Self::Rows(rows) })
    }

    fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let Self::Rows([a, b, c, t]) = self else { return [x, y, z] };
        let mut sums = [0.0; 4];
        for ((((sum, a), b), c), t) in sums.iter_mut().zip(a).zip(b).zip(c).zip(t) {
            *sum = x * a + y * b + z * c + t;
        }
        let [x, y, z, weight] = sums;
        [x / weight, y / weight, z / weight]
    }
}
