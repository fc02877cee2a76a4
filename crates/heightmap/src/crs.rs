//! Coordinate reference systems of maps, which files keep as they are.

use mapwright_io::math;
use mapwright_scene::{Properties, Scene, Value};

use crate::{Error, ErrorKind};

/// The property of a scene with the coordinate reference system of its map.
pub const CRS_PROPERTY: &str = "crs";

/// The start of a citation with the text of a system, as software of ESRI writes it.
const ESRI: &str = "ESRI PE String = ";

/// Keys of GeoTIFF.
mod key {
    pub(super) const MODEL: u16 = 1024;
    pub(super) const RASTER: u16 = 1025;
    pub(super) const CITATION: u16 = 1026;
    pub(super) const GEODETIC: u16 = 2048;
    pub(super) const PROJECTED: u16 = 3072;
    pub(super) const PROJECTED_CITATION: u16 = 3073;
    pub(super) const LINEAR_UNITS: u16 = 3076;
    pub(super) const LINEAR_UNIT_SIZE: u16 = 3077;
    pub(super) const VERTICAL: u16 = 4096;
    pub(super) const VERTICAL_UNITS: u16 = 4099;
}
/// The code of a system or unit that the file itself defines.
const USER_DEFINED: u16 = 32767;

/// The value of a key of GeoTIFF.
#[derive(Debug, Clone, PartialEq)]
enum KeyValue {
    Short(u16),
    Doubles(Vec<f64>),
    Ascii(String),
}

/// The keys of a GeoTIFF, in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct GeoKeys(Vec<(u16, KeyValue)>);

/// The three tags that store the keys of a GeoTIFF.
pub(super) struct GeoTags {
    pub(super) directory: Vec<u16>,
    pub(super) doubles: Vec<f64>,
    pub(super) ascii: String,
}

impl GeoKeys {
    /// Reads the tags. Keys with values outside of the tags are left out. Some programs do not sort the keys.
    pub(super) fn read(tags: &GeoTags) -> Self {
        let value = |entry: &[u16]| {
            let &[key, location, count, value] = entry else { return None };
            let range = usize::from(value)..usize::from(value).checked_add(count.into())?;
            Some((
                key,
                match location {
                    0 => KeyValue::Short(value),
                    34736 => KeyValue::Doubles(tags.doubles.get(range)?.to_vec()),
                    34737 => KeyValue::Ascii(tags.ascii.get(range)?.trim_end_matches(['|', '\0']).to_owned()),
                    _ => return None,
                },
            ))
        };
        let mut keys: Vec<_> = tags.directory.chunks_exact(4).skip(1).filter_map(value).collect();
        keys.sort_by_key(|(key, _)| *key);
        Self(keys)
    }

    /// Returns the tags for pixels that are areas.
    pub(super) fn write(&self) -> GeoTags {
        let mut keys: Vec<(u16, KeyValue)> = self.0.clone();
        keys.push((key::RASTER, KeyValue::Short(1)));
        keys.sort_by_key(|(key, _)| *key);
        let count = u16::try_from(keys.len()).unwrap_or(u16::MAX);
        let mut tags = GeoTags { directory: vec![1, 1, 1, count], doubles: Vec::new(), ascii: String::new() };
        let short = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
        for (key, value) in keys {
            tags.directory.extend(match value {
                KeyValue::Short(value) => [key, 0, 1, value],
                KeyValue::Doubles(numbers) => {
                    let at = short(tags.doubles.len());
                    tags.doubles.extend_from_slice(&numbers);
                    [key, 34736, short(numbers.len()), at]
                }
                KeyValue::Ascii(text) => {
                    let at = short(tags.ascii.len());
                    tags.ascii.push_str(&text);
                    tags.ascii.push('|');
                    [key, 34737, short(text.len().saturating_add(1)), at]
                }
            });
        }
        tags
    }

    /// Restores the keys from properties of a scene.
    fn from_properties(properties: &Properties) -> Self {
        let key = |(key, value): (&str, &Value)| {
            let value = match value {
                Value::Int(value) => KeyValue::Short(u16::try_from(*value).ok()?),
                Value::Text(text) => KeyValue::Ascii(text.clone()),
                Value::List(numbers) => KeyValue::Doubles(numbers.iter().filter_map(Value::as_f64).collect()),
                _ => return None,
            };
            Some((key.parse().ok()?, value))
        };
        Self(properties.iter().filter_map(key).collect())
    }

