//! The triangles and attributes of a primitive.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{
    Reader,
    accessor::{Column, Rows},
    polygons::polygons,
};
use crate::{
    Category, Error, ErrorKind,
    gltf::json::{Primitive, codes},
};

/// Memory for a corner or an instance while it is read, without texture coordinates and colours.
pub(super) const ITEM: u64 = 256;
/// Memory for a corner per set of texture coordinates and of colours.
const SETS: [usize; 2] = [size_of::<Option<[f64; 2]>>(), size_of::<Option<[f32; 4]>>()];

/// The faces of a primitive, as rings of vertices.
pub(super) struct Faces {
    /// All corners, face by face.
    pub corners: Vec<u32>,
    /// Number of corners of each face.
    pub sizes: Vec<u32>,
    /// Number of each face in the mesh, if the primitive stores it.
    pub numbers: Vec<u32>,
}

/// The columns of corner data.
pub(super) struct Attributes<'b> {
    pub position: Rows<'b, 3>,
    /// Number of rows of `position`.
    pub count: usize,
    pub normal: Option<Rows<'b, 3>>,
    pub uvs: Vec<Option<Rows<'b, 2>>>,
    pub colors: Vec<Option<Rows<'b, 4>>>,
    /// Numbers of the vertices in the mesh.
    pub vertex: Option<Column<'b>>,
}

impl<'a> Reader<'a> {
    /// Returns the faces of a primitive in a mesh with these numbers of UV and colour sets. Returns `None` and reports a loss
    /// if there are none.
    pub(super) fn faces(
        &mut self,
        primitive: &Primitive,
        sets: [usize; 2],
        path: &str,
    ) -> Result<Option<Faces>, Error> {
        // A document that does not require the compression has a copy without it.
        let position = primitive.attributes.get("POSITION").and_then(|index| self.root.accessors.get(*index as usize));
        let has_copy = position.is_some_and(|position| position.buffer_view.is_some() || position.sparse.is_some());
        if primitive.extensions.draco.is_some() && !has_copy {
            self.losses.dropped(path, "compressed geometry");
            return Ok(None);
        }
        if !primitive.targets.is_empty() {
            self.losses.dropped(format!("{path}.targets"), "morph targets");
        }
        let mode = primitive.mode.unwrap_or(codes::TRIANGLES);
        if !(codes::TRIANGLES..=codes::TRIANGLE_FAN).contains(&mode) {
            self.losses.dropped(path, if mode < codes::TRIANGLES { "points or lines" } else { "an unknown mode" });
            return Ok(None);
        }
        let Some(&position) = primitive.attributes.get("POSITION") else {
            self.losses.dropped(path, "a primitive without positions");
            return Ok(None);
        };
        let vertices = self.column(position, &[3])?.count;
        let bytes = ITEM + sets.iter().zip(SETS).map(|(&count, size)| (count * size) as u64).sum::<u64>();
        // Each vertex of a strip or a fan is in three triangles.
        let bytes = if mode == codes::TRIANGLES { bytes } else { 3 * bytes };
        let corners = self.indices(primitive, vertices, bytes, path)?;
        let triangles = triangles(&corners, mode);
        let triangles = triangles.as_ref();
        let is_flat = |[a, b, c]: &[u32; 3]| a == b || b == c || c == a;
        let flat = triangles.iter().filter(|triangle| is_flat(triangle)).count();
        if mode == codes::TRIANGLES && (corners.len() % 3 != 0 || flat > 0) {
            self.losses.repaired(path, "triangles with fewer than three vertices were left out");
        }
        let mut faces = Faces { corners: Vec::new(), sizes: Vec::new(), numbers: Vec::new() };
        let note = primitive.extras.note.as_deref();
        let rings = note.filter(|note| !note.polygons.is_empty()).map(|note| polygons(triangles, &note.polygons));
        match rings {
            Some(Some((corners, sizes))) => (faces.corners, faces.sizes) = (corners, sizes),
            other => {
                if other.is_some() {
                    self.losses.repaired(path, "polygon notes do not match the triangles");
                }
                faces.sizes = vec![3; triangles.len() - flat];
                faces.corners = if flat == 0 && mode == codes::TRIANGLES && corners.len() == 3 * triangles.len() {
                    corners
                } else {
                    triangles.iter().filter(|triangle| !is_flat(triangle)).flatten().copied().collect()
                };
            }
        }
        if let Some(note) = note {
            faces.numbers = expand(&note.faces, faces.sizes.len());
        }
        Ok(Some(faces))
    }

