//! Legal terms of every tag, in usual and unusual encodings, as bytes.

#![allow(clippy::cast_possible_truncation, reason = "lengths of generated terms are small")]

use mapwright_testkit::with_long_names;
use proptest::collection::vec;
use proptest::prelude::*;

/// A legal term.
pub(crate) fn term() -> BoxedStrategy<Vec<u8>> {
    leaf()
        .prop_recursive(5, 64, 6, |inner| {
            prop_oneof![
                4 => vec(inner.clone(), 0..6).prop_map(|terms| counted(104, &[terms.len() as u8], &terms)),
                1 => vec(inner.clone(), 0..6).prop_map(|terms| with_u32(105, terms.len(), &terms)),
                // A list with any tail: NIL, another list, or another term.
                4 => (vec(inner.clone(), 0..6), prop_oneof![2 => Just(vec![106]), 1 => inner.clone()])
                    .prop_map(|(terms, tail)| [with_u32(108, terms.len(), &terms), tail].concat()),
                2 => vec((inner.clone(), inner.clone()), 0..5).prop_map(|pairs| map(&pairs)),
                1 => (atom(), integer(), integer(), pid(), vec(inner, 0..3), any::<[u8; 16]>())
                    .prop_map(|(module, index, uniq, pid, free, md5)| fun(&module, &index, &uniq, &pid, &free, &md5)),
            ]
        })
        .boxed()
}

/// Terms without children.
fn leaf() -> BoxedStrategy<Vec<u8>> {
    prop_oneof![
        4 => integer(),
        2 => float(),
        3 => atom(),
        1 => Just(vec![106]),
        2 => vec(any::<u8>(), 0..20).prop_map(|bytes| [&[107, 0, bytes.len() as u8], &bytes[..]].concat()),
        2 => vec(any::<u8>(), 0..20).prop_map(|bytes| [&[109, 0, 0, 0, bytes.len() as u8], &bytes[..]].concat()),
        1 => bits(),
        1 => long(),
        1 => pid(),
        1 => port(),
        1 => reference(),
        1 => export(),
    ]
    .boxed()
}

/// A binary or a string. Rarely a string that is too long for a 16-bit length, so that it must be a LIST.
fn long() -> BoxedStrategy<Vec<u8>> {
    let text = || with_long_names("[a-z]{0,6}".prop_map(String::into_bytes));
    let list = |text: Vec<u8>| {
        let letters: Vec<_> = text.iter().map(|&letter| vec![97, letter]).collect();
        [with_u32(108, letters.len(), &letters), vec![106]].concat()
    };
    prop_oneof![
        text().prop_map(|text| [&[109], &(text.len() as u32).to_be_bytes()[..], &text].concat()),
        text().prop_map(list),
    ]
    .boxed()
}

fn integer() -> BoxedStrategy<Vec<u8>> {
    let magnitude = prop_oneof![
        // High zero bytes are legal.
        (vec(any::<u8>(), 0..12), 0..3_usize).prop_map(|(digits, zeros)| [digits, vec![0; zeros]].concat()),
        Just(vec![0, 0, 0, 0x80]),
        Just(vec![0xFF; 255]),
    ];
    prop_oneof![
        any::<u8>().prop_map(|value| vec![97, value]),
        prop_oneof![any::<i32>(), -2..300_i32].prop_map(|value| [&[98], &value.to_be_bytes()[..]].concat()),
        (magnitude, prop_oneof![0..2_u8, any::<u8>()], any::<bool>()).prop_map(|(digits, sign, large)| {
            let head = if large { vec![111, 0, 0, 0, digits.len() as u8] } else { vec![110, digits.len() as u8] };
            [head, vec![sign], digits].concat()
        }),
    ]
    .boxed()
}

fn float() -> BoxedStrategy<Vec<u8>> {
    let finite =
        || prop_oneof![any::<f64>(), (-10..10_i32).prop_map_into()].prop_filter("finite", |value| value.is_finite());
    prop_oneof![
        finite().prop_map(|value| [&[70], &value.to_be_bytes()[..]].concat()),
        (finite(), 0..6_u8, any::<[u8; 31]>()).prop_map(|(value, format, junk)| text_float(value, format, &junk)),
    ]
    .boxed()
}

