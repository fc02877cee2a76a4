//! Sampling of grids.

/// Samples a grid at the cells of a grid of another size over the same area. Gives `None` for missing values.
pub(crate) fn sample_nearest<T: Copy>(
    values: &[T],
    from: [u32; 2],
    to: [u32; 2],
) -> impl Iterator<Item = Option<T>> + use<'_, T> {
    let place =
        |at: u32, from: u32, to: u32| u64::from(at).saturating_mul(from.into()).checked_div(to.into()).unwrap_or(0);
    let ([from_columns, from_rows], [columns, rows]) = (from, to);
    // A file may declare a grid without columns but with billions of rows.
    let rows = if columns == 0 { 0 } else { rows };
    (0..rows).flat_map(move |row| {
        let start = place(row, from_rows, rows).saturating_mul(from_columns.into());
        (0..columns).map(move |column| {
            let at = start.saturating_add(place(column, from_columns, columns));
            values.get(usize::try_from(at).ok()?).copied()
        })
    })
}
