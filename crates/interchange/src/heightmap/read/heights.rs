//! Converts the result of a heightmap reader to a scene.

use mapwright_io::format_count;
use mapwright_scene::{Content, FileKind, FileSource, Heights, Import, Losses, Node, Scene, Terrain, Transform};

use crate::heightmap::{
    ImportOptions, NoData,
    crs::Crs,
    fill::{Missing, interpolate_missing, is_missing},
};
use crate::{Error, ErrorKind, error::malformed};

/// A grid of heights.
pub(super) struct HeightmapData {
    pub(super) columns: u32,
    pub(super) rows: u32,
    /// From north to south, from west to east. Points without a height are NaN.
    pub(super) heights: Heights,
    /// Distance between points, east and north; positive.
    pub(super) spacing: [f64; 2],
    /// East and north of the south-western point. `None`: not stored.
    pub(super) corner: Option<[f64; 2]>,
    pub(super) metres_per_unit: Option<f64>,
    /// The coordinate reference system. Its unit applies to the spacing and the corner.
    pub(super) crs: Option<Crs>,
}

const PATH: &str = "heights";

impl HeightmapData {
    /// Creates the scene with the heights as its terrain.
    pub(super) fn into_import(mut self, options: &ImportOptions, mut losses: Losses) -> Result<Import, Error> {
        let [columns, rows] = [self.columns, self.rows];
        if self.heights.len() as u64 != u64::from(columns) * u64::from(rows) {
            return Err(malformed(PATH, format!("{} heights of {columns} × {rows}", self.heights.len())));
        }
        if self.looks_like_degrees() && options.spacing.is_none() {
            let text = "position and spacing look like degrees, but are read as metres: reproject the grid, or store its coordinate \
                        reference system with it";
            losses.approximated("", text);
        }
        if let Some(crs) = &self.crs {
            let metres = crs.metres;
            self.metres_per_unit = Some(1.0);
            if metres != 1.0 {
                self.spacing = self.spacing.map(|step| step * metres);
                self.corner = self.corner.map(|corner| corner.map(|number| number * metres));
                losses.preserved("", format!("the unit of the map, {metres} m: lengths are converted to metres"));
            }
        }
        if let (Some(crs), Some([east, north])) = (&self.crs, self.corner) {
            let [width, height] = [self.spacing[0] * f64::from(columns), self.spacing[1] * f64::from(rows)];
            let remark = crs.stretch_remark([east + width / 2.0, north + height / 2.0], self.spacing[1]);
            remark.into_iter().for_each(|remark| losses.preserved("", remark));
        }
        let mut place = [0.0; 2];
        match self.corner {
            Some([east, north]) => place = [east - options.origin[0], options.origin[1] - north],
            None => losses.synthesized("", "the position: the origin"),
        }
        if let Some(number) = self.spacing.iter().chain(&place).find(|number| !number.is_finite()) {
            return Err(malformed("", format!("invalid position or spacing of the grid: {number}")));
        }
        self.fill(options.no_data, &mut losses)?;
        if let Some(step) = options.step {
            self.heights = steps(self.heights, step, &mut losses)?;
        }
        match &mut self.heights {
            Heights::F32(heights) => turn_over(heights, columns),
            Heights::Steps { values, .. } => turn_over(values, columns),
        }
        let mut scene = Scene { metres_per_unit: self.metres_per_unit, ..Scene::default() };
        if let Some(crs) = &self.crs {
            crs.store(&mut scene);
        }
        let terrain = scene.terrains.push(Terrain::new(
            [self.columns, self.rows],
            [self.spacing[0], -self.spacing[1]],
            self.heights,
        ));
        let transform = match place {
            [0.0, 0.0] => Transform::IDENTITY,
            [x, z] => Transform::translation([x, 0.0, z]),
        };
        scene.add_node(None, Node { transform, ..Node::new("", Content::Terrain(terrain)) });
        Ok(Import { scene, losses })
    }

