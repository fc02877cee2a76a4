//! The edges of a polygon, and where they cross rows of samples.

/// With one crossing for every `MANY` columns or more, it is faster to mark columns than to sort crossings.
const MANY: usize = 16;

/// Polygons with at most this many edges look at all of them for each row.
const FEW: usize = 3;

/// The first sample whose middle is not before a position. Positions below 0 become 0, those beyond `end` become `end`.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(super) fn sample(position: f64, end: usize) -> usize {
    // Rounds up without `ceil`, which is a call on processors without an instruction for it. The conversion saturates. An image has
    // fewer than 2³² samples along a side.
    let (position, whole) = (position - 0.5, (position - 0.5) as u32);
    (whole as usize).saturating_add(usize::from(f64::from(whole) < position)).min(end)
}

/// The middle of a sample.
#[allow(clippy::cast_precision_loss)]
pub(super) fn middle(sample: usize) -> f64 {
    sample as f64 + 0.5
}

/// An edge, from its upper to its lower end.
#[derive(Debug, Clone, Copy)]
struct Edge {
    /// The first row that it crosses, and the row after the last one.
    rows: [usize; 2],
    upper: [f64; 2],
    lower: [f64; 2],
}

/// The edges of one polygon. A row looks only at the edges that cross it, so the time for a polygon is
/// linear in its crossings.
#[derive(Debug, Default)]
pub(super) struct Edges {
    /// All edges that cross a row, by the first of their rows.
    all: Vec<Edge>,
    /// Number of edges that begin before the next row.
    begun: usize,
    /// The edges that cross the current row.
    active: Vec<Edge>,
    /// The columns in which the current row is crossed.
    columns: Vec<usize>,
    /// True for columns that are crossed an odd number of times. Only used for rows with many crossings.
    odd: Vec<bool>,
}

impl Edges {
    /// Takes the edges of a polygon. Rows from `end` on are not seen.
    pub(super) fn begin(&mut self, corners: &[[f64; 3]], end: usize) {
        self.all.clear();
        self.active.clear();
        self.begun = 0;
        let mut last = corners.last().copied().unwrap_or_default();
        for &corner in corners {
            // Computed from the upper end for both faces of an edge, so that neighbours leave no gap.
            let [upper, lower] = if last[1] < corner[1] { [last, corner] } else { [corner, last] };
            let rows = [sample(upper[1], end), sample(lower[1], end)];
            if rows[0] < rows[1] {
                self.all.push(Edge { rows, upper: [upper[0], upper[1]], lower: [lower[0], lower[1]] });
            }
            last = corner;
        }
        if self.all.len() > FEW {
            self.all.sort_unstable_by_key(|edge| edge.rows[0]);
        }
    }

    /// Advances to a row, which must not be above the last one. Returns the ranges of columns that the polygon covers, by the
    /// even-odd rule.
    pub(super) fn spans(&mut self, row: usize, end: usize) -> &[[usize; 2]] {
        self.columns.clear();
        let (columns, middle) = (&mut self.columns, middle(row));
        let mut cross = |edge: &Edge| {
            let share = (middle - edge.upper[1]) / (edge.lower[1] - edge.upper[1]);
            columns.push(sample(edge.upper[0] + (edge.lower[0] - edge.upper[0]) * share, end));
        };
        if self.all.len() <= FEW {
            self.all.iter().filter(|edge| (edge.rows[0]..edge.rows[1]).contains(&row)).for_each(cross);
        } else {
            let rest = self.all.get(self.begun..).unwrap_or_default();
            let begun = rest.iter().take_while(|edge| edge.rows[0] <= row).count();
            self.active.extend_from_slice(rest.get(..begun).unwrap_or_default());
            self.begun += begun;
            self.active.retain(|edge| {
                let crosses = row < edge.rows[1];
                if crosses {
                    cross(edge);
                }
                crosses
            });
        }
        let columns = &mut self.columns;
        if columns.len() < end / MANY {
            columns.sort_unstable();
        } else {
            // Two crossings in one column cover nothing.
            self.odd.clear();
            self.odd.resize(end + 1, false);
            for column in columns.drain(..) {
                if let Some(odd) = self.odd.get_mut(column) {
                    *odd = !*odd;
                }
            }
            columns.extend(self.odd.iter().enumerate().filter_map(|(column, odd)| odd.then_some(column)));
        }
        columns.as_chunks().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_rounded_up_and_limited() {
        for position in [-1e300, -7.5, -0.2, 0.0, 0.5, 0.5000001, 1.49, 1.5, 2.0, 9.4, 9.6, 1e18, 1e300, f64::INFINITY]
        {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let expected = ((position - 0.5).ceil() as usize).min(9);
            assert_eq!(sample(position, 9), expected, "{position}");
        }
        assert_eq!(sample(f64::NAN, 9), 0);
    }

    #[test]
    fn rows_process_only_edges_that_cross_them() {
        // A comb of two teeth that hang from a bar of one row.
        let comb = [[0.0, 0.0], [5.0, 0.0], [5.0, 9.0], [4.0, 9.0], [4.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let comb = comb.map(|[x, y]| [x, y, 0.0]);
        let mut edges = Edges::default();
        // Few columns: crossings are marked instead of sorted.
        for columns in [100, 6] {
            edges.begin(&comb, 4);
            assert_eq!(edges.all.len(), 4, "level edges cross no row");
            let spans: Vec<Vec<[usize; 2]>> = (0..4).map(|row| edges.spans(row, columns).to_vec()).collect();
            assert_eq!(spans, [vec![[0, 5]], vec![[0, 1], [4, 5]], vec![[4, 5]], vec![[4, 5]]]);
            assert_eq!(edges.active.len(), 2);
        }
        let triangle = [[0.0, 1.0, 0.0], [8.0, 1.0, 0.0], [0.0, 9.0, 0.0]];
        edges.begin(&triangle, 8);
        assert_eq!(edges.spans(0, 100).len(), 0);
        let mut first = |row: usize| edges.spans(row, 100).first().copied();
        assert_eq!([1, 4, 7].map(&mut first), [[0, 7], [0, 4], [0, 1]].map(Some));
        edges.begin(&comb, 9);
        assert_eq!(edges.spans(1, 3), [[0, 1]], "rows above are left out, and columns after the last");
    }
}
