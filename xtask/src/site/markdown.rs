//! The parts of Markdown that the site needs: fenced blocks with markers, headings, sections and links.

use std::ops::Range;

use pulldown_cmark::{BrokenLink, CodeBlockKind, Event, LinkType, Options, Parser, Tag};

/// The extensions of mdBook that change the meaning of other text.
const OPTIONS: Options = Options::ENABLE_TABLES;

/// A part of a text. Headings and blocks in lists and quotes belong to the text around them.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// Lines with their line ends.
    Text(&'a str),
    Heading(Heading<'a>),
    Block(Block<'a>),
}

/// A heading in a line of its own.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Heading<'a> {
    /// The bytes of its line.
    pub(super) range: Range<usize>,
    /// 1 to 6.
    pub(super) level: usize,
    pub(super) title: &'a str,
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

/// Divides a text into headings, fenced blocks and the text between them. Markers belong to the blocks after them.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        let (Event::Start(tag), true) = (event, text[..range.start].is_empty() || text[..range.start].ends_with('\n'))
        else {
            continue;
        };
        let (part, before, end) = match tag {
            Tag::Heading { level, .. } => {
                let end = line_end(text, range.start);
                let title = text[range.start..end].trim_start_matches('#').trim();
                let heading = Heading { range: range.start..end, level: level as usize, title };
                (Part::Heading(heading), &text[start..range.start], end)
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => {
                let (before, marker) = split_marker(&text[start..range.start]);
                let (info, code) = text[range.clone()].split_once('\n').unwrap_or_default();
                let language = info.trim_start_matches(['`', '~']).split([' ', ',']).next().unwrap_or_default();
                let code = &code[..code.trim_end().rfind('\n').map_or(0, |at| at + 1)];
                let line = text[..range.start].lines().count() + 1;
                (Part::Block(Block { line, language, code, marker }), before, line_end(text, range.end - 1))
            }
            _ => continue,
        };
        if !before.is_empty() {
            parts.push(Part::Text(before));
        }
        parts.push(part);
        start = end;
    }
    if start < text.len() {
        parts.push(Part::Text(&text[start..]));
    }
    parts
}

/// Returns the start of the line after the one that contains a position.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length + 1)
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
        _ => None,
    })
}

/// Returns the headings of a text.
pub(super) fn headings(text: &str) -> impl Iterator<Item = Heading<'_>> {
    parts(text).into_iter().filter_map(|part| match part {
        Part::Heading(heading) => Some(heading),
        _ => None,
    })
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
    for Heading { range, level, title } in headings(text) {
        match found {
            Some((start, own)) if level <= own || anchor.is_empty() => return Some((own, &text[start..range.start])),
            None if slug(title) == anchor || anchor.is_empty() => found = Some((range.end, level)),
            _ => {}
        }
    }
    found.map(|(start, level)| (level, &text[start..]))
}

/// A part of a text that the site replaces.
enum Link {
    /// The target of a link or an image.
    Target,
    /// A name in brackets, which rustdoc links.
    Name,
}

/// Returns the targets of the links and images in a text.
pub(super) fn targets(text: &str) -> Vec<&str> {
    let links = links(text).into_iter().filter(|(_, link)| matches!(link, Link::Target));
    links.map(|(range, _)| &text[range]).collect()
}

/// Replaces the targets of links and images in a text. Names in brackets, which rustdoc links, become plain code.
pub(super) fn replace_targets(
    text: &str,
    mut replace: impl FnMut(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (range, link) in links(text) {
        result += &text[at..range.start];
        at = range.end;
        let old = &text[range];
        match link {
            Link::Target => result += &replace(old)?,
            Link::Name => result += old.trim_start_matches('[').trim_end_matches(']'),
        }
    }
    Ok(result + &text[at..])
}

/// Returns the ranges of the targets of links, and of names in brackets.
fn links(text: &str) -> Vec<(Range<usize>, Link)> {
    // Links without a target are names that rustdoc looks up.
    let no_target = |link: BrokenLink<'_>| link.reference.starts_with('`').then(|| ("".into(), "".into()));
    let parser = Parser::new_with_broken_link_callback(text, OPTIONS, Some(no_target));
    let mut links: Vec<_> = parser
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(
                Tag::Link { link_type: LinkType::Inline, .. } | Tag::Image { link_type: LinkType::Inline, .. },
            ) => {
                let start = range.start + text[range.clone()].rfind("](")? + 2;
                let target = text[start..range.end - 1].split_whitespace().next().unwrap_or_default();
                Some((start..start + target.len(), Link::Target))
            }
            Event::Start(Tag::Link { link_type: LinkType::ShortcutUnknown, .. })
                if text[range.clone()].starts_with("[`") =>
            {
                Some((range, Link::Name))
            }
            _ => None,
        })
        .collect();
    // An image may be the text of a link.
    links.sort_by_key(|(range, _)| range.start);
    links
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
        assert!(!texts.contains("no_run") && !texts.contains("Inner") && texts.contains("\na\n"));
        assert_eq!(parts("a\n"), [Part::Text("a\n")]);
        assert_eq!(blocks("```\n```\n\n```sh\na\n\n```\n").map(|block| block.code).collect::<Vec<_>>(), ["", "a\n\n"]);
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
        assert_eq!(targets("[![image](a.png)](b.md)"), ["a.png", "b.md"]);
    }
}