    /// Returns the vertices of a primitive in the order of its mode, after checking them. Each will create this many bytes.
    fn indices(&self, primitive: &Primitive, vertices: usize, bytes: u64, path: &str) -> Result<Vec<u32>, Error> {
        let Some(index) = primitive.indices else {
            self.spend(vertices as u64, bytes, path)?;
            return (0..vertices).map(|vertex| u32::try_from(vertex).map_err(|_| too_many(path))).collect();
        };
        let column = self.column(index, &[1])?;
        self.spend(column.count as u64, bytes, path)?;
        let indices = column.indices()?;
        if indices.iter().max().is_some_and(|&last| last as usize >= vertices)
            && let Some((row, &vertex)) = indices.iter().enumerate().find(|(_, vertex)| **vertex as usize >= vertices)
        {
            let kind = ErrorKind::BadIndex { index: vertex.into(), count: vertices as u64 };
            return Err(Error::on_path(kind, format!("accessors[{index}][{row}]")));
        }
        Ok(indices)
    }

    /// Returns the attribute columns of a mesh with these numbers of corners, UV sets and colour sets. Texture coordinates outside of their buffers are
    /// left out: the rest of the mesh is complete without them.
    pub(super) fn attributes(
        &mut self,
        attributes: &BTreeMap<String, u32>,
        corners: usize,
        sets: [usize; 2],
        path: &str,
    ) -> Result<Option<Attributes<'a>>, Error> {
        let named = |name: &str| attributes.get(name).copied();
        let column = |index: Option<u32>, widths: &[usize]| index.map(|index| self.column(index, widths)).transpose();
        let Some(position) = column(named("POSITION"), &[3])? else { return Ok(None) };
        let count = position.count;
        // Primitives of some programs share their rows, and use few of them each.
        let are_used = count <= corners;
        let [uv_sets, color_sets] = sets;
        self.spend((uv_sets + color_sets) as u64, size_of::<Option<Rows<'_, 4>>>() as u64, "meshes")?;
        let mut invalid = Vec::new();
        let uvs = (0..uv_sets).map(|set| {
            let name = format!("TEXCOORD_{set}");
            let reason = match column(named(&name), &[2]) {
                Ok(Some(uvs)) if uvs.count < count => {
                    format!("{} rows, expected {count}", uvs.count)
                }
                Err(error) if error.category() != Category::Limit => error.to_string(),
                read => return Ok(read?.map(|uvs| Rows::new(uvs, are_used, count))),
            };
            invalid.push((format!("{path}.attributes.{name}"), format!("texture coordinates left out: {reason}")));
            Ok(None)
        });
        let uvs = uvs.collect::<Result<_, Error>>()?;
        let colors = (0..color_sets).map(|set| {
            let seen = named(&format!("COLOR_{set}"));
            let colors = column(seen.or_else(|| named(&format!("_COLOR_{set}"))), &[3, 4])?;
            Ok(colors.map(|colors| Rows::new(colors, are_used, count)))
        });
        let attributes = Attributes {
            position: Rows::new(position, are_used, count),
            count,
            normal: column(named("NORMAL"), &[3])?.map(|normals| Rows::new(normals, are_used, count)),
            uvs,
            colors: colors.collect::<Result<_, Error>>()?,
            vertex: column(named("_VERTEX"), &[1])?,
        };
        invalid.into_iter().for_each(|(path, text)| self.losses.repaired(path, text));
        Ok(Some(attributes))
    }
}

/// Returns the error for more vertices than 32-bit indices.
pub(super) fn too_many(path: &str) -> Error {
    Error::on_path(ErrorKind::Limit { what: "vertices", limit: u32::MAX.into() }, path)
}

/// Returns triangles with the winding of the mode.
fn triangles(corners: &[u32], mode: u32) -> Cow<'_, [[u32; 3]]> {
    match mode {
        codes::TRIANGLE_STRIP => {
            let each = corners.windows(3).enumerate().filter_map(|(place, window)| match *window {
                [a, b, c] if place % 2 == 0 => Some([a, b, c]),
                [a, b, c] => Some([b, a, c]),
                _ => None,
            });
            Cow::Owned(each.collect())
        }
        codes::TRIANGLE_FAN => match corners.split_first() {
            Some((&centre, rest)) => {
                Cow::Owned(rest.windows(2).filter_map(|pair| Some([centre, *pair.first()?, *pair.get(1)?])).collect())
            }
            None => Cow::Owned(Vec::new()),
        },
        _ => Cow::Borrowed(corners.as_chunks::<3>().0),
    }
}

/// Expands runs to numbers. Returns no numbers if there are not as many as expected.
fn expand(runs: &[u32], expected: usize) -> Vec<u32> {
    let counted: u64 = runs.chunks_exact(2).filter_map(|run| run.get(1)).map(|&count| u64::from(count)).sum();
    if counted != expected as u64 {
        return Vec::new();
    }
    let each = runs.chunks_exact(2).flat_map(|run| match *run {
        [start, count] => start..start.saturating_add(count),
        _ => 0..0,
    });
    let numbers: Vec<u32> = each.collect();
    if numbers.len() == expected { numbers } else { Vec::new() }
}
