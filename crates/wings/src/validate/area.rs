//! Meshes of area lights: `{e3d_mesh,Type,Vertices,Colours,Uvs,Normals,Faces,HardEdges,Matrix}`.
//!
//! Wings cleans the faces, drops unused vertices and builds an object, face by face if need be; so little goes wrong with
//! how faces lie to each other, and much with what they are made of.

use std::cmp::Ordering;

use mapwright_etf::{List, ListItem, Term};

use super::order::order;
use super::prop::{items, pair, proper};
use super::report::Fate;

type Fault = (Fate, &'static str);

/// What is wrong with a mesh.
pub(super) fn fault(mesh: Term<'_>) -> Option<Fault> {
    let shape = "the mesh of an area light is no e3d_mesh of lists";
    let Some([tag, _, vertices, colors, uvs, normals, faces, hard, matrix]) = mesh.as_tuple_of() else {
        return Some((Fate::Load, shape));
    };
    let lists = [vertices, colors, uvs, normals, faces, hard];
    if !tag.is_atom("e3d_mesh") || lists.iter().any(|list| proper(*list).is_none()) {
        return Some((Fate::Load, shape));
    }
    check(vertices, colors, faces, matrix)
        .and_then(|used| {
            // Vertices are numbered anew when some are unused, or when there is what no face can refer to.
            let all_used = used.iter().all(|used| *used) && [uvs, normals].iter().all(|list| is_empty(*list));
            let is_edge = |item| pair(item).is_some_and(|ends| ends.into_iter().all(super::prop::is_number));
            match all_used || items(hard).all(is_edge) {
                true => Ok(()),
                false => Err((Fate::Load, "a hard edge in the mesh of an area light is no pair of vertices")),
            }
        })
        .err()
}

fn is_empty(list: Term<'_>) -> bool {
    list.as_list().is_some_and(List::is_empty)
}

/// Checks all but the hard edges; gives which vertices are used.
fn check(vertices: Term<'_>, colors: Term<'_>, faces: Term<'_>, matrix: Term<'_>) -> Result<Vec<bool>, Fault> {
    let is_color = |item: ListItem<'_>| {
        item.term().and_then(Term::as_tuple).is_some_and(|channels| matches!(channels.len(), 3 | 4))
    };
    if !items(colors).all(is_color) {
        return Err((Fate::Load, "a vertex colour in the mesh of an area light is no tuple of three or four"));
    }
    let mut used = vec![false; items(vertices).count()];
    let mut is_seen = false;
    for face in items(faces) {
        let Some((ring, material)) = parts(face) else {
            return Err((Fate::Load, "a face in the mesh of an area light is no e3d_face with a list of vertices"));
        };
        let Some(ring) = cleaned(ring, used.len()) else { continue };
        for corner in ring {
            let used = corner.as_i64().and_then(|vertex| used.get_mut(usize::try_from(vertex).ok()?));
            *used.ok_or((Fate::Load, "a vertex in a face of an area light is no natural number"))? = true;
        }
        let named = items(material).next().and_then(ListItem::term);
        let is_one = proper(material).is_some_and(|all| all.count() == 1);
        let is_hole = named.and_then(Term::as_tuple_of).is_some_and(|[tag]: [_; 1]| tag.is_atom("hole"));
        if !is_empty(material) && !(is_one && (is_hole || named.is_some_and(|name| name.as_atom().is_some()))) {
            return Err((Fate::Load, "the material in a face of an area light is no list of at most one atom"));
        }
        is_seen |= !is_hole;
    }
    let matrix = Matrix::new(matrix).ok_or((Fate::Load, "the matrix of an area light is no matrix of floats"))?;
    if !is_seen {
        return Err((Fate::Save, "no face of an area light has three different vertices"));
    }
    centre(vertices, &used, &matrix)?;
    Ok(used)
}

/// The vertices and the material of a face.
fn parts(face: ListItem<'_>) -> Option<(Term<'_>, Term<'_>)> {
    let face = face.term()?;
    let [tag, ring, material] = [face.element(0)?, face.element(1)?, face.element(5)?];
    (face.as_tuple().is_some() && tag.is_atom("e3d_face") && proper(ring).is_some()).then_some((ring, material))
}

/// The corners of a face, unless Wings drops it: for a vertex beyond the last, for one that comes twice, for too few.
fn cleaned(ring: Term<'_>, vertices: usize) -> Option<Vec<ListItem<'_>>> {
    let is_below = |corner: ListItem<'_>| match corner {
        ListItem::Byte(byte) => usize::from(byte) < vertices,
        // Whatever is no number comes after all numbers.
        ListItem::Term(term) => match term.as_integer() {
            Some(integer) => {
                let id = integer.to_i64().and_then(|id| usize::try_from(id).ok());
                integer.negative || id.is_some_and(|id| id < vertices)
            }
            #[expect(clippy::cast_precision_loss, reason = "a mesh of 2^53 vertices has no place in memory")]
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
    let is_same = |a: ListItem<'_>, b: ListItem<'_>| is_float(a) == is_float(b) && order(a, b).is_eq();
    let first = corners.first().copied();
    corners.dedup_by(|a, b| is_same(*a, *b));
    if corners.last().zip(first).is_some_and(|(last, first)| is_same(*last, first)) {
        corners.pop();
    }
    let mut sorted = corners.clone();
    sorted.sort_unstable_by(|a, b| order(*a, *b));
    let repeats = sorted.windows(2).any(|pair| matches!(pair, [a, b] if order(*a, *b) == Ordering::Equal));
    (corners.len() > 2 && !repeats).then_some(corners)
}

/// Adds all vertices, as Wings does to find the place of the light.
fn centre(vertices: Term<'_>, used: &[bool], matrix: &Matrix) -> Result<(), Fault> {
    let mut sum = [0.0_f64; 3];
    for (vertex, _) in items(vertices).zip(used).filter(|(_, used)| **used) {
        let floats = vertex.term().and_then(Term::as_tuple_of::<3>).map(|vertex| vertex.map(Term::as_f64));
        let fate = if matches!(matrix, Matrix::Identity) { Fate::Save } else { Fate::Load };
        let Some([Some(x), Some(y), Some(z)]) = floats else {
            return Err((fate, "a vertex of an area light is no triple of floats"));
        };
        let moved = matrix.apply([x, y, z]);
        if moved.iter().any(|x| !x.is_finite()) {
            return Err((fate, "the matrix of an area light moves a vertex too far away to compute with"));
        }
        sum.iter_mut().zip(moved).for_each(|(sum, x)| *sum += x);
    }
    match sum.iter().all(|sum| sum.is_finite()) {
        true => Ok(()),
        false => Err((Fate::Save, "the vertices of an area light are too far away to compute with")),
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
        for (index, element) in term.as_tuple()?.enumerate() {
            let float = element.as_f64()?;
            let place = rows.get_mut(index / columns).and_then(|row| row.get_mut(index % columns));
            if let Some(place) = place {
                *place = float;
            }
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