    fn to_properties(&self) -> Properties {
        let mut properties = Properties::new();
        for (key, value) in &self.0 {
            properties.push(
                key.to_string(),
                match value {
                    KeyValue::Short(value) => Value::from(u32::from(*value)),
                    KeyValue::Ascii(text) => Value::from(text.as_str()),
                    KeyValue::Doubles(numbers) => Value::List(numbers.iter().map(|&number| number.into()).collect()),
                },
            );
        }
        properties
    }

    fn get(&self, key: u16) -> Option<&KeyValue> {
        self.0.iter().find(|(own, _)| *own == key).map(|(_, value)| value)
    }

    fn short(&self, key: u16) -> Option<u16> {
        if let KeyValue::Short(value) = self.get(key)? { Some(*value) } else { None }
    }

    fn text(&self, key: u16) -> Option<&str> {
        if let KeyValue::Ascii(text) = self.get(key)? { Some(text) } else { None }
    }

    /// Returns `true` if the position of a pixel is its centre.
    pub(super) fn is_point(&self) -> bool {
        self.short(key::RASTER) == Some(2)
    }

    /// Returns the metres per unit of a key with the code of a unit.
    fn unit(&self, key: u16) -> Option<f64> {
        match self.short(key)? {
            USER_DEFINED => match self.get(key::LINEAR_UNIT_SIZE)? {
                KeyValue::Doubles(size) => size.first().copied().filter(|size| *size > 0.0 && size.is_finite()),
                _ => None,
            },
            code => epsg("unit", code),
        }
    }

    /// Returns the metres per unit of heights. Negative for depths.
    pub(super) fn vertical_unit(&self) -> Option<f64> {
        let system = self.short(key::VERTICAL);
        let depth = system.and_then(|code| epsg("depth", code));
        let unit = self.unit(key::VERTICAL_UNITS).or(depth).or_else(|| epsg("vertical", system?))?;
        Some(if depth.is_some() { -unit } else { unit })
    }
}

/// Finds the metres per unit of a code in the table of EPSG.
fn epsg(kind: &str, code: u16) -> Option<f64> {
    let rows = include_str!("epsg_units.txt").lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
    rows.filter_map(|row| row.split_once(' ')).find_map(|(metres, codes)| {
        let has_code = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some((first.parse::<u16>().ok()?..=last.parse().ok()?).contains(&code))
        };
        codes.split(' ').any(|range| has_code(range) == Some(true)).then(|| metres.parse().ok())?
    })
}

/// The definition of a system.
#[derive(Debug, Clone, PartialEq)]
enum Definition {
    /// A code of EPSG, and the keys of a GeoTIFF that it was read from.
    Epsg(u16, GeoKeys),
    /// Keys of a GeoTIFF.
    Keys(GeoKeys),
    /// The text of a file `.prj`.
    Wkt(String),
}

/// A projected coordinate reference system.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Crs {
    definition: Definition,
    /// Metres per unit of the map.
    pub(super) metres: f64,
}

impl Crs {
    /// Finds the system of a GeoTIFF. `centre` is the middle of the grid, and `step` the distance of its rows. Without a system, returns
    /// the metres per unit of the map if they are stored.
    pub(super) fn from_keys(keys: &GeoKeys, centre: [f64; 2], step: f64) -> Result<(Option<Self>, Option<f64>), Error> {
        let projected = keys.short(key::PROJECTED);
        let text = keys.text(key::PROJECTED_CITATION).and_then(|text| text.strip_prefix(ESRI));
        let name = || {
            let code = projected.or(keys.short(key::GEODETIC)).filter(|code| *code != USER_DEFINED);
            let citation = keys.text(key::CITATION).filter(|text| !text.is_empty());
            code.map(|code| format!("EPSG:{code}")).or(citation.map(str::to_owned)).unwrap_or("unnamed".to_owned())
        };
        let model = keys.short(key::MODEL).or_else(|| match (projected, keys.short(key::GEODETIC)) {
            (Some(_), _) => Some(1),
            (None, Some(_)) => Some(2),
            (None, None) => None,
        });
        let unit = keys.unit(key::LINEAR_UNITS);
        match model {
            Some(2) => return Err(geographic(&name(), centre, step, "tif")),
            Some(3) => {
                let problem = format!("geocentric coordinates ({}) are not supported", name());
                return Err(needs_gdal(problem, "gdalwarp -t_srs EPSG:32633 -r bilinear in.tif out.tif"));
            }
            Some(USER_DEFINED) if text.is_some_and(|text| text.starts_with("GEOGCS")) => {
                return Err(geographic(&name(), centre, step, "tif"));
            }
            None => return Ok((None, unit)),
            _ => {}
        }
        let own_keys = || GeoKeys(keys.0.iter().filter(|(own, _)| *own != key::RASTER).cloned().collect());
        let definition = match (projected, text) {
            (Some(code), _) if code != USER_DEFINED => Definition::Epsg(code, own_keys()),
            (_, Some(text)) => Definition::Wkt(text.to_owned()),
            _ => Definition::Keys(own_keys()),
        };
        let metres = unit.or_else(|| definition.unit()).ok_or_else(|| {
            let problem = format!("unknown unit of length of {}", name());
            needs_gdal(problem, "gdalwarp -t_srs EPSG:32633 -r bilinear in.tif out.tif")
        })?;
        Ok((Some(Self { definition, metres }), None))
    }

