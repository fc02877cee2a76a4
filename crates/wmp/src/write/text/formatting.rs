//! Formatting of changed text.
//!
//! There are three texts: the source, the values of the source as the editor prints them (*old*), and the changed values as the
//! editor prints them (*new*). Tokens of the source are aligned with those of *old*, lines of *old* with those of *new*. Tokens
//! of *new* that equal their token of *old* are written as in the source, with the spaces and comments around them.

use std::ops::Range;

use crate::read::text::numbers::{flags, float};

/// The range in which an aligned token is searched.
const REACH: usize = 48;
/// The number of unsuccessful searches before alignment stops, because the texts are too different.
const MISSES: usize = 1000;

/// Returns the new text with the formatting of the source.
pub(super) fn keep_formatting(span: &[u8], old: &[u8], new: &[u8], line_end: &[u8]) -> Vec<u8> {
    let source = Text::new(span);
    let (old, new) = (Text::new(old), Text::new(new));
    let mut writer = ReformattedWriter {
        aligned: align(&source, &old),
        source,
        old,
        new,
        line_end,
        last: None,
        rest: Vec::new(),
        out: Vec::new(),
    };
    writer.write();
    writer.out
}

/// A text, its tokens, and the tokens of each line that has any.
struct Text<'a> {
    bytes: &'a [u8],
    tokens: Vec<Range<usize>>,
    lines: Vec<Range<usize>>,
}

impl<'a> Text<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut text = Self { bytes, tokens: Vec::new(), lines: Vec::new() };
        let mut at = 0;
        let mut line = 0;
        while let Some((&first, rest)) = bytes.get(at..).and_then(<[u8]>::split_first) {
            if first == b'\n' {
                text.end_line(&mut line);
            }
            let length = if first.is_ascii_whitespace() { 0 } else { token(first, rest).saturating_add(1) };
            if length > 0 {
                text.tokens.push(at..at.saturating_add(length));
            }
            at = at.saturating_add(length.max(1));
        }
        text.end_line(&mut line);
        text
    }

    fn end_line(&mut self, start: &mut usize) {
        let line = std::mem::replace(start, self.tokens.len())..self.tokens.len();
        if !line.is_empty() {
            self.lines.push(line);
        }
    }

    fn token(&self, index: usize) -> &'a [u8] {
        self.tokens.get(index).and_then(|range| self.bytes.get(range.clone())).unwrap_or_default()
    }

    /// Returns the text between a token and another before it, or the start.
    fn between(&self, before: Option<usize>, token: usize) -> &'a [u8] {
        let end = |index: Option<usize>| index.and_then(|index| self.tokens.get(index)).map_or(0, |range| range.end);
        let start = self.tokens.get(token).map_or(self.bytes.len(), |range| range.start);
        self.bytes.get(end(before)..start).unwrap_or_default()
    }

    /// Returns the tokens of a line.
    fn line(&self, index: usize) -> Range<usize> {
        self.lines.get(index).cloned().unwrap_or_default()
    }

    /// Returns `true` if two lines have the same tokens.
    fn has(&self, line: usize, other: &Self, others: usize) -> bool {
        let (line, others) = (self.line(line), other.line(others));
        line.len() == others.len() && line.zip(others).all(|(index, others)| self.token(index) == other.token(others))
    }
}

/// Returns the length of a token without its first byte.
fn token(first: u8, rest: &[u8]) -> usize {
    let until = |ends: fn(&u8) -> bool| rest.iter().position(ends).unwrap_or(rest.len());
    match first {
        b'(' | b')' | b'[' | b']' | b',' => 0,
        b'/' if rest.first() == Some(&b'/') => {
            let line = rest.get(..until(|byte| *byte == b'\n')).unwrap_or_default();
            line.trim_ascii_end().len()
        }
        b'<' => {
            let end = until(|byte| matches!(byte, b'>' | b'\n'));
            if rest.get(end) == Some(&b'>') { end.saturating_add(1) } else { end }
        }
        _ => until(|byte| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'[' | b']' | b',')),
    }
}

/// Returns `true` if two tokens have the same value. The second is as the editor prints it.
fn has_same_value(token: &[u8], printed: &[u8]) -> bool {
    if token.eq_ignore_ascii_case(printed) {
        return true;
    }
    if let (Some(a), Some(b)) = (token.strip_prefix(b"//"), printed.strip_prefix(b"//")) {
        return a.trim_ascii() == b.trim_ascii();
    }
    if token.is_empty() || printed.is_empty() {
        return false;
    }
    if let (Some(a), Some(b)) = (flags(unquoted(token)), flags(unquoted(printed))) {
        return a == b;
    }
    // Printing may have rounded the number.
    matches!((float(token), float(printed)), (Some(a), Some(b)) if (a - b).abs() <= 0.005 + a.abs() * 1e-9)
        || matches!((token, printed), (b"<>", b"<ndef>"))
}

