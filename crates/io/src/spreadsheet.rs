//! Protection against formulas in CSV cells.

use std::borrow::Cow;

/// Puts an apostrophe before a CSV cell that a spreadsheet would run as a formula. Such a cell begins with `=`, `+`, `-`, `@`, one of
/// their full-width forms, a tab or a line break, and is not a finite number.
///
/// ```
/// assert_eq!(mapwright_io::escape_formula("=1+1"), "'=1+1");
/// assert_eq!(mapwright_io::escape_formula("-1.5"), "-1.5");
/// ```
pub fn escape_formula(cell: &str) -> Cow<'_, str> {
    let is_risky = cell.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n']);
    let is_number = || cell.parse().is_ok_and(f64::is_finite);
    if is_risky && !is_number() { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_get_an_apostrophe() {
        for cell in
            ["=1", "+cmd", "-x", "-", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠a", "-inf", "+nan"]
        {
            assert_eq!(escape_formula(cell), format!("'{cell}"), "{cell:?}");
        }
        for cell in ["", "a=1", "-1", "+1.5e3", "-.5", "'=1", " =1", "inf"] {
            assert_eq!(escape_formula(cell), cell, "{cell:?}");
        }
    }
}
