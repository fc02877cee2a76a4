//! Properties for arbitrary input.

use mapwright_io::{Error, FaultKind, FixedBytes, Input, Output, Position, escape, format_shortest};
use proptest::prelude::*;

proptest! {
    #[test]
    fn written_numbers_are_read_back(a: u8, b: i16, c: u32, d: i64, e: u64, bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let mut output = Output::new();
        let length = output.reserve_u32();
        output.u8(a);
        output.i16_be(b);
        output.u32_le(c);
        output.i64_be(d);
        output.f64_le(f64::from_bits(e));
        output.bytes(&bytes);
        output.patch_u32_be(length, u32::try_from(bytes.len()).expect("short"));
        let written = output.into_bytes();

        let mut input = Input::new(&written);
        let declared = input.u32_be().expect("there");
        prop_assert_eq!(input.u8(), Ok(a));
        prop_assert_eq!(input.i16_be(), Ok(b));
        prop_assert_eq!(input.u32_le(), Ok(c));
        prop_assert_eq!(input.i64_be(), Ok(d));
        prop_assert_eq!(input.f64_le().map(f64::to_bits), Ok(e));
        let count = input.count(declared.into(), 1, "bytes").expect("a true count");
        prop_assert_eq!(input.take(count), Ok(&bytes[..]));
        prop_assert_eq!(input.finish(), Ok(()));
    }

    #[test]
    fn reads_never_pass_the_end(bytes in prop::collection::vec(any::<u8>(), 0..20), base: u64, wants in prop::collection::vec(any::<usize>(), 0..8)) {
        let mut input = Input::at_base(&bytes, Position::file(base));
        for want in wants {
            let before = input.remaining();
            match input.take(want) {
                Ok(taken) => prop_assert_eq!(taken.len(), want),
                Err(fault) => {
                    prop_assert_eq!(input.remaining(), before);
                    let truncated = matches!(fault.kind, FaultKind::Truncated { .. });
                    prop_assert!(truncated);
                    prop_assert!(!Error::<FaultKind>::from(fault).to_string().is_empty());
                }
            }
        }
    }

    #[test]
    fn a_slot_is_its_text_and_its_residue(raw: [u8; 16]) {
        let slot = FixedBytes { raw };
        let nul = usize::from(slot.text().len() < 16);
        prop_assert_eq!(slot.text().len() + nul + slot.residue().len(), 16);
        let clean = FixedBytes::<16>::from_text(slot.text()).expect("it fits");
        prop_assert_eq!(clean.text(), slot.text());
        prop_assert!(clean.residue().iter().all(|&byte| byte == 0));
    }

    #[test]
    fn the_shortest_text_reads_back_to_the_same_bits(bits: u64) {
        let value = f64::from_bits(bits);
        prop_assume!(!value.is_nan());
        prop_assert_eq!(format_shortest(value).parse::<f64>().map(f64::to_bits), Ok(bits));
    }

    #[test]
    fn escaped_bytes_have_no_control_characters(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        prop_assert!(!escape(&bytes).to_string().chars().any(char::is_control));
    }
}
