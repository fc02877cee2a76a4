//! GDAL metadata of a channel, as XML in a tag.

use tiff::tags::Tag;

use super::{Input, number, tags, text};

/// The conversion of pixels to heights, and the unit of length.
#[derive(Debug, PartialEq)]
pub(super) struct Metadata {
    pub(super) scale: f64,
    pub(super) offset: f64,
    /// Metres per unit of all lengths, in files of this crate.
    pub(super) metres_per_unit: Option<f64>,
    /// Metres per unit of heights, or an unknown name of the unit.
    pub(super) height_unit: Option<Result<f64, String>>,
}

impl Metadata {
    pub(super) fn from_decoder(decoder: &mut Input<'_>) -> Self {
        Self::read(&text(decoder, Tag::Unknown(tags::GDAL_METADATA)).unwrap_or_default())
    }

    /// Reads `Item` elements without children. Other elements are ignored.
    fn read(xml: &str) -> Self {
        let mut metadata = Self { scale: 1.0, offset: 0.0, metres_per_unit: None, height_unit: None };
        for item in xml.split("<Item").skip(1) {
            let Some((attributes, rest)) = item.split_once('>') else { continue };
            let value = rest.split('<').next().unwrap_or_default().trim();
            let is = |name: &str, wanted: &str| {
                attribute(attributes, name).is_some_and(|value| value.eq_ignore_ascii_case(wanted))
            };
            let float = || number::<f64>(value.as_bytes()).filter(|number| number.is_finite());
            if is("role", "scale") {
                metadata.scale = float().unwrap_or(metadata.scale);
            } else if is("role", "offset") {
                metadata.offset = float().unwrap_or(metadata.offset);
            } else if is("role", "unittype") {
                metadata.height_unit = match value.to_ascii_lowercase().as_str() {
                    "" => None,
                    "m" | "metre" | "meter" | "metres" | "meters" => Some(Ok(1.0)),
                    "ft" | "foot" | "feet" => Some(Ok(0.3048)),
                    "us-ft" | "us survey foot" | "us_survey_foot" => Some(Ok(1200.0 / 3937.0)),
                    "mm" => Some(Ok(0.001)),
                    "cm" => Some(Ok(0.01)),
                    "dm" => Some(Ok(0.1)),
                    "km" => Some(Ok(1000.0)),
                    _ => Some(Err(value.to_owned())),
                };
            } else if is("name", tags::METRES_PER_UNIT) {
                metadata.metres_per_unit = float().filter(|metres| *metres > 0.0);
            }
        }
        metadata
    }
}

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = attributes.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_gdal_are_read() {
        let xml = "<GDALMetadata>\n  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-5</Item>\n  \
                   <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.045</Item>\n  <Item name=\"UNITTYPE\" sample=\"0\" \
                   role=\"unittype\">m</Item>\n  <Item name=\"other\">9</Item></GDALMetadata>";
        assert_eq!(
            Metadata::read(xml),
            Metadata { scale: 0.045, offset: -5.0, metres_per_unit: None, height_unit: Some(Ok(1.0)) }
        );
        let invalid = "<Item role=\"scale\">x</Item><Item role=\"offset\"<Item";
        assert_eq!(
            Metadata::read(invalid),
            Metadata { scale: 1.0, offset: 0.0, metres_per_unit: None, height_unit: None }
        );
    }
}
