//! Verdicts of a format's own program about files: tables next to them, or in the folder above.

use std::fs;
use std::path::Path;

/// Returns the value of a column for a file, if there is a table with the file.
pub(crate) fn listed(file: &Path, column: &str) -> Option<String> {
    in_table(file, "VERDICTS.tsv", column)
}

/// Returns `true` if a table next to the file declares it unreadable: the verdicts of the format's own program, `SYNTHETIC.tsv` and
/// `EXPECT.tsv` with the expectations for files that were made as examples, or `MANIFEST.tsv`, which marks files that are damaged, have a
/// header that the engine rejects, or must be refused. Names of files may mark them as well.
pub(crate) fn is_refusal_listed(file: &Path) -> bool {
    listed(file, "load").is_some_and(|load| load != "accept")
        || in_table(file, "SYNTHETIC.tsv", "expected").is_some_and(|expected| expected == "error")
        || in_table(file, "EXPECT.tsv", "expected").is_some_and(|expected| expected.starts_with("refuse"))
        || file.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            ["hostile_", "other_"].iter().any(|made| name.starts_with(made))
        })
        || in_table(file, "MANIFEST.tsv", "features").is_some_and(|features| {
            let made = features.starts_with("not decodable") || features.contains("header_size");
            made || features.ends_with("must be refused")
        })
}

/// Returns the value of a column for a file. The table is in the folder of the file or in the one above.
fn in_table(file: &Path, table: &str, column: &str) -> Option<String> {
    file.ancestors().skip(1).take(2).find_map(|folder| {
        let table = fs::read_to_string(folder.join(table)).ok()?;
        let name = file.strip_prefix(folder).ok()?.to_string_lossy().replace('\\', "/");
        column_value(&table, &name, column).map(str::to_owned)
    })
}

fn column_value<'t>(table: &'t str, file: &str, column: &str) -> Option<&'t str> {
    let mut lines = table.lines().map(|line| line.split('\t'));
    let titles: Vec<&str> = lines.next()?.collect();
    let index = |title: &str| titles.iter().position(|found| *found == title);
    let (name, column) = (index("file")?, index(column)?);
    lines.find(|line| line.clone().nth(name) == Some(file))?.nth(column)
}

#[cfg(test)]
mod tests {
    use super::column_value;

    #[test]
    fn verdicts_are_found_by_title() {
        let table = "file\tbytes\tload\tverify\na.wings\t3\taccept\tno-save\nb.wings\t4\treject\treject\n";
        assert_eq!(column_value(table, "a.wings", "load"), Some("accept"));
        assert_eq!(column_value(table, "b.wings", "load"), Some("reject"));
        assert_eq!(column_value(table, "a.wings", "verify"), Some("no-save"));
        assert_eq!(column_value(table, "c.wings", "load"), None);
        assert_eq!(column_value(table, "a.wings", "other"), None);
    }
}