/// A text float in the format of a profile, or shorter, or with a comma, a sign, or bytes after its end.
fn text_float(value: f64, format: u8, junk: &[u8; 31]) -> Vec<u8> {
    let usual = |digits: usize, zeros: &str, width: usize| {
        let text = format!("{value:.digits$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap();
        let (sign, exponent) = exponent.strip_prefix('-').map_or(("+", exponent), |exponent| ("-", exponent));
        format!("{mantissa}{zeros}e{sign}{exponent:0>width$}")
    };
    let text = match format {
        0 => usual(20, "", 2),
        1 => usual(16, "0000", 3),
        2 => usual(16, "0000", 2),
        3 => usual(3, "", 1),
        4 => usual(9, "", 1).replace('.', ","),
        _ => usual(10, "", 1).replace('e', "E"),
    };
    let mut bytes = [b"c", text.as_bytes()].concat();
    bytes.resize(32, 0);
    if format > 3 {
        bytes[text.len() + 2..].copy_from_slice(&junk[text.len() + 1..]);
    }
    bytes
}

fn atom() -> BoxedStrategy<Vec<u8>> {
    let latin1 = || vec(prop_oneof![3 => b'a'..=b'z', 1 => any::<u8>()], 0..8);
    let utf8 = || prop_oneof!["[a-z]{0,6}", "[a-zé\u{416}\u{1F600}]{0,6}", Just("Ж".repeat(128))];
    prop_oneof![
        latin1().prop_map(|name| [&[100, 0, name.len() as u8], &name[..]].concat()),
        latin1().prop_map(|name| [&[115, name.len() as u8], &name[..]].concat()),
        utf8().prop_map(|name| [&[118], &(name.len() as u16).to_be_bytes()[..], name.as_bytes()].concat()),
        utf8().prop_filter("short", |name| name.len() < 256).prop_map(|name| [
            &[119, name.len() as u8],
            name.as_bytes()
        ]
        .concat()),
    ]
    .boxed()
}

fn bits() -> BoxedStrategy<Vec<u8>> {
    (vec(any::<u8>(), 0..6), 1..=8_u8)
        .prop_map(|(bytes, bits)| {
            let bits = if bytes.is_empty() { 0 } else { bits };
            [&[77, 0, 0, 0, bytes.len() as u8, bits], &bytes[..]].concat()
        })
        .boxed()
}

fn pid() -> BoxedStrategy<Vec<u8>> {
    (atom(), any::<[u8; 12]>(), any::<bool>())
        .prop_map(|(node, numbers, legacy)| {
            if legacy { [&[103], &node[..], &numbers[..9]].concat() } else { [&[88], &node[..], &numbers].concat() }
        })
        .boxed()
}

fn port() -> BoxedStrategy<Vec<u8>> {
    (atom(), any::<[u8; 12]>(), 0..3_usize)
        .prop_map(|(node, numbers, kind)| {
            let (tag, length) = [(102, 5), (89, 8), (120, 12)][kind];
            [&[tag], &node[..], &numbers[..length]].concat()
        })
        .boxed()
}

fn reference() -> BoxedStrategy<Vec<u8>> {
    (atom(), any::<[u8; 24]>(), 0..=5_u8, 0..3_u8)
        .prop_map(|(node, numbers, words, kind)| match kind {
            0 => [&[101], &node[..], &numbers[..5]].concat(),
            1 => [&[114, 0, words], &node[..], &numbers[..1 + 4 * usize::from(words)]].concat(),
            _ => [&[90, 0, words], &node[..], &numbers[..4 + 4 * usize::from(words)]].concat(),
        })
        .boxed()
}

fn export() -> BoxedStrategy<Vec<u8>> {
    let arity = prop_oneof![
        any::<u8>().prop_map(|n| vec![97, n]),
        (0..=i32::MAX).prop_map(|n| [&[98], &n.to_be_bytes()[..]].concat()),
        (0..1_u64 << 59).prop_map(|n| [&[110, 8, 0], &n.to_le_bytes()[..]].concat()),
    ];
    (atom(), atom(), arity).prop_map(|(module, function, arity)| [vec![113], module, function, arity].concat()).boxed()
}

fn fun(module: &[u8], index: &[u8], uniq: &[u8], pid: &[u8], free: &[Vec<u8>], md5: &[u8; 16]) -> Vec<u8> {
    let count = (free.len() as u32).to_be_bytes();
    [&[112, 0, 0, 0, 9, 2], &md5[..], &[0, 0, 0, 7], &count, module, index, uniq, pid, &free.concat()].concat()
}

/// The index makes the keys different.
fn map(pairs: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let pairs = pairs.iter().enumerate().map(|(index, (key, value))| {
        let key = if index == 0 { key.clone() } else { [&[104, 2], &key[..], &[97, index as u8]].concat() };
        [key, value.clone()].concat()
    });
    let pairs: Vec<Vec<u8>> = pairs.collect();
    with_u32(116, pairs.len(), &pairs)
}

fn counted(tag: u8, count: &[u8], terms: &[Vec<u8>]) -> Vec<u8> {
    [&[tag], count, &terms.concat()].concat()
}

fn with_u32(tag: u8, count: usize, terms: &[Vec<u8>]) -> Vec<u8> {
    counted(tag, &(count as u32).to_be_bytes(), terms)
}
