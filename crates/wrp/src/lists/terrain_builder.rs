//! Object lists of Terrain Builder.

use std::io::{self, Write};

use hashbrown::HashMap;

use super::{Angles, Centres, ListError, Row};
use crate::document::{Builder, Document, Ground, Name, Objects};
use crate::loss::{LossKind, Losses, Report};
use crate::steps::to_f32;

/// Map coordinates, east and north in metres, at which Terrain Builder puts the south-west corner of a terrain.
pub const TERRAIN_BUILDER_ORIGIN: [f64; 2] = [200_000.0, 0.0];

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
    /// Templates with several models, of which the last is used, and these models: `tree: a\tree.p3d, b\tree.p3d`.
    pub ambiguous: Vec<String>,
}

/// Writes objects as a list for Terrain Builder: `"Template";X;Y;yaw;pitch;roll;scale;elevation;`, with three decimals.
///
/// The position is that of the bounding centre, as in the file. The elevation is that of the ground point if `centres` contains the
/// model. Otherwise it is that of the bounding centre, and Terrain Builder places the object too high or too low.
///
/// `origin` is added to the position. Terrain Builder expects [`TERRAIN_BUILDER_ORIGIN`].
///
/// Returns the losses: templates that several models share; shear and mirroring, which are approximated by a rotation and a scale; matrices that are not finite, which
/// are dropped; and elevations that are those of bounding centres.
///
/// # Errors
/// Fails if the writer fails.
pub fn write_terrain_builder(
    rows: impl IntoIterator<Item = Row>,
    ground: &Ground<'_>,
    (elevation, centres, origin): (Elevation, &Centres, [f64; 2]),
    mut writer: impl Write,
) -> io::Result<Losses> {
    let mut templates = Templates::default();
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
        let template = template(&model);
        templates.add(template, &model);
        let template = mapwright_io::escape_bytes(template).replace('"', "\\x22");
        let [x, z] = [x + origin[0], z + origin[1]];
        let values = [yaw, pitch, roll, scale, up];
        write!(writer, "\"{template}\";{x:.3};{z:.3};")?;
        for value in values {
            // Avoid negative zeros.
            let rounded = if value.abs() < 0.0005 { 0.0 } else { value };
            write!(writer, "{rounded:.3};")?;
        }
        writeln!(writer)?;
    }
    let mut report = Report::default();
    for shared in templates.shared() {
        report.add(LossKind::Approximated, "objects", format!("template of several models, {shared}"));
    }
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
/// `document`. `origin` is subtracted from the positions.
///
/// # Errors
/// Fails with the line and field that cannot be read.
pub fn read_terrain_builder(
    text: &[u8],
    (elevation, centres, origin): (Elevation, &Centres, [f64; 2]),
    document: &Document,
) -> Result<TerrainBuilderList, ListError> {
    let mut known = Templates::default();
    for name in &document.objects().models {
        known.add(template(&name.bytes), &name.bytes);
    }
    let ground = document.ground();
    let (mut unknown, mut ambiguous): (Vec<String>, Vec<String>) = Default::default();
    let note = |list: &mut Vec<String>, shown: String| {
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
        let (template, values) = split_template(line);
        let mut values = values.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
        let template = mapwright_io::unescape_bytes(&String::from_utf8_lossy(template));
        if template.is_empty() {
            return Err(ListError::new(number, 1, "expected the name of a template"));
        }
        let mut read = [0.0_f64; 7];
        for (number_slot, field) in read.iter_mut().zip(2..) {
            let text = values.next().map(|value| String::from_utf8_lossy(value)).unwrap_or_default();
            let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
            *number_slot = value.ok_or_else(|| {
                let found = if text.is_empty() { "the end".to_owned() } else { format!("{text:?}") };
                ListError::new(number, field, format!("expected a number, found {found}"))
            })?;
        }
        let [x, z, yaw, pitch, roll, scale, up] = read;
        let found = known.models(&template);
        let found = if found.is_empty() { centres.models(&template) } else { found };
        let model = match found {
            [.., model] => {
                if found.len() > 1 {
                    note(&mut ambiguous, shared_template(&template, found));
                }
                model.clone()
            }
            [] => {
                note(&mut unknown, mapwright_io::escape_bytes(&template));
                [&template[..], b".p3d"].concat()
            }
        };
        let matrix = Angles { yaw, pitch, roll, scale }.to_matrix([0.0; 3]);
        let [x, z] = [x - origin[0], z - origin[1]];
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

/// Splits a line after its first field. A quoted name may contain semicolons.
fn split_template(line: &[u8]) -> (&[u8], &[u8]) {
    let quoted = line.strip_prefix(b"\"").and_then(|rest| {
        let end = rest.windows(2).position(|pair| pair == b"\";")?;
        Some((rest.get(..end)?, rest.get(end.saturating_add(2)..)?))
    });
    quoted.unwrap_or_else(|| {
        let end = line.iter().position(|&byte| byte == b';').unwrap_or(line.len());
        let (template, values) = line.split_at_checked(end).unwrap_or((line, b""));
        (template.trim_ascii(), values.get(1..).unwrap_or_default())
    })
}

/// The models of templates.
#[derive(Debug, Clone, Default)]
pub(super) struct Templates {
    /// Models by template name in lower case, in the order of their last use. Names that differ only in case are one.
    models: HashMap<Vec<u8>, Vec<Vec<u8>>>,
}

impl Templates {
    pub(super) fn add(&mut self, template: &[u8], model: &[u8]) {
        let models = self.models.entry(template.to_ascii_lowercase()).or_default();
        if models.last().is_some_and(|last| last == model) {
            return;
        }
        models.retain(|other| !other.eq_ignore_ascii_case(model));
        models.push(model.to_vec());
    }

    /// Returns the models of a template.
    pub(super) fn models(&self, template: &[u8]) -> &[Vec<u8>] {
        self.models.get(&template.to_ascii_lowercase()).map(Vec::as_slice).unwrap_or_default()
    }

    /// Describes the templates with several models, in the order of their names.
    fn shared(&self) -> Vec<String> {
        let several = self.models.iter().filter(|(_, models)| models.len() > 1);
        let mut shared: Vec<String> = several.map(|(template, models)| shared_template(template, models)).collect();
        shared.sort();
        shared
    }
}

/// Describes a template with several models.
fn shared_template(template: &[u8], models: &[Vec<u8>]) -> String {
    let models: Vec<String> = models.iter().map(|model| mapwright_io::escape_bytes(model)).collect();
    format!("{}: {}", mapwright_io::escape_bytes(template), models.join(", "))
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