    /// Reads the text of a file `.prj`.
    pub(super) fn from_wkt(text: &str, centre: [f64; 2], step: f64) -> Result<Option<Self>, Error> {
        let text = text.trim_matches(['\u{feff}', ' ', '\r', '\n', '\t', '\0']);
        if text.is_empty() {
            return Ok(None);
        }
        let is_old_form = !text.contains('[');
        let is_geographic = ["GEOGCS", "GEOGCRS", "GEODCRS"].iter().any(|start| text.starts_with(start))
            || is_old_form && old_word(text, "Projection").is_some_and(|word| word.starts_with("GEOGRAPHIC"));
        if is_geographic {
            return Err(geographic(quoted(text).unwrap_or("unnamed"), centre, step, "asc"));
        }
        let code = (32601..=32660).chain(32701..=32760).find(|&code| utm_wkt(code).as_deref() == Some(text));
        let definition = match code {
            Some(code) => Definition::Epsg(code, GeoKeys::default()),
            None => Definition::Wkt(text.to_owned()),
        };
        let metres = definition.unit().ok_or_else(|| {
            let command = "gdalwarp -t_srs EPSG:32633 -r bilinear in.asc out.tif";
            needs_gdal("no unit of length in the .prj file".to_owned(), command)
        })?;
        Ok(Some(Self { definition, metres }))
    }

    /// Returns the system of a scene.
    pub(super) fn from_scene(scene: &Scene) -> Option<Self> {
        let Value::Map(map) = scene.properties.get(CRS_PROPERTY)? else { return None };
        let code = map.get("epsg").and_then(Value::as_int).and_then(|code| u16::try_from(code).ok());
        let keys = match map.get("geo_keys") {
            Some(Value::Map(keys)) => Some(GeoKeys::from_properties(keys)),
            _ => None,
        };
        let definition = match (code, map.get("wkt").and_then(Value::as_text), keys) {
            (Some(code), _, keys) => Definition::Epsg(code, keys.unwrap_or_default()),
            (_, Some(text), _) => Definition::Wkt(text.to_owned()),
            (_, _, Some(keys)) => Definition::Keys(keys),
            _ => return None,
        };
        let metres = map.get("metres_per_unit").and_then(Value::as_f64).or_else(|| definition.unit())?;
        (metres.is_finite() && metres > 0.0).then_some(Self { definition, metres })
    }

    /// Stores the system in a scene.
    pub(super) fn store(&self, scene: &mut Scene) {
        let mut map = Properties::new();
        match &self.definition {
            Definition::Epsg(code, keys) => {
                map.push("epsg", u32::from(*code));
                if !keys.0.is_empty() {
                    map.push("geo_keys", keys.to_properties());
                }
            }
            Definition::Wkt(text) => map.push("wkt", text.as_str()),
            Definition::Keys(keys) => map.push("geo_keys", keys.to_properties()),
        }
        map.push("metres_per_unit", self.metres);
        scene.properties.push(CRS_PROPERTY, map);
    }

    /// Returns the metres per unit of heights, if the text of a `.prj` file states them.
    pub(super) fn vertical_unit(&self) -> Option<f64> {
        let Definition::Wkt(text) = &self.definition else { return None };
        last_unit(split_vertical(text).1?)
    }

    /// Drops the system of heights, which are metres above it.
    pub(super) fn drop_vertical(&mut self) {
        match &mut self.definition {
            // The citation names both systems.
            Definition::Epsg(_, keys) => *keys = GeoKeys::default(),
            Definition::Keys(keys) => keys.0.retain(|(key, _)| !(key::VERTICAL..=key::VERTICAL_UNITS).contains(key)),
            Definition::Wkt(text) => {
                let map = split_vertical(text).0.trim_end().trim_end_matches(',');
                // A compound system names the others.
                let start = ["PROJCS[", "PROJCRS["].iter().find_map(|start| map.find(start)).unwrap_or(0);
                *text = map.get(start..).unwrap_or(map).to_owned();
            }
        }
    }

