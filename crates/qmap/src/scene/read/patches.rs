//! Patches → meshes.

use mapwright_io::FaultKind;
use mapwright_scene::{Content, CornerColumn, LossKind, Mesh, Properties, UvSet, Value};

use super::brushes::MAX_NUMBER;
use super::context::Context;
use crate::scene::AXES;
use crate::scene::textures::{PATCH, PATCH_INFO, PATCH_POINTS, PATCH_SEGMENTS};
use crate::{Patch, Primitive, ReadError};

/// Most segments of a curve.
const MAX_SEGMENTS: f64 = 64.0;

/// Returns the content of the node of a patch, or `None` for one that cannot be in a scene.
pub(super) fn patch_content(
    context: &mut Context<'_>,
    patch: &Patch<'_>,
    primitive: Primitive<'_>,
    path: (usize, usize),
) -> Result<Option<Content>, ReadError> {
    let points: Vec<f64> = patch.points().flat_map(|point| point.position.into_iter().chain(point.uv)).collect();
    let info: Vec<f64> = patch.info_words().map(crate::document::number::parse_number).collect();
    if points.iter().chain(&info).any(|number| !number.is_finite() || number.abs() > MAX_NUMBER) {
        context.drop_part(path, "a patch with numbers beyond ±1e9");
        return Ok(None);
    }
    let sizes = [patch.row_count(), patch.column_count()];
    if sizes.iter().any(|size| *size < 3 || size % 2 == 0) {
        let [rows, columns] = sizes;
        context
            .drop_part(path, &format!("a patch of {rows} × {columns} points: both numbers must be odd and at least 3"));
        return Ok(None);
    }
    let segments = segments(patch, context.options.patch_segments);
    let left = context.options.max_patch_points.saturating_sub(context.patch_points);
    let Some(grid) = patch.tessellate(segments, left) else {
        let limit = context.options.max_patch_points as u64;
        let kind = FaultKind::Limit { what: "max_patch_points", asked: limit.saturating_add(1), limit };
        let (entity, index) = path;
        let error = ReadError::new(kind.into(), primitive.position());
        return Err(error.with_path(&*format!("entities[{entity}].primitives[{index}]")));
    };
    context.patch_points = context.patch_points.saturating_add(grid.points.len());
    let mut mesh = Mesh {
        positions: grid.points.iter().map(|point| AXES.apply(point.position)).collect(),
        properties: Properties::new(),
        ..Mesh::default()
    };
    let (mut uvs, mut normals) = (CornerColumn::new(), CornerColumn::new());
    let rows = grid.points.len() / grid.columns.max(1);
    for row in 1..rows {
        for column in 1..grid.columns {
            let at = |row: usize, column: usize| row * grid.columns + column;
            // Counter-clockwise on the visible side.
            let ring = [at(row - 1, column - 1), at(row - 1, column), at(row, column), at(row, column - 1)];
            mesh.faces.push(&ring.map(|vertex| u32::try_from(vertex).unwrap_or(u32::MAX)));
            for vertex in ring {
                uvs.push(grid.points.get(vertex).map(|point| point.uv));
                let normal = grid.normals.get(vertex).copied().filter(|normal| *normal != [0.0; 3]);
                normals.push(Some(AXES.apply(normal.unwrap_or([0.0, 0.0, 1.0]))));
            }
        }
    }
    let material = context.material(&patch.texture(), primitive.range().start);
    if material.is_some() {
        mesh.face_materials = vec![material; mesh.faces.len()];
    }
    mesh.uv_sets = vec![UvSet { corners: uvs, ..UvSet::default() }];
    mesh.normals = Some(normals);
    let list = |numbers: Vec<f64>| numbers.into_iter().map(Value::Float).collect::<Vec<_>>();
    mesh.properties.push(PATCH, primitive.kind().name());
    mesh.properties.push(PATCH_INFO, list(info));
    let divisions: Vec<Value> =
        segments.iter().filter_map(|count| Some(Value::Int(i64::try_from(*count).ok()?))).collect();
    mesh.properties.push(PATCH_SEGMENTS, divisions);
    mesh.properties.push(PATCH_POINTS, list(points));
    if primitive.pairs().len() > 0 {
        context.note(LossKind::Dropped, "keys of a patch", primitive.range().start);
    }
    Ok(Some(Content::Mesh(context.scene.meshes.push(mesh))))
}

/// Returns the number of segments of the curves of a patch.
fn segments(patch: &Patch<'_>, default: usize) -> [usize; 2] {
    let fixed = patch.subdivisions().unwrap_or_default();
    fixed.map(|number| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is from 1 to 64")]
        let segments = number.clamp(1.0, MAX_SEGMENTS) as usize;
        if number >= 1.0 { segments } else { default.max(1) }
    })
}
