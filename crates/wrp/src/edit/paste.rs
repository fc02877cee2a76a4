//! One terrain put onto another.

use std::fmt;

use hashbrown::{HashMap, HashSet};
use mapwright_io::FixedBytes;

use super::{EditError, grid::factors};
use crate::document::{Builder, Document, Matrix, Placements, Wvr, Wvr8};

/// What pasting did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PasteReport {
    /// Heights that were replaced.
    pub heights: usize,
    /// Texture cells that were replaced.
    pub cells: usize,
    /// Objects that were added, with free numbers.
    pub objects: usize,
    /// Objects of the other terrain that would stand outside, and were left out.
    pub outside: usize,
}

impl Document {
    /// Puts another terrain onto this one: its south-west cell onto a cell counted from the south-west, which may be outside. Heights
    /// and textures are replaced where it lies, objects are added. Textures keep their names and get other numbers where they must.
    /// Objects that stood there stay: [`remove_objects`](Self::remove_objects) removes them first.
    ///
    /// # Errors
    /// When the two are of different variants, have heights at other distances, or too many textures together.
    pub fn paste(&mut self, other: &Self, at: [i32; 2]) -> Result<PasteReport, EditError> {
        self.check_editable()?;
        other.check_editable()?;
        let mut changed = self.clone();
        let cell = match (&*self, other) {
            (Self::Wvr(own), Self::Wvr(_)) => own.cell,
            (Self::Wvr8(own), Self::Wvr8(_)) => own.cell,
            _ => {
                let why = "the other terrain is of another variant; convert it first";
                return Err(EditError::Variant { variant: self.variant(), why });
            }
        };
        let (own_step, other_step) = (self.ground().step, other.ground().step);
        if own_step != other_step {
            let text = |[x, z]: [f64; 2]| if x == z { x.to_string() } else { format!("{x} by {z}") };
            return Err(EditError::Step { own: text(own_step), other: text(other_step) });
        }
        let mut pasted = match (&mut changed, other) {
            (Self::Wvr(own), Self::Wvr(other)) => paste_wvr(own, other, at)?,
            (Self::Wvr8(own), Self::Wvr8(other)) => paste_wvr8(own, other, at)?,
            _ => PasteReport::default(),
        };
        changed.add_objects(other, at.map(|cells| f64::from(cells) * f64::from(cell)), &mut pasted);
        *self = changed;
        Ok(pasted)
    }

    /// Adds the objects of another terrain, moved by metres east and north.
    fn add_objects(&mut self, other: &Self, [east, north]: [f64; 2], pasted: &mut PasteReport) {
        let [width, depth] = self.extent();
        let theirs = other.matrices();
        let upright = matches!(self.objects().placements, Placements::Headings(_));
        let has_ids = self.has_ids();
        let own_cell = f64::from(self.upright_cell());
        let mut builder = Builder::new(std::mem::take(self.objects_mut()));
        let mut headings = Vec::new();
        for ((object, matrix), place) in other.objects().iter().zip(theirs.iter()).zip(0..) {
            let [x, y, z] = matrix.position;
            let [x, z] = [f64::from(x) + east, f64::from(z) + north];
            let Some(name) = object.model.filter(|_| x >= 0.0 && x <= width && z >= 0.0 && z <= depth) else {
                pasted.outside = pasted.outside.saturating_add(1);
                continue;
            };
            let model = builder.add_model(name);
            pasted.objects = pasted.objects.saturating_add(1);
            let position = [crate::steps::to_f32(x), y, crate::steps::to_f32(z)];
            if upright {
                if let Placements::Headings(theirs) = &other.objects().placements
                    && let Some(heading) = theirs.get::<usize>(place)
                {
                    let [x, z] = [x, z].map(|metres| crate::steps::to_f32(metres / own_cell));
                    headings.push((model, crate::Heading { x, z, ..*heading }));
                }
                continue;
            }
            builder.push(model, Matrix { position, ..*matrix }, None);
        }
        let mut objects = builder.finish();
        if let Placements::Headings(own) = &mut objects.placements {
            for (model, heading) in headings {
                objects.model.push(model);
                own.push(heading);
            }
        }
        if has_ids {
            objects.assign_ids();
        } else {
            objects.ids.clear();
        }
        *self.objects_mut() = objects;
        if let Self::Wvr8(terrain) = self
            && let Some(sentinel) = terrain.sentinel.as_mut().filter(|sentinel| sentinel.followed_by > 0)
        {
            sentinel.followed_by = sentinel.followed_by.saturating_add(pasted.objects);
        }
    }
}

