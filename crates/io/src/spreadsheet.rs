//! Rows of comma-separated values, and protection against formulas in their cells.

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

/// Formats a row as RFC 4180 requires, with the end of the line. With `is_safe`, cells that a spreadsheet would run as formulas get an
/// apostrophe as by [`escape_formula`], also after the other separators of spreadsheets.
///
/// ```
/// assert_eq!(mapwright_io::csv_row(&["a, \"b\"", "=1"], false), "\"a, \"\"b\"\"\",=1\r\n");
/// assert_eq!(mapwright_io::csv_row(&["a", "=1"], true), "a,'=1\r\n");
/// ```
pub fn csv_row<C: AsRef<str>>(row: &[C], is_safe: bool) -> String {
    let quoted = |cell: &C| -> String {
        let cell = if is_safe { escape_formula(cell.as_ref()) } else { Cow::Borrowed(cell.as_ref()) };
        match cell.contains(['"', ',', '\r', '\n']) || (is_safe && cell.contains([';', '\t'])) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.into_owned(),
        }
    };
    row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_separators_are_quoted() {
        assert_eq!(csv_row(&["a, \"b\"", "c"], false), "\"a, \"\"b\"\"\",c\r\n");
        assert_eq!(csv_row::<&str>(&[], false), "\r\n");
    }

    #[test]
    fn safe_cells_begin_no_formula_after_any_separator() {
        let row = ["=1+1", "-1.5", "a;=1", "-x,y", "b"];
        assert_eq!(csv_row(&row, false), "=1+1,-1.5,a;=1,\"-x,y\",b\r\n");
        assert_eq!(csv_row(&row, true), "'=1+1,-1.5,\"a;=1\",\"'-x,y\",b\r\n");
    }

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
