//! Pasting one terrain onto another.

use std::fmt;

use hashbrown::{HashMap, HashSet};
use mapwright_io::FixedBytes;

use super::{EditError, grid::factors};
use crate::document::{Document, Heading, Matrix, Placement, Wvr, Wvr8};
use crate::loss::counted;
use crate::steps::to_f32;

/// Result of pasting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PasteReport {
    /// Number of replaced heights.
    pub heights: usize,
    /// Number of replaced texture cells.
    pub cells: usize,
    /// Number of added objects.
    pub objects: usize,
    /// Number of objects that would be outside the map and were not added.
    pub outside: usize,
}

impl Document {
    /// Pastes another terrain. Its south-west cell gets to cell `at`, which may be outside. Replaces heights and textures in its area,
    /// and adds its objects with free IDs. Textures keep their names and may get other slots. Existing objects in the area stay; to
    /// remove them, use [`delete_objects`](Self::delete_objects) first.
    ///
    /// # Errors
    /// Fails if the variants or the distances between heights differ, or if there are too many textures.
    pub fn paste(&mut self, other: &Self, at: [i32; 2]) -> Result<PasteReport, EditError> {
        self.check_editable()?;
        other.check_editable()?;
        let mut changed = self.clone();
        let cell = match (&*self, other) {
            (Self::Wvr(own), Self::Wvr(_)) => own.cell,
            (Self::Wvr8(own), Self::Wvr8(_)) => own.cell,
            _ => {
                let why = "the other terrain has another variant; convert it first";
                return Err(EditError::Variant { variant: self.variant(), why });
            }
        };
        let (own_step, other_step) = (self.ground().step, other.ground().step);
        if own_step != other_step {
            let text = |[x, z]: [f64; 2]| if x == z { x.to_string() } else { format!("{x}×{z}") };
            return Err(EditError::Step { own: text(own_step), other: text(other_step) });
        }
        let mut pasted = match (&mut changed, other) {
            (Self::Wvr(own), Self::Wvr(other)) => paste_wvr(own, other, at)?,
            (Self::Wvr8(own), Self::Wvr8(other)) => paste_wvr8(own, other, at)?,
            _ => PasteReport::default(),
        };
        changed.paste_objects(other, at.map(|cells| f64::from(cells) * f64::from(cell)), &mut pasted);
        *self = changed;
        Ok(pasted)
    }

    /// Adds the objects of another terrain, moved by metres to the east and north.
    fn paste_objects(&mut self, other: &Self, [east, north]: [f64; 2], report: &mut PasteReport) {
        let [width, depth] = self.extent();
        let cell = f64::from(self.upright_cell());
        let matrices = other.matrices();
        let objects = other.objects().iter().zip(matrices.iter()).filter_map(|(object, matrix)| {
            let [x, y, z] = matrix.position;
            let [x, z] = [f64::from(x) + east, f64::from(z) + north];
            let is_inside = (0.0..=width).contains(&x) && (0.0..=depth).contains(&z);
            let Some(name) = object.model.filter(|_| is_inside) else {
                report.outside = report.outside.saturating_add(1);
                return None;
            };
            report.objects = report.objects.saturating_add(1);
            let placement = match object.placement {
                Placement::Matrix(matrix) => {
                    Placement::Matrix(Matrix { position: [to_f32(x), y, to_f32(z)], ..matrix })
                }
                Placement::Heading(heading) => {
                    Placement::Heading(Heading { x: to_f32(x / cell), z: to_f32(z / cell), ..heading })
                }
            };
            Some((name, placement))
        });
        self.append_objects(objects);
    }
}

fn paste_wvr(own: &mut Wvr, other: &Wvr, at: [i32; 2]) -> Result<PasteReport, EditError> {
    if own.version != other.version {
        let why = "the other terrain has another variant; convert it first";
        return Err(EditError::Variant { variant: own.version.name().to_owned(), why });
    }
    // Each pasted texture gets the slot with the same name, or a free one.
    let shown = pasted_values(own.size, (other.size, &other.textures), at);
    let used: HashSet<i16> = own.textures.iter().copied().collect();
    let mut slots: HashMap<i16, i16> = HashMap::new();
    for index in shown {
        let slot = match other.texture(index) {
            // The sea stays the sea. An index out of range must not refer to a used slot.
            None if other.is_sea(index) => index,
            None if own.texture(index).is_some() => -1,
            None => index,
            Some(name) => find_or_add_slot(own, name, &used)?,
        };
        slots.insert(index, slot);
    }
    let slot = |index: i16| slots.get(&index).copied().unwrap_or(index);
    Ok(PasteReport {
        heights: paste_values((own.size, &mut own.heights), (other.size, &other.heights), at, |height| height),
        cells: paste_values((own.size, &mut own.textures), (other.size, &other.textures), at, slot),
        ..PasteReport::default()
    })
}