    /// Returns `true` if a grid without a coordinate reference system probably has degrees: steps of less than 0.1 from a position on
    /// the globe. Grids of models usually start at 0.
    fn looks_like_degrees(&self) -> bool {
        let Some([east, north]) =
            self.corner.filter(|corner| self.crs.is_none() && corner.iter().any(|side| side.abs() > 0.1))
        else {
            return false;
        };
        let [width, height] = [(self.columns, self.spacing[0]), (self.rows, self.spacing[1])]
            .map(|(count, step)| f64::from(count) * step);
        self.metres_per_unit.is_none()
            && self.spacing.iter().all(|step| *step < 0.1)
            && (-180.0..=360.0).contains(&east)
            && east + width <= 361.0
            && north >= -90.1
            && north + height <= 90.1
    }

    /// Replaces points without a height, if the options contain a replacement.
    fn fill(&mut self, no_data: Option<NoData>, losses: &mut Losses) -> Result<(), Error> {
        let Heights::F32(heights) = &mut self.heights else { return Ok(()) };
        let Some(missing) = Missing::find(heights, self.columns) else { return Ok(()) };
        let text = missing.describe(self.rows, self.spacing, self.corner);
        match no_data {
            Some(NoData::Height(height)) => {
                heights.iter_mut().filter(|own| is_missing(**own)).for_each(|own| *own = height);
                losses.synthesized(PATH, format!("{text}: {height}"));
            }
            Some(NoData::Interpolate) => {
                if !interpolate_missing(heights, self.columns) {
                    return Err(malformed(PATH, "no sample has a height: expected at least one to interpolate from"));
                }
                losses.synthesized(PATH, format!("{text}: interpolated"));
            }
            None => losses.preserved(PATH, text),
        }
        Ok(())
    }
}

/// Rounds heights to multiples of a step.
fn steps(heights: Heights, step: f64, losses: &mut Losses) -> Result<Heights, Error> {
    if !step.is_finite() || step <= 0.0 {
        return Err(Error::on_path(ErrorKind::Unsupported(format!("a step of {step}")), "step"));
    }
    let (mut missing, mut clamped) = (0_u64, 0_u64);
    let mut rounded = Rounded::default();
    let mut nearest = |height: f64| {
        let exact = height / step;
        let whole = exact.round();
        if exact.is_nan() {
            missing += 1;
        } else if !(-32768.0..=32767.0).contains(&whole) {
            clamped += 1;
        } else {
            rounded.add(height, whole * step);
        }
        #[allow(clippy::cast_possible_truncation)] // Clamps, and makes 0 of what is no number.
        let whole = whole as i16;
        whole
    };
    let values = match heights {
        Heights::Steps { step: own, values } if own == step => values,
        Heights::Steps { step: own, values } => values.iter().map(|&value| nearest(f64::from(value) * own)).collect(),
        Heights::F32(heights) => heights.iter().map(|&height| nearest(f64::from(height))).collect(),
    };
    if missing > 0 {
        losses.synthesized(PATH, format!("{} without a height: 0", format_count(missing, "point")));
    }
    if clamped > 0 {
        let (low, high) = (-32768.0 * step, 32767.0 * step);
        losses.approximated(PATH, format!("{} clamped to {low:.3} … {high:.3}", format_count(clamped, "height")));
    }
    rounded.report(&format!("to steps of {step}"), losses);
    Ok(Heights::Steps { step, values })
}

/// Reverses the order of rows.
pub(in crate::heightmap) fn turn_over<T>(values: &mut [T], columns: u32) {
    let mut rows = values.chunks_exact_mut(columns.max(1) as usize);
    while let (Some(first), Some(last)) = (rows.next(), rows.next_back()) {
        first.swap_with_slice(last);
    }
}

/// Orders heights from west to east and from north to south, where columns run west and rows run north.
pub(super) fn reorder(heights: &mut Heights, columns: u32, is_flipped: [bool; 2]) {
    fn reorder_values<T>(values: &mut [T], columns: u32, [is_west, is_south]: [bool; 2]) {
        if is_west {
            values.chunks_exact_mut(columns.max(1) as usize).for_each(<[T]>::reverse);
        }
        if is_south {
            turn_over(values, columns);
        }
    }
    match heights {
        Heights::F32(heights) => reorder_values(heights, columns, is_flipped),
        Heights::Steps { values, .. } => reorder_values(values, columns, is_flipped),
    }
}