fn unquoted(token: &[u8]) -> &[u8] {
    token.strip_prefix(b"'").and_then(|token| token.strip_suffix(b"'")).unwrap_or(token)
}

/// Returns for each token of the printed text that of the source with its value.
fn align(source: &Text<'_>, old: &Text<'_>) -> Vec<Option<usize>> {
    let mut aligned = vec![None; old.tokens.len()];
    let (mut at, mut index, mut misses) = (0_usize, 0_usize, 0_usize);
    let same = |at: usize, index: usize| has_same_value(source.token(at), old.token(index));
    while at < source.tokens.len() && index < old.tokens.len() && misses < MISSES {
        if same(at, index) {
            if let Some(aligned) = aligned.get_mut(index) {
                *aligned = Some(at);
            }
            (at, index) = (at.saturating_add(1), index.saturating_add(1));
            continue;
        }
        // Two tokens in a row that match are more reliable than one.
        let follows = |at: usize, index: usize| {
            same(at, index)
                && (old.tokens.len() == index.saturating_add(1) || same(at.saturating_add(1), index.saturating_add(1)))
        };
        let found = steps().find(|(a, b)| follows(at.saturating_add(*a), index.saturating_add(*b)));
        misses = misses.saturating_add(usize::from(found.is_none()));
        let (a, b) = found.unwrap_or((1, 1));
        (at, index) = (at.saturating_add(a), index.saturating_add(b));
    }
    aligned
}

/// Returns pairs of steps, the shortest first.
fn steps() -> impl Iterator<Item = (usize, usize)> {
    (1..=REACH).flat_map(|both| (0..=both).map(move |one| (one, both.saturating_sub(one))))
}

/// Returns for each line of the new text the line of the old text that it replaces.
fn pair(old: &Text<'_>, new: &Text<'_>) -> Vec<Option<usize>> {
    let (olds, news) = (old.lines.len(), new.lines.len());
    let least = olds.min(news);
    let front = (0..least).take_while(|line| new.has(*line, old, *line)).count();
    let back = (1..=least.saturating_sub(front))
        .take_while(|line| new.has(news.saturating_sub(*line), old, olds.saturating_sub(*line)))
        .count();
    let mut pairs: Vec<Option<usize>> = vec![None; news];
    let mut put = |line: usize, other: usize| {
        if let Some(pair) = pairs.get_mut(line) {
            *pair = Some(other);
        }
    };
    (0..front).for_each(|line| put(line, line));
    (1..=back).for_each(|line| put(news.saturating_sub(line), olds.saturating_sub(line)));
    let (old_end, new_end) = (olds.saturating_sub(back), news.saturating_sub(back));
    let (mut at, mut line, mut misses) = (front, front, 0_usize);
    while at < old_end && line < new_end {
        let found = match old_end == new_end || misses > MISSES || new.has(line, old, at) {
            true => None,
            false => steps().find(|(a, b)| {
                let (a, b) = (at.saturating_add(*a), line.saturating_add(*b));
                a < old_end && b < new_end && new.has(b, old, a)
            }),
        };
        misses = misses.saturating_add(usize::from(found.is_none()));
        let (a, b) = found.unwrap_or((1, 1));
        for step in 0..a.min(b) {
            put(line.saturating_add(step), at.saturating_add(step));
        }
        (at, line) = (at.saturating_add(a), line.saturating_add(b));
    }
    pairs
}

struct ReformattedWriter<'a> {
    source: Text<'a>,
    old: Text<'a>,
    new: Text<'a>,
    /// For each token of the old text, that of the source.
    aligned: Vec<Option<usize>>,
    line_end: &'a [u8],
    /// The token of the source that was written last, unless a token of the new text was.
    last: Option<usize>,
    /// The rest of the line in the source, such as a comment. It follows what is added to the line.
    rest: Vec<u8>,
    out: Vec<u8>,
}