fn paste_wvr(own: &mut Wvr, other: &Wvr, at: [i32; 2]) -> Result<PasteReport, EditError> {
    if own.version != other.version {
        let why = "the other terrain is of another variant; convert it first";
        return Err(EditError::Variant { variant: own.version.name().to_owned(), why });
    }
    // Each texture that comes along gets a slot of the same name, or a free one.
    let shown = shown(own.size, (other.size, &other.textures), at);
    let used: HashSet<i16> = own.textures.iter().copied().collect();
    let mut slots: HashMap<i16, i16> = HashMap::new();
    for index in shown {
        let slot = match other.texture(index) {
            // Sea stays sea, and a number without a meaning gets none.
            None if other.is_sea(index) => index,
            None if own.texture(index).is_some() => -1,
            None => index,
            Some(name) => slot(own, name, &used)?,
        };
        slots.insert(index, slot);
    }
    let slot = |index: i16| slots.get(&index).copied().unwrap_or(index);
    Ok(PasteReport {
        heights: put((own.size, &mut own.heights), (other.size, &other.heights), at, |height| height),
        cells: put((own.size, &mut own.textures), (other.size, &other.textures), at, slot),
        ..PasteReport::default()
    })
}

/// The slot of a texture, which is taken if there is none yet.
fn slot(own: &mut Wvr, name: &FixedBytes<32>, used: &HashSet<i16>) -> Result<i16, EditError> {
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
    let shown = shown(own.land, (other.land, &other.cells), at);
    let used: HashSet<u16> = own.cells.iter().copied().collect();
    let mut places: HashMap<u16, u16> = HashMap::new();
    for cell in shown {
        let Some(material) = other.materials.get(usize::from(cell)) else {
            // A number without a meaning gets none.
            places.insert(cell, u16::MAX);
            continue;
        };
        let place = match known.get(material) {
            Some(place) => *place,
            None => {
                // Places that cells name already without a material behind them stay without one.
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
        heights: put((own.terrain, &mut own.heights), (other.terrain, &other.heights), vertex, |height| height),
        cells: put((own.land, &mut own.cells), (other.land, &other.cells), at, place),
        ..PasteReport::default()
    })
}

/// The values of a grid that come to lie on another one, each once.
fn shown<T: Copy + Ord>(to: [u32; 2], (from, values): ([u32; 2], &[T]), at: [i32; 2]) -> Vec<T> {
    let mut shown = Vec::new();
    over(to, from, at, |_, place| shown.extend(values.get(place).copied()));
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// Puts the values of a grid, as they are here, onto another one, and counts them.
fn put<T: Copy>(
    (to, own): ([u32; 2], &mut [T]),
    (from, other): ([u32; 2], &[T]),
    at: [i32; 2],
    here: impl Fn(T) -> T,
) -> usize {
    let mut count = 0_usize;
    over(to, from, at, |to, from| {
        if let (Some(to), Some(from)) = (own.get_mut(to), other.get(from)) {
            *to = here(*from);
            count = count.saturating_add(1);
        }
    });
    count
}

/// Calls for each place of a grid and of another that lies on it, with both places.
fn over(to: [u32; 2], from: [u32; 2], [x, z]: [i32; 2], mut each: impl FnMut(usize, usize)) {
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
        let Self { heights, cells, objects, outside } = self;
        write!(f, "{heights} heights and {cells} cells replaced, {objects} objects added")?;
        if *outside > 0 {
            write!(f, "; {outside} objects would be outside and are left out")?;
        }
        Ok(())
    }
}
