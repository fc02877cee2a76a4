//! Summaries as text: one printer for all sections.
//!
//! Names of fields become titles. Fields that are missing, empty, false or zero are left out. Lists of records become tables, and counted
//! names lines such as `3 × crate`.

use std::fmt::{self, Display, Formatter, Write};

use mapwright_io::format_count;
use mapwright_io::{align_columns, is_unprintable};

use super::{Data, FindingCounts, Info};

/// Maximum number of rows of a table, unless the alternate form (`{:#}`) is asked for.
const MAX_ROWS: usize = 20;
/// Maximum number of characters of a string.
const MAX_TEXT: usize = 100;

impl Display for Info {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(problem) = &self.problem {
            line(f, "problem", problem)?;
        }
        // A map repeats some fields of its element graph.
        let mut printed: Vec<&(String, Data)> = Vec::new();
        for entry in self.sections.iter().flat_map(|(_, section)| entries(section)) {
            if !printed.contains(&entry) {
                printed.push(entry);
                field(f, &title(&entry.0), &entry.1)?;
            }
        }
        if let Some(axes) = self.axes {
            match self.metres_per_unit {
                Some(metres) => line(f, "axes", format_args!("{axes}; 1 unit is {metres} m"))?,
                None => line(f, "axes", format_args!("{axes}; unit of length unknown"))?,
            }
        }
        let FindingCounts { errors, warnings, notes } = self.findings;
        line(
            f,
            "check",
            format_args!(
                "{}, {}, {}",
                format_count(errors, "error"),
                format_count(warnings, "warning"),
                format_count(notes, "note")
            ),
        )
    }
}

fn line(f: &mut Formatter<'_>, title: &str, text: impl Display) -> fmt::Result {
    writeln!(f, "  {title:<16} {text}")
}

/// Prints a field of a section: a line, or a table below its title.
fn field(f: &mut Formatter<'_>, title: &str, value: &Data) -> fmt::Result {
    match value {
        Data::List(items) if is_table(value) => {
            writeln!(f, "  {title} ({})", items.len())?;
            let max_rows = if f.alternate() { usize::MAX } else { MAX_ROWS };
            for row in rows(items.get(..max_rows).unwrap_or(items)) {
                writeln!(f, "    {row}")?;
            }
            match items.len().checked_sub(max_rows) {
                None | Some(0) => Ok(()),
                Some(more) => writeln!(f, "    … and {more} more (`-v`)"),
            }
        }
        Data::Map(fields) => {
            let parts: Vec<String> = fields
                .iter()
                .filter(|(_, value)| !is_table(value))
                .filter_map(|(name, value)| part(name, value))
                .collect();
            if !parts.is_empty() {
                line(f, title, parts.join(", "))?;
            }
            let tables = fields.iter().filter(|(_, value)| is_table(value));
            tables
                .map(|(name, value)| (self::title(name), value))
                .try_for_each(|(title, value)| field(f, &title, value))
        }
        _ => scalar(value).map_or(Ok(()), |text| line(f, title, text)),
    }
}

/// Returns `true` for a list of records.
fn is_table(value: &Data) -> bool {
    matches!(value.items().first(), Some(Data::Map(_)))
}

/// Returns the title of a field.
fn title(name: &str) -> String {
    name.replace('_', " ")
}

/// Returns a field of a nested record: `4 vertices`, `1 mesh`, or `kind pbr`.
fn part(name: &str, value: &Data) -> Option<String> {
    let name = title(name);
    match value {
        Data::Bool(true) => Some(name),
        Data::Number(number) if number.is_u64() => match (number.as_u64(), singular(&name)) {
            (Some(0), _) => None,
            (Some(1), Some(singular)) => Some(format!("1 {singular}")),
            (_, Some(_)) => Some(format!("{number} {name}")),
            (_, None) => Some(format!("{name} {number}")),
        },
        _ => Some(format!("{name} {}", scalar(value)?)),
    }
}

/// Returns the singular of a plural noun; `None` for other words.
fn singular(noun: &str) -> Option<String> {
    if noun == "vertices" {
        return Some("vertex".to_owned());
    }
    let stem = noun.strip_suffix('s').filter(|stem| !stem.ends_with(['s', 'u']))?;
    Some(match stem.strip_suffix("ie") {
        Some(stem) => format!("{stem}y"),
        None if stem.ends_with("she") => stem.trim_end_matches('e').to_owned(),
        None => stem.to_owned(),
    })
}

