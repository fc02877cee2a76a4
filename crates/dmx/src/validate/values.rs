//! Values: what their bytes say, and whether the encoding has a place for them.

use crate::codes::Wire;
use crate::{Attribute, Document, ElementId, StringId, TextStyle, Value};

use super::report::{Owner, Place, Report};

pub(super) fn check(report: &mut Report<'_>) {
    let document = report.document;
    let encoding = document.header.encoding;
    let wire = if encoding.is_text() { None } else { Wire::of(encoding.version) };
    if wire.is_some_and(|wire| !wire.prefix) && !document.prefix.is_empty() {
        let what = format!("{encoding} has no place for prefix attributes");
        report.error("prefix-place", Place::Field("prefix"), what);
    }
    let odd = document.strings.iter().map(|(_, string)| Odd::of(string)).collect();
    let mut values = Values { wire, odd, inexact: 0 };
    for (index, element) in document.elements.iter().enumerate() {
        let id = ElementId::at(index);
        values.string(report, Place::Element(id), element.class);
        values.string(report, Place::Element(id), element.name);
        for attribute in &element.attributes {
            values.attribute(report, Owner::Element(id), attribute);
        }
    }
    for (index, block) in document.prefix.iter().enumerate() {
        for attribute in block {
            values.attribute(report, Owner::Block(index), attribute);
        }
    }
    if values.inexact > 0 {
        let what =
            format!("{} floats need more than the ten decimals that Valve's programs write in text", values.inexact);
        report.note("text-floats", Place::File, what);
    }
}

/// What is odd about a string, looked at once for all its uses.
#[derive(Clone, Copy, PartialEq)]
enum Odd {
    Nothing,
    Nul,
    NotUtf8,
}

impl Odd {
    fn of(string: &[u8]) -> Self {
        match string {
            _ if string.contains(&0) => Self::Nul,
            _ if std::str::from_utf8(string).is_err() => Self::NotUtf8,
            _ => Self::Nothing,
        }
    }
}

struct Values {
    /// The layout of a binary document.
    wire: Option<Wire>,
    odd: Vec<Odd>,
    /// Floats that ten decimals do not hold.
    inexact: usize,
}

impl Values {
    fn attribute<'d>(&mut self, report: &mut Report<'d>, owner: Owner, attribute: &'d Attribute) {
        let place = Place::Attribute(owner, attribute);
        let value = &attribute.value;
        let array = value.array_len().is_some();
        if self.wire.is_some_and(|wire| wire.type_id(value.value_type(), array).is_none()) {
            let what =
                format!("{} has no values of type {}", report.document.header.encoding, value.value_type().name());
            report.error("type-missing", place, what);
        }
        self.string(report, place, attribute.name);
        match value {
            Value::String(id) => self.string(report, place, *id),
            Value::StringArray(ids) => {
                for (index, id) in ids.iter().enumerate() {
                    self.string(report, Place::Item(owner, attribute, index), *id);
                }
            }
            Value::Bool(byte) => bools(report, place, &[*byte]),
            Value::BoolArray(bytes) => bools(report, place, bytes),
            _ => self.floats(report, place, floats(value)),
        }
    }

    fn string<'d>(&mut self, report: &mut Report<'d>, place: Place<'d>, id: StringId) {
        match self.odd.get(id.index()) {
            Some(Odd::Nul) => report.error("string-nul", place, "a string holds a NUL, which ends strings"),
            Some(Odd::NotUtf8) => report.warn("not-utf8", place, "a string is not UTF-8; its bytes are kept"),
            Some(Odd::Nothing) | None => {}
        }
        if id == StringId::MINUS_ONE && self.wire.is_some_and(|wire| wire.empty_in_table) {
            let what = "the empty string is spelled as index -1, which Valve's programs do in binary 7 alone";
            report.warn("minus-one", place, what);
        }
    }

    fn floats<'d>(&mut self, report: &mut Report<'d>, place: Place<'d>, floats: &[f32]) {
        let odd = floats.iter().filter(|float| !float.is_finite()).count();
        if odd > 0 {
            let what = format!("{odd} of {} floats are infinite or no number", floats.len());
            report.warn("not-finite", place, what);
        }
        let inexact = floats.iter().filter(|float| float.is_finite() && !ten_decimals_hold(**float)).count();
        self.inexact = self.inexact.saturating_add(inexact);
    }
}

fn bools<'d>(report: &mut Report<'d>, place: Place<'d>, bytes: &[u8]) {
    if let Some(odd) = bytes.iter().find(|byte| **byte > 1) {
        report.warn("bool-byte", place, format!("a truth of {odd}; other programs take it for 1"));
    }
}

impl Document {
    /// How many floats text in a style does not give back with the same bits: in Hammer's those that need more than ten
    /// decimals, in any the payloads of what is no number.
    pub fn lossy_floats(&self, style: TextStyle) -> usize {
        let attributes = self.elements.iter().flat_map(|element| &element.attributes);
        let floats = attributes.chain(self.prefix.iter().flatten()).flat_map(|attribute| floats(&attribute.value));
        let is_held = |float: f32| match style {
            _ if float.is_nan() => float.abs().to_bits() == f32::NAN.to_bits(),
            TextStyle::Exact => true,
            TextStyle::Hammer => float.is_infinite() || ten_decimals_hold(float),
        };
        floats.filter(|float| !is_held(**float)).count()
    }
}

/// All floats of a value in a row.
fn floats(value: &Value) -> &[f32] {
    match value {
        Value::Float(item) => std::slice::from_ref(item),
        Value::Vector2(item) => item,
        Value::Vector3(item) | Value::QAngle(item) => item,
        Value::Vector4(item) | Value::Quaternion(item) => item,
        Value::Matrix(item) => item.as_slice(),
        Value::FloatArray(items) => items,
        Value::Vector2Array(items) => items.as_flattened(),
        Value::Vector3Array(items) | Value::QAngleArray(items) => items.as_flattened(),
        Value::Vector4Array(items) | Value::QuaternionArray(items) => items.as_flattened(),
        Value::MatrixArray(items) => items.as_flattened(),
        _ => &[],
    }
}

/// Whether ten decimals read back to the same float. From 2⁻¹⁰ on neighbouring floats are further apart than their error.
fn ten_decimals_hold(float: f32) -> bool {
    float == 0.0 || float.abs() >= 1.0 / 1024.0 || format!("{float:.10}").parse() == Ok(float)
}

#[cfg(test)]
mod tests {
    use super::ten_decimals_hold;
    use crate::{Document, ElementId, Encoding, Guid, TextStyle, Value};

    #[test]
    fn floats_that_text_loses_are_counted() {
        let mut document = Document::new(Encoding::BINARY_9, "test", 1, "Root", Guid::default());
        let floats = [0.5, f32::MIN_POSITIVE, f32::INFINITY, f32::NAN, -f32::NAN, f32::from_bits(0x7F80_0001)];
        document.set(ElementId::ROOT, "a", Value::FloatArray(floats.into()));
        assert_eq!([TextStyle::Exact, TextStyle::Hammer].map(|style| document.lossy_floats(style)), [1, 2]);
    }

    #[test]
    fn ten_decimals_hold_all_but_small_floats() {
        for float in [0.0, -0.0, 1.0, 0.1, 1.0 / 1024.0, 16_777_217.0, f32::MAX, 0.000_5] {
            assert!(ten_decimals_hold(float), "{float}");
            assert_eq!(format!("{float:.10}").parse(), Ok(float));
        }
        assert!(!ten_decimals_hold(f32::MIN_POSITIVE) && !ten_decimals_hold(1.0e-6_f32.next_up()));
    }
}