    /// Returns a remark if the lengths of the map are those of Web Mercator, which grow with the latitude. `centre` is in metres.
    pub(super) fn stretch_remark(&self, [east, north]: [f64; 2], step: f64) -> Option<String> {
        const RADIUS: f64 = 6_378_137.0;
        let has_name = |text: &str| {
            ["Pseudo-Mercator", "Pseudo_Mercator", "Mercator_Auxiliary_Sphere"].iter().any(|name| text.contains(name))
        };
        let is_web_mercator = match &self.definition {
            Definition::Epsg(code, _) => *code == 3857,
            Definition::Keys(keys) => keys.text(key::CITATION).is_some_and(has_name),
            Definition::Wkt(text) => has_name(text),
        };
        let latitude = math::atan(math::sinh(north / RADIUS));
        let (factor, degrees) = (1.0 / math::cos(latitude), latitude.to_degrees());
        let command = utm_command([(east / RADIUS).to_degrees(), degrees], step.abs() / factor, "tif");
        let text = format!(
            "Web Mercator stretches distances by 1/cos(latitude), here by {factor:.2} at {degrees:.1}°; reproject with: {command}"
        );
        is_web_mercator.then_some(text)
    }

    /// Returns the name for people.
    pub(super) fn name(&self) -> String {
        match &self.definition {
            Definition::Epsg(code, keys) => match keys.short(key::VERTICAL) {
                Some(vertical) => format!("EPSG:{code}+{vertical}"),
                None => format!("EPSG:{code}"),
            },
            Definition::Keys(keys) => keys.text(key::CITATION).unwrap_or("unnamed").to_owned(),
            Definition::Wkt(text) => quoted(text).unwrap_or("unnamed").to_owned(),
        }
    }

    /// Returns the keys for a GeoTIFF.
    pub(super) fn to_keys(&self) -> GeoKeys {
        let short = |key, value| (key, KeyValue::Short(value));
        let unit = [9001, 9002, 9003].into_iter().find(|&code| epsg("unit", code) == Some(self.metres));
        match &self.definition {
            Definition::Epsg(code, keys) if keys.0.is_empty() => {
                let mut keys = vec![short(key::MODEL, 1), short(key::PROJECTED, *code)];
                keys.extend(unit.map(|code| short(key::LINEAR_UNITS, code)));
                GeoKeys(keys)
            }
            Definition::Keys(keys) | Definition::Epsg(_, keys) => keys.clone(),
            Definition::Wkt(text) => {
                let text = format!("{ESRI}{}", text.replace(['\r', '\n'], ""));
                let mut keys = vec![short(key::MODEL, USER_DEFINED), (key::CITATION, KeyValue::Ascii(self.name()))];
                keys.push((key::PROJECTED_CITATION, KeyValue::Ascii(text)));
                keys.extend(unit.map(|code| short(key::LINEAR_UNITS, code)));
                GeoKeys(keys)
            }
        }
    }

    /// Returns the text of a `.prj` file. `None` if only the code is known.
    pub(super) fn to_wkt(&self) -> Option<String> {
        match &self.definition {
            Definition::Wkt(text) => Some(text.clone()),
            Definition::Epsg(code, keys) if keys.short(key::VERTICAL).is_none() => utm_wkt(*code),
            _ => None,
        }
    }

    /// Returns `true` if the system has keys of a GeoTIFF, which other formats do not store.
    pub(super) fn has_keys(&self) -> bool {
        matches!(&self.definition, Definition::Epsg(_, keys) | Definition::Keys(keys) if !keys.0.is_empty())
    }
}

/// Returns the keys of a grid in metres without a system.
pub(super) fn local_keys() -> GeoKeys {
    GeoKeys(vec![(key::CITATION, KeyValue::Ascii("local".to_owned())), (key::LINEAR_UNITS, KeyValue::Short(9001))])
}

impl Definition {
    /// Returns the metres per unit of the map that follow from the definition.
    fn unit(&self) -> Option<f64> {
        match self {
            Self::Epsg(code, _) => epsg("projected", *code),
            // GeoTIFF lengths are metres without a unit. With an unknown one, they have no size.
            Self::Keys(keys) => match keys.get(key::LINEAR_UNITS) {
                Some(_) => keys.unit(key::LINEAR_UNITS),
                None => Some(1.0),
            },
            Self::Wkt(text) => wkt_unit(text),
        }
    }
}

