//! The coverage-guided fuzzer: libFuzzer around the body that the environment variable `MAPWRIGHT_FUZZ_TARGET` names.
//! Built and run by `cargo xtask fuzz`, which sets the flags that instrument the code.

#![no_main]

use std::env;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use mapwright_fuzz::{Target, targets};
use mapwright_testkit::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

static TARGET: OnceLock<&Target> = OnceLock::new();

fn target() -> &'static Target {
    let name = env::var("MAPWRIGHT_FUZZ_TARGET").expect("`cargo xtask fuzz` sets MAPWRIGHT_FUZZ_TARGET");
    targets().find(|target| target.name == name).expect("MAPWRIGHT_FUZZ_TARGET names a target")
}

fuzz_target!(|bytes: &[u8]| TARGET.get_or_init(target).run(bytes, &HEAP));
