//! The header, and the settings of the editor.

use mapwright_io::Context as _;

use super::context::ParseContext;
use super::lexer::{Line, Lines, expected, name};
use super::numbers;
use crate::{Counts, Dialect, Header, Name, ReadError, TextureSource, Wed};

/// Reads up to the first section.
pub(super) fn header(lines: &mut Lines<'_>, dialect: Dialect) -> Result<Header, ReadError> {
    let mut header = Header::default();
    let mut counts = None;
    loop {
        let before = lines.at();
        let Some(line) = lines.next_or_comment() else { break };
        if line.text.is_empty() {
            comment(&mut header, line.comment, dialect);
            continue;
        }
        if line.text.contains(&b'{') {
            // Comments before the first section belong to the header.
            lines.seek(before);
            break;
        }
        let mut words = line.words();
        let (word, number) = (words.next().unwrap_or_default().0, words.next());
        let (digits, at) = number.unwrap_or((b"\n", line.at));
        let count = || numbers::whole(digits).ok_or_else(|| expected("a number", digits, at));
        match word {
            b"version" => {}
            b"blocks" => counts.get_or_insert_with(Counts::default).blocks = count()?,
            b"entities" => counts.get_or_insert_with(Counts::default).entities = count()?,
            b"objects" => counts.get_or_insert_with(Counts::default).objects = count()?,
            _ => {
                return Err(expected("a section, or the number of blocks, entities or objects", line.text, line.at));
            }
        }
    }
    header.counts = counts;
    Ok(header)
}

/// Reads program and date from a comment.
fn comment(header: &mut Header, text: &[u8], dialect: Dialect) {
    if dialect == Dialect::Resolved {
        if header.generator.is_empty() {
            let comma = text.iter().rposition(|byte| *byte == b',').and_then(|comma| text.split_at_checked(comma));
            let day = comma.map(|(generator, day)| (generator, day.get(1..).unwrap_or_default().trim_ascii()));
            let (generator, day) = day.filter(|(_, day)| is_day(day)).unwrap_or((text, b""));
            (header.generator, header.created) = (generator.into(), day.into());
        }
    } else if let Some(day) = text.strip_prefix(b"Created ") {
        header.created = day.trim_ascii().into();
    } else if text.starts_with(b"ACKWED V ") || text.starts_with(b"WMPIO V ") {
        header.generator = text.into();
    }
}

/// Returns `true` for dates such as `31.07.2001`.
fn is_day(text: &[u8]) -> bool {
    text.len() == 10
        && text
            .iter()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 2 | 5) { *byte == b'.' } else { byte.is_ascii_digit() })
}

/// Reads the contents of the settings and their closing brace.
pub(super) fn wed(lines: &mut Lines<'_>, context: &mut ParseContext<'_>) -> Result<Wed, ReadError> {
    let mut wed = Wed::default();
    while let Some(head) = lines.until_close("wed")? {
        let Some(word) = head.text.strip_suffix(b"{").map(<[u8]>::trim_ascii_end) else {
            return Err(expected("a section of settings of the editor", head.text, head.at));
        };
        match word {
            b"palette" if wed.palette.is_none() => wed.palette = Some(palette(lines).in_field("palette")?),
            b"wad" => {
                let mut head = None;
                sources(lines, &mut wed.wads, Some(&mut head), context).in_field("wads")?;
                // A section without that line still is one.
                wed.wad_head = Some(head.unwrap_or_default());
            }
            b"folder" => sources(lines, &mut wed.folders, None, context).in_field("folders")?,
            b"bookmark" if wed.bookmarks.is_none() => wed.bookmarks = Some(texts(lines, "bookmark", context)?),
            b"view" if wed.views.is_none() => wed.views = Some(texts(lines, "view", context)?),
            _ => lines.skip_section("a section of settings of the editor")?,
        }
    }
    Ok(wed)
}

/// Reads bytes of two hexadecimal digits.
fn palette(lines: &mut Lines<'_>) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::with_capacity(768);
    while let Some(line) = lines.until_close("palette")? {
        for (word, at) in line.words() {
            let byte = std::str::from_utf8(word).ok().filter(|word| !word.starts_with('+'));
            let byte = byte.and_then(|word| u8::from_str_radix(word, 16).ok());
            bytes.push(byte.ok_or_else(|| expected("two hexadecimal digits", word, at))?);
        }
    }
    Ok(bytes)
}

/// Reads paths in brackets with a number after each. Unknown numbers may come before the first.
fn sources(
    lines: &mut Lines<'_>,
    sources: &mut Vec<TextureSource>,
    mut head: Option<&mut Option<Name>>,
    context: &mut ParseContext<'_>,
) -> Result<(), ReadError> {
    while let Some(line) = lines.until_close("a list of files")? {
        // A path takes its bytes and two reference counts.
        context.count(1, line.at)?;
        context.memory(line.text.len().saturating_add(16), lines.at())?;
        match (line.bracketed(), &mut head) {
            (Some((path, b"")), _) => {
                context.push(sources, TextureSource { path: name(path), enabled: 1 }, lines.at())?;
            }
            (Some((path, number)), _) => {
                let line = Line { text: number, ..line };
                let enabled = line.whole("a number after a path")?;
                context.push(sources, TextureSource { path: name(path), enabled }, lines.at())?;
            }
            (None, Some(head)) if head.is_none() && sources.is_empty() => **head = Some(line.text.into()),
            (None, _) => return Err(expected("a path in <...>", line.text, line.at)),
        }
    }
    Ok(())
}

/// Reads lines verbatim.
fn texts(lines: &mut Lines<'_>, what: &'static str, context: &mut ParseContext<'_>) -> Result<Vec<Name>, ReadError> {
    let mut texts = Vec::new();
    while let Some(line) = lines.until_close(what)? {
        context.keep(&mut texts, line, lines)?;
    }
    Ok(texts)
}