/// Returns the factor of the last unit of length, which is that of the map.
fn wkt_unit(text: &str) -> Option<f64> {
    if let Some(word) = old_word(text, "Units") {
        return match word.as_str() {
            "METERS" | "METRES" | "METER" | "M" => Some(1.0),
            "FEET" | "FOOT" => Some(0.3048),
            _ => None,
        };
    }
    last_unit(split_vertical(text).0)
}

/// Splits the text of a system into that of the map and that of heights, which follows.
fn split_vertical(text: &str) -> (&str, Option<&str>) {
    let starts = ["VERTCRS[", "VERTICALCRS[", "VERT_CS[", "VERTCS["];
    match starts.iter().filter_map(|start| text.find(start)).min() {
        Some(start) => text.split_at_checked(start).map_or((text, None), |(map, heights)| (map, Some(heights))),
        None => (text, None),
    }
}

/// Returns the factor of the last unit of length.
fn last_unit(text: &str) -> Option<f64> {
    let (_, unit) = ["UNIT[", "LENGTHUNIT["].iter().rev().find_map(|start| text.rsplit_once(start))?;
    let number = unit.split([',', ']']).nth(1)?.trim().parse().ok();
    number.filter(|metres: &f64| metres.is_finite() && *metres > 0.0)
}

/// Returns the word after a keyword in the old form of Arc/Info, in upper case.
fn old_word(text: &str, keyword: &str) -> Option<String> {
    let words = |line: &str| line.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
    text.lines().map(words).find_map(|words| match &words[..] {
        [first, second, ..] if first.eq_ignore_ascii_case(keyword) => Some(second.to_ascii_uppercase()),
        _ => None,
    })
}

/// Returns the first quoted name.
fn quoted(text: &str) -> Option<&str> {
    text.split('"').nth(1)
}

/// Returns the text of a zone of UTM on WGS 84, as software of ESRI and GDAL write it.
fn utm_wkt(code: u16) -> Option<String> {
    let (zone, side, northing) = match code {
        32601..=32660 => (code.checked_sub(32600)?, 'N', "0.0"),
        32701..=32760 => (code.checked_sub(32700)?, 'S', "10000000.0"),
        _ => return None,
    };
    let meridian = i32::from(zone).checked_mul(6)?.checked_sub(183)?;
    Some(format!(
        "PROJCS[\"WGS_1984_UTM_Zone_{zone}{side}\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",\
         6378137.0,298.257223563]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],\
         PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",{northing}],\
         PARAMETER[\"Central_Meridian\",{meridian}.0],PARAMETER[\"Scale_Factor\",0.9996],\
         PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]"
    ))
}

/// The error for a grid that needs another program first.
pub(super) fn needs_gdal(problem: String, command: impl Into<String>) -> Error {
    Error::without_position(ErrorKind::NeedsGdal { problem, command: command.into() })
}

/// The error for a grid in degrees.
fn geographic(name: &str, centre: [f64; 2], step: f64, extension: &str) -> Error {
    needs_gdal(
        format!("coordinates in degrees ({name}) are not supported: expected a map projection in metres"),
        utm_command(centre, 111_320.0 * step.abs(), extension),
    )
}

/// Returns the command that projects a grid to the zone of UTM of its centre, with cells of about this size in metres.
fn utm_command([longitude, latitude]: [f64; 2], cell: f64, extension: &str) -> String {
    let wrapped = (longitude + 180.0).rem_euclid(360.0);
    let zone = (wrapped / 6.0).floor().clamp(0.0, 59.0) + 1.0;
    let system = if latitude < 0.0 { 32700.0 } else { 32600.0 } + zone;
    let digits = math::powf(10_f64, math::log10(cell).floor() - 1.0);
    let metres = match cell {
        25.0..=35.0 => 30.0,
        85.0..=95.0 => 90.0,
        _ => (cell / digits).round() * digits,
    };
    // Without binary noise.
    let metres = (metres * 1e6).round() / 1e6;
    format!("gdalwarp -t_srs EPSG:{system} -tr {metres} {metres} -r bilinear -dstnodata -9999 in.{extension} out.tif")
}
/// Returns the name of the coordinate reference system of a scene, such as `EPSG:32633`, and the metres per unit of its map.
pub fn coordinate_system(scene: &Scene) -> Option<(String, f64)> {
    Crs::from_scene(scene).map(|crs| (crs.name(), crs.metres))
}
