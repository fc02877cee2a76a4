//! Bodies for the ground of all formats.

use mapwright_io::{Budget, ErrorKind as _, Fault, Input, Limits, Position, inflate};
use mapwright_testkit::{Refusal, laws};

use crate::target::{Target, refusal_at};

/// The targets of `mapwright-io`.
pub const TARGETS: &[Target] = &[
    Target { name: "io_inflate", format: "io", body: inflated, inputs: ZLIB, inflation: Target::ZLIB, ..Target::NEW },
    Target { name: "io_input", format: "io", body: input, inputs: ZLIB, inflation: Target::ZLIB, ..Target::NEW },
];

const ZLIB: &[&[u8]] = &[
    // Four little-endian bytes of declared size, then a stream: empty, "abc" stored, 1000 zeros.
    b"\0\0\0\0\x78\xda\x03\0\0\0\0\x01",
    b"\x03\0\0\0\x78\x01\x01\x03\0\xfc\xffabc\x02\x4d\x01\x27",
    b"\xe8\x03\0\0\x78\xda\x63\x60\x18\x05\xa3\x60\x14\x0c\x77\0\0\x03\xe8\0\x01",
];

/// Inflates a stream with a declared size in front, within it and without it.
pub fn inflated(bytes: &[u8]) {
    let Some((size, stream)) = bytes.split_first_chunk::<4>() else { return };
    let declared = u32::from_le_bytes(*size);
    for declared in [Some(declared.into()), None] {
        let read = |stream: &[u8]| {
            inflate(stream, declared, &mut Budget::new(&Limits::default()), Position::file(0)).map_err(refusal_of)
        };
        if let Some(inflated) = laws::total(stream, read) {
            assert!(inflated.consumed <= stream.len());
            assert!(declared.is_none_or(|declared| inflated.bytes.len() as u64 == declared));
        }
    }
}

/// Drives the cursor: the first byte of each step selects the function that reads.
pub fn input(bytes: &[u8]) {
    laws::total(bytes, |bytes| drive(Input::new(bytes)).map_err(refusal_of));
}

fn drive(mut input: Input<'_>) -> Result<(), Fault> {
    while !input.is_empty() {
        let left = input.remaining();
        let step = input.u8()?;
        match step % 8 {
            0 => drop(input.u16_le()?),
            1 => drop(input.i32_be()?),
            2 => drop(input.f64_le()?),
            3 => drop(input.take(step.into())?),
            4 => {
                let count = input.u32_le()?;
                assert!(input.count(count.into(), 4, "items")? <= input.remaining() / 4, "a count that cannot be true");
            }
            5 => {
                let count = input.u64_be()?;
                assert!(input.count(count, 1, "items")? <= input.remaining(), "a count that cannot be true");
            }
            6 => assert_eq!(input.sub(step.into())?.remaining(), usize::from(step)),
            _ => input.finish()?,
        }
        assert!(input.remaining() < left, "the cursor stands still");
    }
    Ok(())
}

fn refusal_of(fault: Fault) -> Refusal {
    refusal_at(fault.kind.category().name(), Some(fault.at), &fault)
}
