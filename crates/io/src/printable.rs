//! Characters that must be escaped before they are printed.

/// Returns `true` if a character must be escaped on terminals, in messages and in tables.
///
/// These are control characters (general category Cc), format characters (Cf, including those that change the direction of text and
/// those without width), line and paragraph separators (Zl, Zp) of Unicode 17.0, and the unassigned characters in the blocks of format
/// characters. They move the cursor, or make text look like other text.
///
/// ```
/// assert!(mapwright_io::is_unprintable('\u{202e}'));
/// assert!(!mapwright_io::is_unprintable('é'));
/// ```
pub const fn is_unprintable(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
        | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex_syntax::hir::{Class, HirKind};

    fn characters(class: &str) -> Vec<char> {
        let HirKind::Class(Class::Unicode(class)) = regex_syntax::parse(class).unwrap().into_kind() else {
            panic!("a class of characters");
        };
        class.iter().flat_map(|range| range.start()..=range.end()).collect()
    }

    #[test]
    fn the_table_contains_exactly_the_documented_categories() {
        let all = characters(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]");
        assert!(all.len() > 200);
        let missing: Vec<char> = all.iter().copied().filter(|&c| !is_unprintable(c)).collect();
        assert_eq!(missing, []);
        let more: Vec<char> =
            characters(r"[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}]").into_iter().filter(|&c| is_unprintable(c)).collect();
        assert_eq!(more, []);
    }
}