/// Returns the lines of a table. Columns without values are left out.
fn rows(shown: &[Data]) -> Vec<String> {
    if let Some(counts) = shown.iter().map(counted).collect() {
        return counts;
    }
    let cells = |item: &Data, names: &[&str]| -> Vec<String> {
        names.iter().map(|name| item.get(name).and_then(scalar).unwrap_or_default()).collect()
    };
    let mut names: Vec<&str> = Vec::new();
    for (name, value) in shown.iter().flat_map(entries) {
        if !names.contains(&name.as_str()) && scalar(value).is_some() {
            names.push(name);
        }
    }
    let head = names.iter().map(|name| title(name)).collect();
    let table: Vec<Vec<String>> = std::iter::once(head).chain(shown.iter().map(|item| cells(item, &names))).collect();
    let is_number = |column: usize| {
        let column = names.get(column);
        column.is_some_and(|name| shown.iter().all(|item| matches!(item.get(name), None | Some(Data::Number(_)))))
    };
    align_columns(&table, is_number).iter().map(|row| row.trim_end().to_owned()).collect()
}

fn entries(item: &Data) -> &[(String, Data)] {
    match item {
        Data::Map(entries) => entries,
        _ => &[],
    }
}

/// Returns a record of a name and a count as one line: `3 × crate`, and a further field after it.
fn counted(item: &Data) -> Option<String> {
    match entries(item) {
        [(_, Data::Text(name)), (_, Data::Number(count)), rest @ ..] if rest.len() < 2 && count.is_u64() => {
            let mut text = format!("{count} × {}", quoted(name));
            if let [(_, Data::Text(more))] = rest {
                let _ = write!(text, ": {}", escaped(more));
            }
            Some(text)
        }
        _ => None,
    }
}

/// Returns a value in one line; `None` if it is missing, empty, false or zero.
fn scalar(value: &Data) -> Option<String> {
    match value {
        Data::Null | Data::Bool(false) => None,
        Data::Bool(true) => Some("yes".to_owned()),
        Data::Number(number) => Some(self::number(number)).filter(|text| text != "0"),
        Data::Text(text) if text.is_empty() => None,
        Data::Text(text) => Some(quoted(text)),
        Data::List(items) if items.is_empty() => None,
        // Boxes are lists of two points.
        Data::List(items) => {
            let is_point = items.iter().all(|item| matches!(item, Data::Number(_)));
            let part = |item: &Data| match item {
                Data::Number(number) => self::number(number),
                _ => counted(item).or_else(|| scalar(item)).unwrap_or_default(),
            };
            let parts: Vec<String> = items.iter().map(part).collect();
            Some(if is_point {
                format!("({})", parts.join(", "))
            } else if parts.iter().all(|part| part.starts_with('(')) {
                parts.join(" to ")
            } else {
                parts.join(", ")
            })
        }
        Data::Map(fields) => {
            let parts: Vec<String> = fields.iter().filter_map(|(name, value)| part(name, value)).collect();
            Some(parts.join(", ")).filter(|text| !text.is_empty())
        }
    }
}

/// Returns a string in quotes, unless it is a single word.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '\\' | '$' | '#');
    if !text.is_empty() && text.chars().all(is_plain) { escaped(text) } else { format!("\"{}\"", escaped(text)) }
}

/// Returns a string without line breaks and other control characters. Long strings are cut.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for (index, c) in text.chars().enumerate() {
        match c {
            _ if index == MAX_TEXT => {
                escaped.push('…');
                break;
            }
            c if is_unprintable(c) => escaped.extend(c.escape_default()),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Formats a number with up to six decimals.
fn number(number: &serde_json::Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        None => number.to_string(),
        Some(number) => {
            let text = format!("{number:.6}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            if text == "-0" { "0".to_owned() } else { text.to_owned() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    #[test]
    fn sections_become_lines_and_tables() {
        let json = r#"{"version":2,"bounds":[[0.0,-1.5,0.0],[1.0,2.0,3.25]],"writer":null,"empty":[],"objects":0,
            "totals":{"vertices":8,"meshes":1,"hidden":3,"losses":0,"cut":true,"parts":[{"a":1.5,"b":"x"}]},
            "plugins":["wpc_a","it's\n"],"classes":[{"name":"a b","count":3},{"name":"c","count":1,"role":"x y"}],
            "materials":[{"name":"m","kind":"pbr","uses":12,"locked":false},{"name":"n","kind":"old","uses":1,"locked":true}]}"#;
        let section: Data = serde_json::from_str(json).unwrap();
        let info = Info {
            format: Format::Etf,
            title: "",
            sections: vec![("one", section.clone()), ("two", section)],
            axes: Some("Y up"),
            metres_per_unit: Some(0.5),
            problem: None,
            findings: FindingCounts { errors: 1, ..FindingCounts::default() },
        };
        let expected = r#"  version          2
  bounds           (0, -1.5, 0) to (1, 2, 3.25)
  totals           8 vertices, 1 mesh, hidden 3, cut
  parts (1)
      a  b
    1.5  x
  plugins          wpc_a, "it's\n"
  classes (2)
    3 × "a b"
    1 × c: x y
  materials (2)
    name  kind  uses  locked
    m     pbr     12
    n     old      1  yes
  axes             Y up; 1 unit is 0.5 m
  check            1 error, 0 warnings, 0 notes
"#;
        assert_eq!(info.to_string(), expected);
    }
}
