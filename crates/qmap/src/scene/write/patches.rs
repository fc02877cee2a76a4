//! Patches.

use mapwright_scene::{Mesh, Transform, Value};

use super::numbers::numbers;
use crate::ControlPoint;
use crate::geometry::tessellate;
use crate::scene::AXES;
use crate::scene::textures::{PATCH, PATCH_INFO, PATCH_POINTS, PATCH_SEGMENTS};

/// A patch to write.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Patch {
    kind: String,
    texture: String,
    info: Vec<f64>,
    /// Number of control points in each row.
    columns: usize,
    points: Vec<ControlPoint>,
}

impl Patch {
    /// Returns the patch that a mesh was, if the mesh still has its shape, at most scaled as a whole.
    pub(super) fn from_mesh(mesh: &Mesh, world: &Transform, texture: &str) -> Option<Self> {
        let kind = mesh.properties.get(PATCH)?.as_text().filter(|kind| ["patchDef2", "patchDef3"].contains(kind))?;
        let list = |key: &str| match mesh.properties.get(key) {
            Some(Value::List(items)) => items.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>(),
            _ => None,
        };
        let (info, points, segments) = (list(PATCH_INFO)?, list(PATCH_POINTS)?, list(PATCH_SEGMENTS)?);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the product is compared below")]
        let size = |number: f64| number.clamp(0.0, 1000.0) as usize;
        let ([rows, columns, ..], [across, along]) = (&info[..], &segments[..]) else { return None };
        let (sizes, segments) = ([size(*rows), size(*columns)], [size(*across), size(*along)]);
        let mut points: Vec<ControlPoint> = points
            .as_chunks::<5>()
            .0
            .iter()
            .map(|&[x, y, z, u, v]| ControlPoint { position: [x, y, z], uv: [u, v] })
            .collect();
        if sizes.iter().product::<usize>() != points.len() {
            return None;
        }
        let grid = tessellate(&points, sizes, segments, mesh.positions.len())?;
        let expected: Vec<[f64; 3]> = grid.points.iter().map(|point| AXES.apply(point.position)).collect();
        let extent = |points: &[[f64; 3]]| points.iter().flatten().fold(0.0_f64, |most, part| most.max(part.abs()));
        let (old, new) = (extent(&expected), extent(&mesh.positions));
        let factor = if old > 0.0 { new / old } else { 1.0 };
        // Whole factors of one stay exact.
        let factor = if (factor - 1.0).abs() < 1e-12 { 1.0 } else { factor };
        let is_near = |(a, b): (&f64, &f64)| (a * factor - b).abs() <= new * 1e-9;
        let is_same = expected.len() == mesh.positions.len()
            && expected.iter().flatten().zip(mesh.positions.iter().flatten()).all(is_near);
        let texels = mesh.faces.corners().iter().map(|vertex| grid.points.get(*vertex as usize).map(|point| point.uv));
        let has_same_texels = mesh.uv_sets.first().is_some_and(|set| set.corners.iter().eq(texels));
        if !is_same || !has_same_texels {
            return None;
        }
        for point in &mut points {
            let placed = world.point(AXES.apply(point.position.map(|part| part * factor)));
            // A mirror would show the other side.
            point.position = AXES.inverse().apply(placed);
        }
        if world.mirrors() || points.iter().flat_map(|point| point.position).any(|part| !part.is_finite()) {
            return None;
        }
        let [_, columns] = sizes;
        Some(Self { kind: kind.to_owned(), texture: texture.to_owned(), info, columns, points })
    }

    /// Returns the lines of the patch without its outer braces.
    pub(super) fn lines(&self) -> Vec<String> {
        let texture = crate::edit::texture_token(self.texture.as_bytes(), false);
        let texture = texture.map_or_else(|_| self.texture.clone(), |token| crate::decode_text(&token).into_owned());
        let mut lines = vec![self.kind.clone(), "{".into(), texture, format!("( {} )", numbers(self.info.clone()))];
        lines.push("(".into());
        for row in self.points.chunks(self.columns.max(1)) {
            let points =
                row.iter().map(|point| format!("( {} ) ", numbers(point.position.into_iter().chain(point.uv))));
            lines.push(format!("( {})", points.collect::<String>()));
        }
        lines.extend([")".into(), "}".into()]);
        lines
    }
}
