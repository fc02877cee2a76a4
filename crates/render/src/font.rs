//! A font for the names of images, three pixels wide and five high.

/// Width and height of a letter in pixels, with spacing.
pub(crate) const SIZE: [usize; 2] = [4, 7];

/// Returns `true` if a letter covers a pixel. Lower case looks like upper case. Unknown letters are boxes.
pub(crate) fn covers(letter: char, x: usize, y: usize) -> bool {
    x < 3 && y < 5 && rows(letter) >> ((4 - y) * 3 + (2 - x)) & 1 == 1
}

/// Returns the five rows of a letter from above, three bits each.
const fn rows(letter: char) -> u16 {
    match letter.to_ascii_uppercase() {
        ' ' => 0,
        '!' => 0o22202,
        '#' => 0o57575,
        '&' => 0o25253,
        '\'' => 0o22000,
        '(' => 0o12221,
        ')' => 0o42224,
        '+' => 0o02720,
        ',' => 0o00024,
        '-' => 0o00700,
        '.' => 0o00002,
        '/' | '\\' => 0o11244,
        '0' => 0o75557,
        '1' => 0o26227,
        '2' => 0o61247,
        '3' => 0o61216,
        '4' => 0o55711,
        '5' => 0o74616,
        '6' => 0o34757,
        '7' => 0o71122,
        '8' => 0o75757,
        '9' => 0o75716,
        ':' => 0o02020,
        '=' => 0o07070,
        '@' => 0o75747,
        'A' => 0o25755,
        'B' => 0o65656,
        'C' => 0o34443,
        'D' => 0o65556,
        'E' => 0o74647,
        'F' => 0o74644,
        'G' => 0o34553,
        'H' => 0o55755,
        'I' => 0o72227,
        'J' => 0o11152,
        'K' => 0o55655,
        'L' => 0o44447,
        'M' => 0o57755,
        'N' => 0o65555,
        'O' => 0o25552,
        'P' => 0o65644,
        'Q' => 0o25563,
        'R' => 0o65655,
        'S' => 0o34216,
        'T' => 0o72222,
        'U' => 0o55557,
        'V' => 0o55552,
        'W' => 0o55775,
        'X' => 0o55255,
        'Y' => 0o55222,
        'Z' => 0o71247,
        '[' => 0o64446,
        ']' => 0o31113,
        '_' => 0o00007,
        '~' => 0o03600,
        _ => 0o77777,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_upright_and_differ() {
        let shown: Vec<String> =
            (0..5).map(|y| (0..4).map(|x| if covers('f', x, y) { '#' } else { '.' }).collect()).collect();
        assert_eq!(shown, ["###.", "#...", "##..", "#...", "#..."]);
        let letters: Vec<char> = (' '..='~').filter(|letter| !letter.is_ascii_lowercase() && *letter != '\\').collect();
        let mut looks: Vec<u16> = letters.iter().map(|&letter| rows(letter)).filter(|&rows| rows != 0o77777).collect();
        let count = looks.len();
        looks.sort_unstable();
        looks.dedup();
        assert_eq!((looks.len(), count), (count, 55));
        assert!(covers('ü', 1, 2) && !covers('ü', 3, 2) && !covers('A', 0, 5));
    }
}