impl ReformattedWriter<'_> {
    fn write(&mut self) {
        let used: Vec<usize> = self.aligned.iter().copied().flatten().collect();
        for (line, other) in pair(&self.old, &self.new).into_iter().enumerate() {
            let tokens = self.new.line(line);
            let others = other.map(|other| self.old.line(other)).unwrap_or_default();
            let (front, back) = self.shared(&tokens, &others);
            for (place, index) in tokens.clone().enumerate() {
                let after = tokens.end.saturating_sub(index);
                let old = if place < front {
                    Some(others.start.saturating_add(place))
                } else {
                    (after <= back).then(|| others.end.saturating_sub(after))
                };
                self.token(index, old, &used);
            }
        }
        self.end_line();
        let end = used.last().and_then(|last| self.source.tokens.get(*last)).map_or(0, |token| token.end);
        let gap = self.source.bytes.get(end..).unwrap_or_default();
        self.out.extend_from_slice(gap.get(line_at(gap)..).unwrap_or_default());
    }

    /// Returns how many tokens at the start and at the end of two lines correspond.
    fn shared(&self, tokens: &Range<usize>, others: &Range<usize>) -> (usize, usize) {
        if tokens.len() == others.len() {
            return (tokens.len(), 0);
        }
        let least = tokens.len().min(others.len());
        let same = |index: usize, other: usize| self.new.token(index) == self.old.token(other);
        let front = tokens.clone().zip(others.clone()).take_while(|(index, other)| same(*index, *other)).count();
        let back =
            tokens.clone().rev().zip(others.clone().rev()).take_while(|(index, other)| same(*index, *other)).count();
        let back = back.min(least.saturating_sub(front));
        // The tokens between replace each other.
        (least.saturating_sub(back), back)
    }

    /// Writes a token of the new text that corresponds to one of the old.
    fn token(&mut self, index: usize, old: Option<usize>, used: &[usize]) {
        let text = self.new.token(index);
        let same = old.is_some_and(|old| self.old.token(old) == text);
        let Some(at) = old.and_then(|old| self.aligned.get(old).copied().flatten()) else {
            // A token that the source omits stays omitted.
            if !same {
                self.write_space(index);
                self.out.extend_from_slice(text);
                self.last = None;
            }
            return;
        };
        let place = used.partition_point(|used| *used < at);
        let before = place.checked_sub(1).and_then(|before| used.get(before).copied());
        let gap = self.source.between(before, at);
        // The rest of the line was written with the token before.
        let lead = if before.is_some() { gap.get(line_at(gap)..).unwrap_or_default() } else { gap };
        let follows = self.last.replace(at) == before;
        if lead.is_empty() && !follows {
            self.write_space(index);
        } else {
            self.end_line();
            self.out.extend_from_slice(lead);
        }
        self.out.extend_from_slice(if same { self.source.token(at) } else { text });
        let next = used.get(place.saturating_add(1)).copied().unwrap_or(self.source.tokens.len());
        let gap = self.source.between(Some(at), next);
        self.rest = gap.get(..line_at(gap)).unwrap_or_default().to_vec();
    }

    /// Writes the space before a token of the new text.
    fn write_space(&mut self, index: usize) {
        let space = self.new.between(index.checked_sub(1), index);
        for line in space.split_inclusive(|byte| *byte == b'\n') {
            match line.strip_suffix(b"\n") {
                Some(line) => {
                    self.out.extend_from_slice(line);
                    self.end_line();
                    self.out.extend_from_slice(self.line_end);
                }
                None => self.out.extend_from_slice(line),
            }
        }
    }

    /// Writes the rest of the line in the source.
    fn end_line(&mut self) {
        self.out.append(&mut self.rest);
    }
}

/// Returns the end of the first line of a gap, or 0 if it has no line end.
fn line_at(gap: &[u8]) -> usize {
    let end = gap.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    end.saturating_sub(usize::from(end.checked_sub(1).and_then(|before| gap.get(before)) == Some(&b'\r')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(source: &str, old: &str, new: &str) -> String {
        String::from_utf8(keep_formatting(source.as_bytes(), old.as_bytes(), new.as_bytes(), b"\n")).expect("text")
    }

    #[test]
    fn only_changed_tokens_change() {
        let source = "object 007 {\t// group\n (0.0 1 2)(0 0 0)   (1.00 1 1) // place\n object 1,2 // two\n}";
        let old = "object 7 {  // group\n\t(0 1 2) (0 0 0) (1 1 1)\n\tobject 1, 2\n}\n\n";
        let moved = old.replace("(0 1 2)", "(0 5 2)");
        assert_eq!(formatted(source, old, &moved), source.replace("0.0 1 2", "0.0 5 2"));
        let named = old.replace("// group", "// other");
        assert_eq!(formatted(source, old, &named), source.replace("// group", "// other"));
        let held = old.replace("1, 2", "1, 2, 3");
        assert_eq!(formatted(source, old, &held), source.replace("1,2", "1,2, 3"));
        let let_go = old.replace("1, 2", "2");
        assert_eq!(formatted(source, old, &let_go), source.replace("1,2", "2"));
        assert_eq!(formatted(source, old, old), source);
    }

    #[test]
    fn lines_can_be_added_and_removed() {
        let source = "faces 2\n\n  1 a // first\n// between\n  2.0 b // second\n}";
        let old = "faces 2\n\t1 a\n\t2 b\n}\n";
        assert_eq!(formatted(source, old, "faces 1\n\t2 b\n}\n"), "faces 1\n// between\n  2.0 b // second\n}");
        assert_eq!(
            formatted(source, old, "faces 3\n\t1 a\n\t1.5 c\n\t2 b\n}\n"),
            "faces 3\n\n  1 a // first\n\t1.5 c\n// between\n  2.0 b // second\n}"
        );
    }
}