/// Converts heights to metres, and reports it.
pub(super) fn to_metres(heights: &mut Heights, unit: Option<f64>, losses: &mut Losses) {
    let Some(metres) = unit.filter(|metres| *metres != 1.0) else { return };
    match heights {
        Heights::Steps { step, .. } => *step *= metres,
        #[allow(clippy::cast_possible_truncation)] // To the nearest 32-bit float.
        Heights::F32(heights) => {
            heights.iter_mut().for_each(|height| *height = (f64::from(*height) * metres) as f32);
        }
    }
    losses.preserved(PATH, format!("the unit of heights, {metres} m: converted to metres"));
}

/// Converts heights of a grid that stores no unit for them to metres: from the unit of the options, else from that of the system.
pub(super) fn to_metres_with(
    heights: &mut Heights,
    crs: &mut Option<Crs>,
    options: &ImportOptions,
    losses: &mut Losses,
) {
    let vertical = crs.as_ref().and_then(Crs::vertical_unit);
    let unit = options.height_unit.or(vertical);
    report_assumed_metres(unit, crs.as_ref().map(|crs| crs.metres), losses);
    to_metres(heights, unit, losses);
    if let (Some(crs), true) = (crs, vertical.is_some_and(|metres| metres != 1.0)) {
        drop_vertical(crs, losses);
    }
}

/// Drops the system of heights, because heights become metres.
pub(super) fn drop_vertical(crs: &mut Crs, losses: &mut Losses) {
    losses.approximated("crs", format!("the vertical system of {}: heights are metres above it", crs.name()));
    crs.drop_vertical();
}

/// Reports that heights are taken for metres, if the map has another unit and that of heights is unknown.
pub(super) fn report_assumed_metres(height_unit: Option<f64>, map_unit: Option<f64>, losses: &mut Losses) {
    if height_unit.is_none() && map_unit.is_some_and(|metres| metres != 1.0) {
        let text =
            "vertical unit not stated: metres, not the unit of the map; the option for the unit of heights overrides";
        losses.synthesized(PATH, text);
    }
}

/// Reads the coordinate reference system from the file beside the grid, if there is one.
pub(super) fn projection(
    files: &dyn FileSource,
    options: &ImportOptions,
    corner: Option<[f64; 2]>,
    size: [u32; 2],
    spacing: [f64; 2],
) -> Result<Option<Crs>, Error> {
    let Some(name) = &options.projection_file else { return Ok(None) };
    let Ok(text) = files.load(name, FileKind::Data) else { return Ok(None) };
    let mut centre = corner.unwrap_or_default();
    for ((number, count), step) in centre.iter_mut().zip(size).zip(spacing) {
        *number += f64::from(count) * step / 2.0;
    }
    Crs::from_wkt(&String::from_utf8_lossy(&text), centre, spacing[1])
}

/// Statistics of rounded heights.
#[derive(Default)]
pub(super) struct Rounded {
    count: u64,
    off: f64,
    /// Number of heights beyond 32 bits.
    infinite: u64,
}

impl Rounded {
    /// Counts a height if it changed.
    pub(super) fn add(&mut self, was: f64, is: f64) {
        if is.is_infinite() && was.is_finite() {
            self.infinite += 1;
        } else if was != is && !was.is_nan() {
            self.count += 1;
            self.off = self.off.max((is - was).abs());
        }
    }

    /// Rounds to 32 bits.
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn narrow(&mut self, height: f64) -> f32 {
        let narrow = height as f32;
        self.add(height, f64::from(narrow));
        narrow
    }

    pub(super) fn report(&self, to: &str, losses: &mut Losses) {
        if self.infinite > 0 {
            losses.approximated(PATH, format!("{} beyond 32 bits: infinite", format_count(self.infinite, "height")));
        }
        if self.count > 0 {
            losses.approximated(
                PATH,
                format!("{} rounded {to}, by up to {:.2e}", format_count(self.count, "height"), self.off),
            );
        }
    }
}

/// Returns the distance between points: that of the options, or of the file.
pub(super) fn spacing(
    stored: Option<[f64; 2]>,
    options: &ImportOptions,
    losses: &mut Losses,
) -> Result<[f64; 2], Error> {
    let Some(spacing) = options.spacing.or(stored) else {
        losses.synthesized("", "the distance between points: 1");
        return Ok([1.0; 2]);
    };
    if spacing.iter().all(|step| step.is_finite() && *step > 0.0) {
        Ok(spacing)
    } else {
        Err(malformed("", format!("invalid distance between points: {} and {}", spacing[0], spacing[1])))
    }
}
