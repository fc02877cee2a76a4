//! The JSON text of the document.

use std::io;

use serde::Serialize;
use serde_json::{
    Error, Serializer,
    ser::{CompactFormatter, Formatter, PrettyFormatter},
};

use crate::gltf::{Container, json::Root};

/// Writes the JSON of a document: on one line inside a container, otherwise indented.
///
/// # Errors
/// If a number is not finite: `serde_json` would write `null`, which is never allowed.
pub(super) fn json(root: &Root, container: Container) -> Result<Vec<u8>, Error> {
    match container {
        Container::Glb => text(root, Finite(CompactFormatter)),
        Container::Gltf => text(root, Finite(PrettyFormatter::new())),
    }
}

fn text(value: &impl Serialize, formatter: impl Formatter) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut out, formatter))?;
    Ok(out)
}

/// A formatter that rejects `null`. Everything else is left to the inner formatter.
struct Finite<F>(F);

impl<F: Formatter> Formatter for Finite<F> {
    fn write_null<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::InvalidData, "a number of the document is not finite"))
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.begin_array(to)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_array(to)
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(to, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_array_value(to)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.begin_object(to)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_object(to)
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(to, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.begin_object_value(to)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_object_value(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formatters_match_serde_json_and_reject_null() {
        let value = serde_json::json!({"a": [1, 2.5, {"b": "c"}], "d": [], "e": {}});
        assert_eq!(text(&value, Finite(CompactFormatter)).unwrap(), serde_json::to_vec(&value).unwrap());
        assert_eq!(text(&value, Finite(PrettyFormatter::new())).unwrap(), serde_json::to_vec_pretty(&value).unwrap());
        assert!(text(&[1.0, f64::INFINITY], Finite(CompactFormatter)).is_err());
    }
}
