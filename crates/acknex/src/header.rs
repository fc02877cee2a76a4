//! The header of 84 bytes that packed models and terrains share.

use mapwright_io::{Budget, Input};

use crate::skin::error_at;
use crate::{ReadError, ReadErrorKind};

/// The header after the magic word.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) scale: [f32; 3],
    pub(crate) offset: [f32; 3],
    /// Width and depth of a cell and the number of columns. Only for terrains.
    pub(crate) grid: [f32; 3],
    pub(crate) skins: u32,
    /// Width and height of all skins, before MDL5 and HMP5.
    pub(crate) skin_size: [u32; 2],
    pub(crate) vertices: u32,
    pub(crate) triangles: u32,
    pub(crate) frames: u32,
    /// Number of texture coordinates, from MDL3.
    pub(crate) uvs: u32,
}

impl Header {
    pub(crate) fn read(input: &mut Input<'_>) -> Result<Self, ReadError> {
        let _version = input.i32_le()?;
        let mut numbers = [[0.0; 3]; 2];
        for number in numbers.iter_mut().flatten() {
            *number = input.f32_le()?;
        }
        let [scale, offset] = numbers;
        let _radius = input.f32_le()?;
        let grid = [input.f32_le()?, input.f32_le()?, input.f32_le()?];
        let skins = read_count(input, "skins")?;
        // These numbers are not checked here: a version that does not use one may store anything in it.
        let skin_size = [input.u32_le()?, input.u32_le()?];
        let vertices = read_count(input, "vertices")?;
        let triangles = input.u32_le()?;
        let frames = read_count(input, "frames")?;
        let uvs = input.u32_le()?;
        let _flags = input.u32_le()?;
        let _size = input.f32_le()?;
        Ok(Self { scale, offset, grid, skins, skin_size, vertices, triangles, frames, uvs })
    }

    /// Converts a packed vertex.
    #[allow(clippy::cast_possible_truncation, reason = "rounds to single precision")]
    pub(crate) fn unpack(&self, raw: [u16; 3]) -> [f32; 3] {
        let mut position = [0.0; 3];
        for (((to, raw), scale), offset) in position.iter_mut().zip(raw).zip(self.scale).zip(self.offset) {
            *to = (f64::from(scale) * f64::from(raw) + f64::from(offset)) as f32;
        }
        position
    }
}

fn read_count(input: &mut Input<'_>, what: &'static str) -> Result<u32, ReadError> {
    let at = input.position();
    let count = input.i32_le()?;
    u32::try_from(count).map_err(|_| error_at(at, ReadErrorKind::BadCount { what, count }))
}

/// Checks a declared count against the remaining bytes and the limit of items.
pub(crate) fn count(
    input: &Input<'_>,
    declared: u32,
    size: usize,
    what: &'static str,
    budget: &mut Budget,
) -> Result<usize, ReadError> {
    let count = input.count(declared.into(), size, what)?;
    budget.take_items(declared.into(), input.position())?;
    Ok(count)
}
