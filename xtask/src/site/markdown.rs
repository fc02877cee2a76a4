//! The parts of Markdown that the site needs: fenced blocks with markers, headings, sections and links.

use std::ops::Range;

/// Text or a fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// Lines outside of fenced blocks, with their line ends.
    Text(&'a str),
    Block(Block<'a>),
}

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'a> {
    /// The number of the first line, counted from 1.
    pub(super) line: usize,
    /// The first word after the fence.
    pub(super) language: &'a str,
    pub(super) code: &'a str,
    /// The text of the HTML comment in the line before, such as `no_run: REASON`.
    pub(super) marker: Option<&'a str>,
}

impl<'a> Block<'a> {
    /// Returns the value of a marker `NAME: VALUE`.
    pub(super) fn marked(&self, name: &str) -> Option<&'a str> {
        let (found, value) = self.marker?.split_once(':')?;
        (found == name).then(|| value.trim()).filter(|value| !value.is_empty())
    }
}

/// Divides a text into fenced blocks and the text between them. Markers belong to the blocks after them.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    // Start of the text before the block, and the block: fence, number of its line, start of its code.
    let (mut start, mut open) = (0, None);
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let end = at + line.len();
        match (line.trim_end().strip_prefix("```"), open) {
            (Some(info), None) => {
                let before = &text[start..at];
                let (before, marker) = split_marker(before);
                if !before.is_empty() {
                    parts.push(Part::Text(before));
                }
                let language = info.split([' ', ',']).next().unwrap_or_default();
                open = Some((index + 1, language, marker, end));
            }
            (Some(""), Some((line, language, marker, code))) => {
                parts.push(Part::Block(Block { line, language, code: &text[code..at], marker }));
                (start, open) = (end, None);
            }
            _ => {}
        }
        at = end;
    }
    if start < text.len() {
        parts.push(Part::Text(&text[start..]));
    }
    parts
}

/// Splits the marker in the last line off.
fn split_marker(text: &str) -> (&str, Option<&str>) {
    let trimmed = text.trim_end();
    let start = trimmed.rfind('\n').map_or(0, |at| at + 1);
    let comment = trimmed[start..].strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
    if comment.is_some() { (&text[..start], comment) } else { (text, None) }
}

/// Returns the blocks of a text.
pub(super) fn blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    parts(text).into_iter().filter_map(|part| match part {
        Part::Block(block) => Some(block),
        Part::Text(_) => None,
    })
}

/// Returns the level and the text of a heading.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| (level, text.trim()))
}

/// Returns the anchor of a heading.
pub(super) fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns the level of a heading and the text below it, up to the next heading of that level. The empty anchor is the text
/// between the title and the next heading.
pub(super) fn section<'a>(text: &'a str, anchor: &str) -> Option<(usize, &'a str)> {
    let mut found: Option<(usize, usize)> = None;
    for (range, level, title) in headings(text) {
        match found {
            Some((start, own)) if level <= own || anchor.is_empty() => return Some((own, &text[start..range.start])),
            None if slug(title) == anchor || anchor.is_empty() => found = Some((range.end, level)),
            _ => {}
        }
    }
    found.map(|(start, level)| (level, &text[start..]))
}

/// Returns the range of the line, the level and the text of all headings.
pub(super) fn headings(text: &str) -> Vec<(Range<usize>, usize, &str)> {
    let mut found = Vec::new();
    for part in parts(text) {
        let Part::Text(part) = part else { continue };
        let mut at = part.as_ptr() as usize - text.as_ptr() as usize;
        for line in part.split_inclusive('\n') {
            if let Some((level, title)) = heading(line.trim_end()) {
                found.push((at..at + line.len(), level, title));
            }
            at += line.len();
        }
    }
    found
}

/// Returns the targets of the links and images in a text without fenced blocks.
pub(super) fn targets(text: &str) -> Vec<&str> {
    links(text).into_iter().map(|range| &text[range]).collect()
}

