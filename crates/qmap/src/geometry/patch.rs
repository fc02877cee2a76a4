//! Points of curved surfaces.

use crate::{ControlPoint, Patch};

/// The points of a patch that is divided into quads. Each row of this grid is along a column of control points.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PatchGrid {
    /// Number of points in each row.
    pub columns: usize,
    /// The points, row by row. The first row is along the first control points of all rows of the patch.
    pub points: Vec<ControlPoint>,
    /// The unit normal of each point on the visible side. It is zero where the surface has none.
    pub normals: Vec<[f64; 3]>,
}

/// A point with its derivatives.
#[derive(Debug, Clone, Copy, Default)]
struct Sample {
    point: ControlPoint,
    /// Along the curve.
    slope: [f64; 3],
}

impl Patch<'_> {
    /// Number of segments of each curve unless the patch or the caller states another one.
    pub const SEGMENTS: usize = 8;

    /// Divides the patch: each block of 3 × 3 control points into `across` segments from row to row and `along`
    /// segments within each row. Returns `None` for a patch whose numbers of control points are even or below 3, and for one with more
    /// than `max_points` points.
    pub fn tessellate(&self, segments: [usize; 2], max_points: usize) -> Option<PatchGrid> {
        let sizes = [self.row_count(), self.column_count()];
        let is_valid = sizes.into_iter().all(is_valid_size);
        is_valid.then(|| tessellate(&self.points().collect::<Vec<_>>(), sizes, segments, max_points))?
    }
}

fn is_valid_size(size: usize) -> bool {
    size >= 3 && size % 2 == 1
}

/// Divides a patch of rows and columns of control points, as [`Patch::tessellate`] does.
pub(crate) fn tessellate(
    points: &[ControlPoint],
    [row_count, column_count]: [usize; 2],
    [across, along]: [usize; 2],
    max_points: usize,
) -> Option<PatchGrid> {
    if !is_valid_size(row_count) || !is_valid_size(column_count) || across == 0 || along == 0 {
        return None;
    }
    let count = |size: usize, segments: usize| (size / 2).checked_mul(segments)?.checked_add(1);
    let (columns, rows) = (count(row_count, across)?, count(column_count, along)?);
    columns.checked_mul(rows).filter(|points| *points <= max_points)?;
    let control: Vec<Sample> = points.iter().map(|&point| Sample { point, slope: [0.0; 3] }).collect();
    // First within each row of control points. `slope` is the derivative along it.
    let lines: Vec<Vec<Sample>> = control.chunks(column_count).map(|line| divide(line, along)).collect();
    let mut grid = PatchGrid { columns, ..PatchGrid::default() };
    for row in 0..rows {
        let samples: Option<Vec<Sample>> = lines.iter().map(|line| line.get(row).copied()).collect();
        let samples = samples?;
        // The derivatives along the rows of control points are interpolated as the points are.
        let slopes: Vec<Sample> = samples
            .iter()
            .map(|sample| Sample { point: ControlPoint { position: sample.slope, uv: [0.0; 2] }, slope: [0.0; 3] })
            .collect();
        for (sample, slope) in divide(&samples, across).into_iter().zip(divide(&slopes, across)) {
            grid.points.push(sample.point);
            grid.normals.push(unit(super::cross(sample.slope, slope.point.position)));
        }
    }
    grid.fill_normals();
    Some(grid)
}

impl PatchGrid {
    /// Gives points without a normal that of a neighbour, such as at the tip of a cone.
    fn fill_normals(&mut self) {
        let known = self.normals.clone();
        let is_known = |normal: &[f64; 3]| *normal != [0.0; 3];
        for (index, normal) in self.normals.iter_mut().enumerate().filter(|(_, normal)| !is_known(normal)) {
            let column = index.checked_rem(self.columns).unwrap_or(0);
            let next = index.checked_add(1).filter(|_| column.saturating_add(1) < self.columns);
            let neighbours = [
                index.checked_sub(1).filter(|_| column > 0),
                next,
                index.checked_sub(self.columns),
                index.checked_add(self.columns),
            ];
            let found =
                neighbours.into_iter().flatten().filter_map(|index| known.get(index)).find(|normal| is_known(normal));
            *normal = found.copied().unwrap_or_default();
        }
    }
}

/// Divides a chain of quadratic curves. Neighbouring curves share a point.
fn divide(line: &[Sample], segments: usize) -> Vec<Sample> {
    let mut points: Vec<Sample> = Vec::new();
    for curve in line.windows(3).step_by(2) {
        let [a, b, c] = curve else { continue };
        let first = usize::from(!points.is_empty());
        for step in first..=segments {
            let t = step as f64 / segments as f64;
            points.push(Sample {
                point: ControlPoint {
                    position: quadratic([a, b, c].map(|sample| sample.point.position), t),
                    uv: quadratic([a, b, c].map(|sample| sample.point.uv), t),
                },
                slope: slope([a, b, c].map(|sample| sample.point.position), t),
            });
        }
    }
    points
}

/// Returns a point of a quadratic Bézier curve.
fn quadratic<const N: usize>([a, b, c]: [[f64; N]; 3], t: f64) -> [f64; N] {
    let mut parts = a.into_iter().zip(b).zip(c);
    [0.0; N].map(|_| {
        let ((a, b), c) = parts.next().unwrap_or_default();
        (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c
    })
}

/// Returns the derivative of a quadratic Bézier curve.
fn slope([a, b, c]: [[f64; 3]; 3], t: f64) -> [f64; 3] {
    let first = super::scale(super::sub(b, a), 2.0 * (1.0 - t));
    super::add(first, super::scale(super::sub(c, b), 2.0 * t))
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = super::dot(vector, vector).sqrt();
    if length > 1e-12 && length.is_finite() { super::scale(vector, 1.0 / length) } else { [0.0; 3] }
}
