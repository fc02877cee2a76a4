//! Maps of everything the format has.

pub(crate) mod binary;
pub(crate) mod text;