/// Replaces the targets of links and images in a text without fenced blocks. Names in brackets, which rustdoc links, become
/// plain code.
pub(super) fn replace_targets(
    text: &str,
    mut replace: impl FnMut(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for range in links(text) {
        result += &without_brackets(&text[at..range.start]);
        result += &replace(&text[range.clone()])?;
        at = range.end;
    }
    Ok(result + &without_brackets(&text[at..]))
}

/// Returns the ranges of the targets of links. Code is not searched.
fn links(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with('`') {
            at += code_span(rest).unwrap_or_else(|| rest.len() - rest.trim_start_matches('`').len());
        } else if rest.starts_with("](") {
            let start = at + 2;
            let end = start + closing_bracket(&text[start..]);
            found.push(start..end);
            at = end;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// Returns the position of the bracket that closes a target.
fn closing_bracket(text: &str) -> usize {
    let mut depth = 0_usize;
    let end = text.find(|c| match c {
        '(' => {
            depth += 1;
            false
        }
        ')' if depth > 0 => {
            depth -= 1;
            false
        }
        c => c == ')' || c.is_whitespace(),
    });
    end.unwrap_or(text.len())
}

/// Returns the length of the code at the start of a text.
fn code_span(text: &str) -> Option<usize> {
    let length = text.len() - text.trim_start_matches('`').len();
    let mut at = length;
    loop {
        at += text[at..].find('`')?;
        let run = text[at..].len() - text[at..].trim_start_matches('`').len();
        at += run;
        if run == length {
            return Some(at);
        }
    }
}

/// Replaces `` [`name`] ``, which is no link, by `` `name` ``.
fn without_brackets(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("[`") {
        let code = &rest[start + 1..];
        let end = code_span(code).filter(|end| {
            let after = &code[*end..];
            // The text ends where the target of a link starts.
            after.starts_with(']') && !after.starts_with("](") && !after.starts_with("][")
        });
        result += &rest[..start];
        match end {
            Some(end) => {
                result += &code[..end];
                rest = &code[end + 1..];
            }
            None => {
                result += "[`";
                rest = &code[1..];
            }
        }
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Title\n\nLead.\n\n## One & two\n\na\n\n<!-- no_run: slow -->\n```sh\n# no heading\n```\n\n### Inner\n\nb\n\n## Last\n\nc\n";

    #[test]
    fn blocks_have_markers() {
        let found: Vec<_> = blocks(TEXT).collect();
        assert_eq!((found.len(), found[0].line, found[0].language, found[0].code), (1, 10, "sh", "# no heading\n"));
        assert_eq!((found[0].marked("no_run"), found[0].marked("file")), (Some("slow"), None));
        let without_reason = "<!-- no_run: -->\n```sh\nx\n```\n";
        assert_eq!(blocks(without_reason).next().unwrap().marked("no_run"), None);
        let texts: String =
            parts(TEXT).iter().map(|part| if let Part::Text(text) = part { text } else { "" }).collect();
        assert!(!texts.contains("no_run") && texts.contains("\na\n") && texts.contains("### Inner"));
        assert_eq!(parts("a\n"), [Part::Text("a\n")]);
    }

    #[test]
    fn sections_end_at_the_next_heading_of_their_level() {
        let (level, one) = section(TEXT, "one--two").unwrap();
        assert!(level == 2 && one.contains("### Inner") && !one.contains("Last"));
        assert_eq!(section(TEXT, "last"), Some((2, "\nc\n")));
        assert_eq!(section(TEXT, ""), Some((1, "\nLead.\n\n")));
        assert_eq!(section(TEXT, "no-heading"), None);
    }

    #[test]
    fn targets_are_found_outside_of_code() {
        let text = "[a](b.md) `[c](d)` [`e`](crate::f()) ![g](h.png) ``[`i`](j)`` [`k`] [l\nm](n#o).";
        assert_eq!(targets(text), ["b.md", "crate::f()", "h.png", "n#o"]);
        let upper = replace_targets(text, |target| Ok(target.to_uppercase())).unwrap();
        assert_eq!(upper, "[a](B.MD) `[c](d)` [`e`](CRATE::F()) ![g](H.PNG) ``[`i`](j)`` `k` [l\nm](N#O).");
        assert!(replace_targets(text, |target| Err(target.to_owned())).is_err());
        assert_eq!(targets("`open [x](y)"), ["y"]);
    }
}
