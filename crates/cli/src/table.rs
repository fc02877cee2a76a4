//! Rows of values, for people and for programs.

use mapwright::io::{MAX_COLUMN, align_columns, csv_row};

/// Aligns rows in columns for people, numbers at the right. Long cells are cut.
pub(crate) fn table(rows: &[Vec<String>], is_number: impl Fn(usize) -> bool) -> String {
    align_columns(rows, is_number).into_iter().map(|line| line + "\n").collect()
}

/// Shortens a cell to one character more than [`table`] shows, so that many long cells need little memory.
pub(crate) fn cut(cell: &mut String) {
    if let Some((end, _)) = cell.char_indices().nth(MAX_COLUMN + 1) {
        cell.truncate(end);
        cell.shrink_to_fit();
    }
}

/// Formats rows as comma-separated values. With `is_safe`, cells that a spreadsheet would run as formulas get an apostrophe.
pub(crate) fn csv(rows: &[Vec<String>], is_safe: bool) -> String {
    rows.iter().map(|row| csv_row(row, is_safe)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_cells_are_shown_the_same() {
        for length in [0, MAX_COLUMN, MAX_COLUMN + 1, MAX_COLUMN + 2, 70_000] {
            let whole = "ä".repeat(length);
            let mut short = whole.clone();
            cut(&mut short);
            assert!(short.chars().count() <= MAX_COLUMN + 1);
            assert_eq!(table(&[vec![short]], |_| false), table(&[vec![whole]], |_| false));
        }
    }

    #[test]
    fn numbers_are_right_aligned() {
        let rows = [["name", "size"], ["a", "12345"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows, |column| column == 1), "name   size\na     12345\n");
    }

    #[test]
    fn columns_are_aligned_by_one_query_each() {
        let rows = vec![vec!["1".to_owned(), "2".to_owned()]; 100];
        let asked = std::cell::Cell::new(0);
        table(&rows, |_| {
            asked.set(asked.get() + 1);
            true
        });
        assert_eq!(asked.get(), 2);
    }
}
