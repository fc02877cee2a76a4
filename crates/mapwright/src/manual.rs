//! The manual.

#[doc = include_str!("../manual/architecture.md")]
pub mod architecture {}

#[doc = include_str!("../manual/conventions.md")]
pub mod conventions {}

#[doc = include_str!("../manual/fidelity.md")]
pub mod fidelity {}

#[doc = include_str!("../manual/untrusted.md")]
pub mod untrusted {}

#[doc = include_str!("../manual/adding_a_format.md")]
pub mod adding_a_format {}

#[doc = include_str!("../manual/fuzzing.md")]
pub mod fuzzing {}
