//! Object lists of Terrain Builder.

use std::io::{self, Write};

use hashbrown::HashMap;

use super::{Angles, Centres, ListError, Row};
use crate::document::{Builder, Document, Ground, Name, Objects};
use crate::loss::{LossKind, Losses, Report};
use crate::steps::to_f32;

/// Offset that Terrain Builder adds to x.
const EASTING: f64 = 200_000.0;

/// Meaning of the heights in a list. Terrain Builder asks for it on import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Elevation {
    /// Height above the sea.
    #[default]
    Absolute,
    /// Height above the ground.
    Relative,
}

/// Content of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct TerrainBuilderList {
    /// The objects, without IDs.
    pub objects: Objects,
    /// Templates without a known model. Their name is used as that of the model.
    pub unknown: Vec<String>,
    /// Templates with several models, of which the last is used.
    pub ambiguous: Vec<String>,
}

/// Writes objects as a list for Terrain Builder: `"Template";X;Y;yaw;pitch;roll;scale;elevation;`, with three decimals.
///
/// The position is that of the bounding centre, as in the file. The elevation is that of the ground point if `centres` contains the
/// model. Otherwise it is that of the bounding centre, and Terrain Builder places the object too high or too low.
///
/// Returns the losses: shear and mirroring, which are approximated by a rotation and a scale; matrices that are not finite, which
/// are dropped; and elevations that are those of bounding centres.
///
/// # Errors
/// Fails if the writer fails.
pub fn write_terrain_builder(
    rows: impl IntoIterator<Item = Row>,
    ground: &Ground<'_>,
    (elevation, centres): (Elevation, &Centres),
    mut writer: impl Write,
) -> io::Result<Losses> {
    let (mut broken, mut bent, mut floating) = (0_usize, 0_usize, 0_usize);
    for row in rows {
        if !row.matrix.is_finite() {
            broken = broken.saturating_add(1);
            continue;
        }
        let model = mapwright_io::unescape_bytes(&row.model);
        bent = bent.saturating_add(usize::from(row.matrix.is_mirrored() || row.matrix.is_sheared()));
        floating = floating.saturating_add(usize::from(centres.get(&model).is_none() && !row.matrix.fits_to_ground()));
        let [x, y, z] = row.matrix.position.map(f64::from);
        let [dx, dy, dz] = centres.offset(&model, &row.matrix);
        let below = ground.height_at(x - dx, z - dz).unwrap_or(0.0);
        // An object that fits to the ground has no height of its own.
        let above = if row.matrix.fits_to_ground() { 0.0 } else { y - dy - below };
        let up = match elevation {
            Elevation::Absolute => above + below,
            Elevation::Relative => above,
        };
        let Angles { yaw, pitch, roll, scale } = row.angles;
        let template = mapwright_io::escape_bytes(template(&model)).replace('"', "\\x22");
        let (x, values) = (x + EASTING, [yaw, pitch, roll, scale, up]);
        write!(writer, "\"{template}\";{x:.3};{z:.3};")?;
        for value in values {
            // Avoid negative zeros.
            let rounded = if value.abs() < 0.0005 { 0.0 } else { value };
            write!(writer, "{rounded:.3};")?;
        }
        writeln!(writer)?;
    }
    let mut report = Report::default();
    report.count(
        LossKind::Dropped,
        "objects",
        broken,
        ["object whose matrix is not finite", "objects whose matrix is not finite"],
    );
    report.count(
        LossKind::Approximated,
        "objects",
        bent,
        [
            "sheared or mirrored object, approximated by a rotation and a scale",
            "sheared or mirrored objects, approximated by a rotation and a scale",
        ],
    );
    report.count(
        LossKind::Approximated,
        "objects",
        floating,
        [
            "object with an unknown bounding centre: its height refers to that centre instead of the ground point",
            "objects with an unknown bounding centre: their height refers to that centre instead of the ground point",
        ],
    );
    Ok(report.0)
}

