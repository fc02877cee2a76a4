//! Grids of other sizes over the same ground.

/// The values of a grid at the places of one of another size; `None` where it has none.
pub(crate) fn nearest<T: Copy>(
    values: &[T],
    from: [u32; 2],
    to: [u32; 2],
) -> impl Iterator<Item = Option<T>> + use<'_, T> {
    let place =
        |at: u32, from: u32, to: u32| u64::from(at).saturating_mul(from.into()).checked_div(to.into()).unwrap_or(0);
    let ([from_columns, from_rows], [columns, rows]) = (from, to);
    // A grid without columns may have billions of rows.
    let rows = if columns == 0 { 0 } else { rows };
    (0..rows).flat_map(move |row| {
        let start = place(row, from_rows, rows).saturating_mul(from_columns.into());
        (0..columns).map(move |column| {
            let at = start.saturating_add(place(column, from_columns, columns));
            values.get(usize::try_from(at).ok()?).copied()
        })
    })
}