/// Returns the slot of a texture. Uses a free slot if there is none yet.
fn find_or_add_slot(own: &mut Wvr, name: &FixedBytes<32>, used: &HashSet<i16>) -> Result<i16, EditError> {
    let number = |place: usize| i16::try_from(place).unwrap_or(Wvr::SEA);
    let same = |slot: &&mut FixedBytes<32>| slot.text().eq_ignore_ascii_case(name.text());
    if let Some(place) = own.names.iter_mut().skip(1).position(|slot| same(&slot)) {
        return Ok(number(place.saturating_add(1)));
    }
    let free = |place: usize, slot: &FixedBytes<32>| slot.text().is_empty() && !used.contains(&number(place));
    match own.names.iter_mut().enumerate().skip(1).find(|(place, slot)| free(*place, slot)) {
        Some((place, slot)) => {
            *slot = FixedBytes::from_text(name.text()).unwrap_or(*name);
            Ok(number(place))
        }
        None => Err(EditError::NoSlot(name.text().to_vec())),
    }
}

fn paste_wvr8(own: &mut Wvr8, other: &Wvr8, at: [i32; 2]) -> Result<PasteReport, EditError> {
    let factors = factors(own.terrain, own.land)?;
    if own.cell.to_bits() != other.cell.to_bits() {
        return Err(EditError::Step { own: own.cell.to_string(), other: other.cell.to_string() });
    }
    let mut known: HashMap<Vec<Vec<u8>>, u16> = HashMap::new();
    for (material, place) in own.materials.iter().zip(0_u16..) {
        if !known.contains_key(material) {
            known.insert(material.clone(), place);
        }
    }
    let shown = pasted_values(own.land, (other.land, &other.cells), at);
    let used: HashSet<u16> = own.cells.iter().copied().collect();
    let mut places: HashMap<u16, u16> = HashMap::new();
    for cell in shown {
        let Some(material) = other.materials.get(usize::from(cell)) else {
            // An index out of range must not refer to a material.
            places.insert(cell, u16::MAX);
            continue;
        };
        let place = match known.get(material) {
            Some(place) => *place,
            None => {
                // Skip indices that cells use although there is no material.
                while u16::try_from(own.materials.len()).is_ok_and(|place| used.contains(&place)) {
                    own.materials.push(Vec::new());
                }
                let name = || material.first().cloned().unwrap_or_default();
                let place = u16::try_from(own.materials.len()).map_err(|_| EditError::NoSlot(name()))?;
                own.materials.push(material.clone());
                known.insert(material.clone(), place);
                place
            }
        };
        places.insert(cell, place);
    }
    let place = |cell: u16| places.get(&cell).copied().unwrap_or(cell);
    let [fx, fz] = factors.map(|factor| i32::try_from(factor).unwrap_or(i32::MAX));
    let [x, z] = at;
    let vertex = [x.saturating_mul(fx), z.saturating_mul(fz)];
    Ok(PasteReport {
        heights: paste_values((own.terrain, &mut own.heights), (other.terrain, &other.heights), vertex, |height| {
            height
        }),
        cells: paste_values((own.land, &mut own.cells), (other.land, &other.cells), at, place),
        ..PasteReport::default()
    })
}

/// Returns the distinct values of the pasted part of a grid.
fn pasted_values<T: Copy + Ord>(to: [u32; 2], (from, values): ([u32; 2], &[T]), at: [i32; 2]) -> Vec<T> {
    let mut shown = Vec::new();
    for_each_pair(to, from, at, |_, place| shown.extend(values.get(place).copied()));
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// Pastes the values of a grid, converted by `here`. Returns their number.
fn paste_values<T: Copy>(
    (to, own): ([u32; 2], &mut [T]),
    (from, other): ([u32; 2], &[T]),
    at: [i32; 2],
    here: impl Fn(T) -> T,
) -> usize {
    let mut count = 0_usize;
    for_each_pair(to, from, at, |to, from| {
        if let (Some(to), Some(from)) = (own.get_mut(to), other.get(from)) {
            *to = here(*from);
            count = count.saturating_add(1);
        }
    });
    count
}

/// Calls `each` with the indices of each pasted cell in both grids.
fn for_each_pair(to: [u32; 2], from: [u32; 2], [x, z]: [i32; 2], mut each: impl FnMut(usize, usize)) {
    let place = |column: i64, row: i64, columns: u32| {
        usize::try_from(row.saturating_mul(columns.into()).saturating_add(column)).unwrap_or(usize::MAX)
    };
    let range = |start: i32, to: u32, from: u32| {
        let start = i64::from(start);
        start.max(0)..start.saturating_add(from.into()).min(to.into())
    };
    for row in range(z, to[1], from[1]) {
        for column in range(x, to[0], from[0]) {
            let (own_column, own_row) = (column.saturating_sub(x.into()), row.saturating_sub(z.into()));
            each(place(column, row, to[0]), place(own_column, own_row, from[0]));
        }
    }
}

impl fmt::Display for PasteReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heights = counted(self.heights, ["height", "heights"]);
        let cells = counted(self.cells, ["cell", "cells"]);
        let objects = |count: usize| counted(count, ["object", "objects"]);
        write!(f, "{heights} and {cells} replaced, {} added", objects(self.objects))?;
        if self.outside > 0 {
            write!(f, "; {} outside the map not added", objects(self.outside))?;
        }
        Ok(())
    }
}