/// Reads a list of Terrain Builder. Templates are looked up in the models of `document`, then in `centres`. The ground is that of
/// `document`.
///
/// # Errors
/// Fails with the line and field that cannot be read.
pub fn read_terrain_builder(
    text: &[u8],
    elevation: Elevation,
    centres: &Centres,
    document: &Document,
) -> Result<TerrainBuilderList, ListError> {
    // The last model of each template, and `true` if there are several.
    let mut known: HashMap<Vec<u8>, (&[u8], bool)> = HashMap::new();
    for name in &document.objects().models {
        let (last, several) = known.entry(template(&name.bytes).to_ascii_lowercase()).or_insert((&name.bytes, false));
        *several |= !last.eq_ignore_ascii_case(&name.bytes);
        *last = &name.bytes;
    }
    let ground = document.ground();
    let (mut unknown, mut ambiguous): (Vec<String>, Vec<String>) = Default::default();
    let note = |list: &mut Vec<String>, template: &[u8]| {
        let shown = mapwright_io::escape_bytes(template);
        if list.len() < 1000 && !list.contains(&shown) {
            list.push(shown);
        }
    };
    let mut builder = Builder::default();
    for (line, number) in text.split(|&byte| byte == b'\n').zip(1..) {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let fields: Vec<&[u8]> = line.split(|&byte| byte == b';').map(<[u8]>::trim_ascii).collect();
        let [template, values @ ..] = &fields[..] else { continue };
        let template = template.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(template);
        let template = mapwright_io::unescape_bytes(&String::from_utf8_lossy(template));
        if template.is_empty() {
            return Err(ListError::new(number, 1, "expected the name of a template"));
        }
        let mut read = [0.0_f64; 7];
        let mut values = values.iter();
        for (number_slot, field) in read.iter_mut().zip(2..) {
            let text = values.next().map(|value| String::from_utf8_lossy(value)).unwrap_or_default();
            let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
            *number_slot = value.ok_or_else(|| {
                let found = if text.is_empty() { "the end".to_owned() } else { format!("{text:?}") };
                ListError::new(number, field, format!("expected a number, found {found}"))
            })?;
        }
        let [x, z, yaw, pitch, roll, scale, up] = read;
        let lower = template.to_ascii_lowercase();
        let found = known.get(&lower).copied();
        let found = found.or_else(|| Some((centres.model(&template)?, centres.is_ambiguous(&template))));
        let model = match found {
            Some((model, several)) => {
                if several {
                    note(&mut ambiguous, &template);
                }
                model.to_vec()
            }
            None => {
                note(&mut unknown, &template);
                [&template[..], b".p3d"].concat()
            }
        };
        let matrix = Angles { yaw, pitch, roll, scale }.to_matrix([0.0; 3]);
        let x = x - EASTING;
        let position = to_centre(&ground, elevation, [x, up, z], centres.offset(&model, &matrix));
        let model = builder.add_model(&Name::new(model));
        let matrix = crate::Matrix { position: position.map(to_f32), ..matrix };
        if !matrix.is_finite() {
            return Err(ListError::new(number, 0, "number is too large"));
        }
        builder.push(model, matrix, None);
    }
    Ok(TerrainBuilderList { objects: builder.finish(), unknown, ambiguous })
}

/// Returns the position of the bounding centre.
fn to_centre(ground: &Ground<'_>, elevation: Elevation, [x, up, z]: [f64; 3], [dx, dy, dz]: [f64; 3]) -> [f64; 3] {
    let below = match elevation {
        Elevation::Absolute => 0.0,
        Elevation::Relative => ground.height_at(x - dx, z - dz).unwrap_or(0.0),
    };
    [x, below + dy + up, z]
}

/// Returns the usual template name of a model: its file name without folder and extension.
pub(super) fn template(model: &[u8]) -> &[u8] {
    let file = model.rsplit(|&byte| byte == b'\\' || byte == b'/').next().unwrap_or(model);
    let end = file.len().saturating_sub(4);
    match file.split_at_checked(end) {
        Some((name, ending)) if ending.eq_ignore_ascii_case(b".p3d") && !name.is_empty() => name,
        _ => file,
    }
}
