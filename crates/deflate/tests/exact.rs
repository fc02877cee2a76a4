//! The output is that of classic zlib. `tests/data/zlib.tsv` was written by zlib 1.2.13; `zlib10.tsv` was written by an
//! independent model of zlib 1.0 that agrees with zlib 1.0.4.

use std::io::{Read, Write};

use mapwright_deflate::{BlockEnd, Level, adler32, compress, matches_first_block};
use mapwright_testkit::{corpus, files_below};
use proptest::prelude::*;

const LEVELS: [Level; 6] = [Level::Four, Level::Five, Level::Six, Level::Seven, Level::Eight, Level::Nine];

#[test]
fn first_blocks_are_compared() {
    for kind in ["noise", "few", "runs", "mixed"] {
        for size in [0, 1, 5000, 200_000] {
            let data = input(kind, size);
            let stream = compress(&data, Level::Six, BlockEnd::Full);
            assert!(matches_first_block(&stream, &data, Level::Six, BlockEnd::Full), "{kind} {size}");
            assert!(!matches_first_block(&stream, &data, Level::Nine, BlockEnd::Full), "{kind} {size}");
            for at in [0, 1, 2, stream.len() / 50] {
                let mut other = stream.clone();
                other[at] ^= 0x40;
                assert!(!matches_first_block(&other, &data, Level::Six, BlockEnd::Full), "{kind} {size} {at}");
            }
            assert!(!matches_first_block(&stream[..2], &data, Level::Six, BlockEnd::Full));
        }
    }
}

/// Marsaglia's xorshift.
struct Xorshift(u32);

impl Xorshift {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

/// Builds an input of the tables.
fn input(kind: &str, size: usize) -> Vec<u8> {
    let mut random = Xorshift(0x9E37_79B9 ^ u32::try_from(size).unwrap());
    let mut out = Vec::new();
    let top = |value: u32| value.to_be_bytes()[0];
    while kind != "skew" && out.len() < size {
        let value = random.next();
        match kind {
            "noise" => out.push(top(value)),
            "few" => out.push(top(value) % 5),
            "runs" => out.extend(std::iter::repeat_n(top(value), 1 + (value & 0x3FF) as usize)),
            _ if out.len() < 16 || value.is_multiple_of(3) => {
                out.extend((0..=value % 37).map(|_| top(random.next()) & 0x3F));
            }
            _ => {
                let back = 1 + (value as usize >> 8) % out.len().min(60_000);
                for _ in 0..3 + (value >> 3) % 300 {
                    out.push(out[out.len() - back]);
                }
            }
        }
    }
    if kind == "skew" {
        // Fibonacci numbers as frequencies require codes longer than 15 bits.
        let (mut count, mut next) = (1_usize, 1);
        for symbol in 0..24 {
            out.extend(std::iter::repeat_n(symbol, count.min(6000)));
            (count, next) = (next, count + next);
        }
        for last in (1..out.len()).rev() {
            let other = random.next() as usize % (last + 1);
            out.swap(last, other);
        }
    }
    out.truncate(size);
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn assert_table(table: &str, block_end: BlockEnd) {
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [kind, size, level, length, stream, crc] = cells[..] else { panic!("{row}") };
        let data = input(kind, size.parse().unwrap());
        assert_eq!(data.len().to_string(), length, "{row}");
        let level = LEVELS[level.parse::<usize>().unwrap() - 4];
        let found = compress(&data, level, block_end);
        assert_eq!(
            (found.len().to_string(), format!("{:08x}", crc32(&found))),
            (stream.to_owned(), crc.to_owned()),
            "{row}"
        );
    }
}

#[test]
fn output_equals_zlib() {
    assert_table(include_str!("data/zlib.tsv"), BlockEnd::Full);
}

#[test]
fn output_equals_zlib_1_0() {
    assert_table(include_str!("data/zlib10.tsv"), BlockEnd::Early);
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_streams_are_reproduced() {
    let Some(folder) = corpus("wings") else { return };
    let mut same = 0;
    for path in
        files_below(&folder).into_iter().filter(|path| !path.components().any(|part| part.as_os_str() == "synthetic"))
    {
        let bytes = std::fs::read(&path).expect("the corpus is readable");
        // Magic, length, 131, 80 and size precede the stream, which reaches to the end.
        let Some(stream) = bytes.get(25..).filter(|stream| stream.starts_with(&[0x78, 0x9C])) else { continue };
        let mut data = Vec::new();
        flate2::read::ZlibDecoder::new(stream).read_to_end(&mut data).expect("inflates");
        assert!(compress(&data, Level::Six, BlockEnd::Full) == stream, "{}", path.display());
        same += 1;
    }
    assert!(same > 100, "{same} streams");
}

#[test]
fn adler32_equals_zlib() {
    assert_eq!(adler32(b"Wikipedia"), 0x11E6_0398);
    let bytes = vec![0xFF; 1 << 16];
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&bytes).expect("memory");
    let stream = encoder.finish().expect("memory");
    assert_eq!(adler32(&bytes).to_be_bytes(), stream[stream.len() - 4..]);
}

proptest! {
    #[test]
    fn compressed_data_inflates(
        parts in prop::collection::vec((any::<u8>(), 0..2000_usize, any::<prop::sample::Index>()), 0..60),
        level in prop::sample::select(LEVELS.to_vec()),
        block_end in prop::sample::select(vec![BlockEnd::Full, BlockEnd::Early]),
    ) {
        let mut data: Vec<u8> = Vec::new();
        for (byte, count, place) in parts {
            if data.is_empty() || count % 2 == 0 {
                data.extend((0..count).map(|index| byte.wrapping_mul(index.to_le_bytes()[0])));
            } else {
                let from = place.index(data.len());
                let copy: Vec<u8> = data[from..].iter().take(count).copied().collect();
                data.extend(copy);
            }
        }
        let stream = compress(&data, level, block_end);
        let mut back = Vec::new();
        flate2::read::ZlibDecoder::new(&stream[..]).read_to_end(&mut back).expect("inflates");
        prop_assert_eq!(back, data);
    }
}
