//! Findings of values.

use crate::codes::Wire;
use crate::{Attribute, Document, ElementId, StringId, TextStyle, Value};
use mapwright_io::format_count;

use super::report::{FindingPlace, Owner, Report};

pub(super) fn check(report: &mut Report<'_>) {
    let document = report.document;
    let encoding = document.header.encoding;
    let wire = if encoding.is_text() { None } else { Wire::from_version(encoding.version) };
    if wire.is_some_and(|wire| !wire.prefix) && !document.prefix.is_empty() {
        let what = format!("{encoding} cannot store prefix attributes");
        report.error("prefix-place", FindingPlace::Field("prefix"), what);
    }
    let unusual = document.strings.iter().map(|(_, string)| Unusual::from_string(string)).collect();
    let mut values = Values { wire, unusual, inexact: 0 };
    for (index, element) in document.elements.iter().enumerate() {
        let id = ElementId::at(index);
        values.string(report, FindingPlace::Element(id), element.class);
        values.string(report, FindingPlace::Element(id), element.name);
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
            format!("text of Valve's programs, with ten decimals, rounds {}", format_count(values.inexact, "float"));
        report.note("text-floats", FindingPlace::File, what);
    }
}

/// A problem of a string, found once for all its uses.
#[derive(Clone, Copy, PartialEq)]
enum Unusual {
    Nothing,
    Nul,
    NotUtf8,
}

impl Unusual {
    fn from_string(string: &[u8]) -> Self {
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
    unusual: Vec<Unusual>,
    /// Number of floats that need more than ten decimals.
    inexact: usize,
}

impl Values {
    fn attribute<'d>(&mut self, report: &mut Report<'d>, owner: Owner, attribute: &'d Attribute) {
        let place = FindingPlace::Attribute(owner, attribute);
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
                    self.string(report, FindingPlace::Item(owner, attribute, index), *id);
                }
            }
            Value::Bool(byte) => bools(report, place, &[*byte]),
            Value::BoolArray(bytes) => bools(report, place, bytes),
            _ => self.floats(report, place, floats(value)),
        }
    }

    fn string<'d>(&mut self, report: &mut Report<'d>, place: FindingPlace<'d>, id: StringId) {
        match self.unusual.get(id.index()) {
            Some(Unusual::Nul) => report.error("string-nul", place, "string contains a NUL, which ends strings"),
            Some(Unusual::NotUtf8) => report.note("not-utf8", place, "string is not UTF-8; its bytes are preserved"),
            Some(Unusual::Nothing) | None => {}
        }
        if id == StringId::MINUS_ONE && self.wire.is_some_and(|wire| wire.empty_in_table) {
            let what = "empty string with index -1: Valve's programs write that only in binary 7";
            report.warn("minus-one", place, what);
        }
    }

    fn floats<'d>(&mut self, report: &mut Report<'d>, place: FindingPlace<'d>, floats: &[f32]) {
        let count = floats.iter().filter(|float| !float.is_finite()).count();
        if count > 0 {
            let what = format!("infinite or NaN: {count} of {}", format_count(floats.len(), "float"));
            report.warn("not-finite", place, what);
        }
        let inexact = floats.iter().filter(|float| float.is_finite() && !ten_decimals_suffice(**float)).count();
        self.inexact = self.inexact.saturating_add(inexact);
    }
}

fn bools<'d>(report: &mut Report<'d>, place: FindingPlace<'d>, bytes: &[u8]) {
    if let Some(byte) = bytes.iter().find(|byte| **byte > 1) {
        report.warn("bool-byte", place, format!("boolean {byte}: other programs read it as 1"));
    }
}

impl Document {
    /// Counts the floats that do not read back with the same bits from text in a style: in Hammer's style those that need more than ten
    /// decimals, in any style payloads of NaN.
    pub fn lossy_floats(&self, style: TextStyle) -> usize {
        let attributes = self.elements.iter().flat_map(|element| &element.attributes);
        let floats = attributes.chain(self.prefix.iter().flatten()).flat_map(|attribute| floats(&attribute.value));
        let is_exact = |float: f32| match style {
            _ if float.is_nan() => float.abs().to_bits() == f32::NAN.to_bits(),
            TextStyle::Exact => true,
            TextStyle::Hammer => float.is_infinite() || ten_decimals_suffice(float),
        };
        floats.filter(|float| !is_exact(**float)).count()
    }
}

/// Returns all floats of a value.
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

/// Returns `true` if ten decimals read back to the same float. From 2⁻¹⁰ on, the distance of floats exceeds the rounding error.
fn ten_decimals_suffice(float: f32) -> bool {
    float == 0.0 || float.abs() >= 1.0 / 1024.0 || format!("{float:.10}").parse() == Ok(float)
}

#[cfg(test)]
mod tests {
    use super::ten_decimals_suffice;
    use crate::{Document, ElementId, Encoding, Guid, TextStyle, Value};

    #[test]
    fn floats_that_text_loses_are_counted() {
        let mut document = Document::new(Encoding::BINARY_9, "test", 1, "Root", Guid::default());
        let floats = [0.5, f32::MIN_POSITIVE, f32::INFINITY, f32::NAN, -f32::NAN, f32::from_bits(0x7F80_0001)];
        document.set(ElementId::ROOT, "a", Value::FloatArray(floats.into()));
        assert_eq!([TextStyle::Exact, TextStyle::Hammer].map(|style| document.lossy_floats(style)), [1, 2]);
    }

    #[test]
    fn ten_decimals_suffice_for_all_but_small_floats() {
        for float in [0.0, -0.0, 1.0, 0.1, 1.0 / 1024.0, 16_777_217.0, f32::MAX, 0.000_5] {
            assert!(ten_decimals_suffice(float), "{float}");
            assert_eq!(format!("{float:.10}").parse(), Ok(float));
        }
        assert!(!ten_decimals_suffice(f32::MIN_POSITIVE) && !ten_decimals_suffice(1.0e-6_f32.next_up()));
    }
}
