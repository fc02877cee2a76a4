//! Terrains: HMP4, HMP5 and HMP7.

use mapwright_io::{Budget, Confidence, Context as _, FixedBytes, FormatInfo, Input, Position};

use crate::header::{Header, count};
use crate::mesh::{Frame, Mesh, Repairs, Triangle};
use crate::model::{read_indexed_triangles, read_magic, read_packed};
use crate::options::{check_parts, read_functions};
use crate::skin::{Skin, error_at, read_skin, to_usize};
use crate::{PixelFormat, ReadError, ReadErrorKind, ReadOptions};

/// Names and extensions of the format.
pub const FORMAT: FormatInfo = FormatInfo::new("hmp", "3D Gamestudio terrain", &["hmp"]);

/// Returns the likelihood that bytes are a terrain. The first four suffice.
pub fn sniff(bytes: &[u8]) -> Confidence {
    if TerrainVersion::from_magic(bytes).is_some() { Confidence::Certain } else { Confidence::No }
}

/// A terrain: a grid of heights around the origin.
///
/// The first row is the north edge, with the largest Y. The first column is the west edge, with the smallest X.
#[derive(Debug, Clone, PartialEq)]
pub struct Terrain {
    /// The version.
    pub version: TerrainVersion,
    /// Number of columns and rows of vertices.
    pub size: [u32; 2],
    /// Distance between columns and between rows, in quants.
    pub cell: [f32; 2],
    /// Height of one step, in quants.
    pub height_step: f32,
    /// Height of step 0, in quants.
    pub height_offset: f32,
    /// The skins. The first one covers the terrain once, the second one is a detail texture that repeats.
    pub skins: Vec<Skin>,
    /// The heights of each animation frame, at least one. A terrain with [`mesh`](Self::mesh) has none.
    pub frames: Vec<TerrainFrame>,
    /// The mesh of an early HMP4 file, which stores triangles instead of a grid.
    pub mesh: Option<Mesh>,
    /// Invalid records that the reader replaced.
    pub repairs: Repairs,
}

/// A version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TerrainVersion {
    /// HMP4: early A5.
    Hmp4,
    /// HMP5: A5.
    Hmp5,
    /// HMP7: A6 to A8.
    Hmp7,
}

impl TerrainVersion {
    fn from_magic(bytes: &[u8]) -> Option<Self> {
        Some(match bytes.first_chunk()? {
            b"HMP4" => Self::Hmp4,
            b"HMP5" => Self::Hmp5,
            b"HMP7" => Self::Hmp7,
            _ => return None,
        })
    }

    /// Returns the first four bytes of files of this version.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hmp4 => "HMP4",
            Self::Hmp5 => "HMP5",
            Self::Hmp7 => "HMP7",
        }
    }
}

/// The heights of a terrain at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerrainFrame {
    /// The name.
    pub name: FixedBytes<16>,
    /// Heights in steps, row by row.
    pub steps: Vec<u16>,
}

/// The longest side of a grid.
const MAX_SIDE: f32 = 65_536.0;

read_functions!(Terrain, "a terrain");

impl Terrain {
    /// Reads a terrain with the given options. Bytes after the terrain are ignored.
    ///
    /// # Errors
    /// If the bytes are not a terrain, or if a limit is exceeded.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut input = Input::new(bytes);
        let mut budget = Budget::new(&options.limits);
        let found = read_magic(&mut input, "a terrain")?;
        let Some(version) = TerrainVersion::from_magic(&found) else {
            let kind = ReadErrorKind::Magic { format: "a terrain", found, expected: "HMP4, HMP5 or HMP7" };
            return Err(error_at(Position::file(0), kind));
        };
        let header = Header::read(&mut input)?;
        let mut terrain = Self::new(version, &header)?;
        let skins = check_parts("skins", header.skins).map_err(|kind| input.fault(kind))?;
        for skin in 0..skins {
            terrain.skins.push(read_terrain_skin(&mut input, version, &header).in_item("skins", skin)?);
        }
        let frames = check_parts("frames", header.frames).map_err(|kind| input.fault(kind))?;
        if version == TerrainVersion::Hmp4 && header.triangles > 0 {
            terrain.read_mesh(&mut input, &header, frames, &mut budget)?;
            return Ok(terrain);
        }
        for frame in 0..frames {
            terrain.frames.push(read_frame(&mut input, version, &header, &mut budget).in_item("frames", frame)?);
        }
        Ok(terrain)
    }

    fn new(version: TerrainVersion, header: &Header) -> Result<Self, ReadError> {
        let [width, depth, columns] = header.grid;
        let vertices = header.vertices;
        let grid = || error_at(Position::file(36), ReadErrorKind::Grid { columns, vertices });
        if !(2.0..=MAX_SIDE).contains(&columns) || columns.fract() != 0.0 {
            return Err(grid());
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number in range")]
        let count = columns as u32;
        let rows = vertices.checked_div(count).filter(|_| vertices.is_multiple_of(count)).unwrap_or(0);
        if rows == 0 {
            return Err(grid());
        }
        if header.frames == 0 {
            return Err(error_at(Position::file(68), ReadErrorKind::BadCount { what: "frames", count: 0 }));
        }
        let [_, _, height_step] = header.scale;
        let [_, _, height_offset] = header.offset;
        let numbers = [
            ("width of a cell", width, 36),
            ("depth of a cell", depth, 40),
            ("height of a step", height_step, 16),
            ("height of step 0", height_offset, 28),
        ];
        if let Some((what, found, at)) = numbers.into_iter().find(|(_, number, _)| !number.is_finite()) {
            return Err(error_at(Position::file(at), ReadErrorKind::NotFinite { what, found }));
        }
        Ok(Self {
            version,
            size: [count, rows],
            cell: [width, depth],
            height_step,
            height_offset,
            skins: Vec::new(),
            frames: Vec::new(),
            mesh: None,
            repairs: Repairs::default(),
        })
    }

    /// Reads texture coordinates, triangles and vertices of 4 bytes, as MDL3 has them.
    fn read_mesh(
        &mut self,
        input: &mut Input<'_>,
        header: &Header,
        frames: usize,
        budget: &mut Budget,
    ) -> Result<(), ReadError> {
        let mut mesh = Mesh::new(FixedBytes { raw: [0; 16] });
        mesh.triangles = read_indexed_triangles(input, header, &self.skins, budget, &mut self.repairs)?;
        for frame in 0..frames {
            let at = input.position();
            let code = input.u32_le()?;
            if code != 0 {
                return Err(error_at(at, ReadErrorKind::Type { what: "frame", code }));
            }
            input.take(8)?;
            let name = FixedBytes { raw: input.array()? };
            let mut positions = read_packed(input, header, 4, budget).in_item("frames", frame)?;
            if frame == 0 {
                mesh.positions = std::mem::take(&mut positions);
            }
            mesh.frames.push(Frame { name, vertices: Vec::new(), positions, turned_bones: 0 });
        }
        mesh.repair(&mut self.repairs);
        self.mesh = Some(mesh);
        Ok(())
    }

    /// Returns the position of a vertex: X to the east, Y to the north, Z up.
    pub fn position(&self, frame: usize, column: u32, row: u32) -> Option<[f64; 3]> {
        let [columns, rows] = self.size;
        let index = to_usize(row).checked_mul(to_usize(columns))?.checked_add(to_usize(column))?;
        let step = self.frames.get(frame)?.steps.get(index).filter(|_| column < columns)?;
        let [width, depth] = self.cell.map(f64::from);
        // The middle of the grid is at the origin.
        let x = (f64::from(column) - (f64::from(columns) - 1.0) / 2.0) * width;
        let y = ((f64::from(rows) - 1.0) / 2.0 - f64::from(row)) * depth;
        Some([x, y, f64::from(self.height_step) * f64::from(*step) + f64::from(self.height_offset)])
    }

    /// Returns the positions of all vertices, row by row.
    #[allow(clippy::cast_possible_truncation, reason = "rounds to single precision")]
    pub(crate) fn positions(&self, frame: usize) -> Vec<[f32; 3]> {
        let [columns, rows] = self.size;
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
        let position = |[column, row]: [u32; 2]| self.position(frame, column, row);
        places.filter_map(position).map(|position| position.map(|number| number as f32)).collect()
    }

    /// Creates a mesh: two triangles for each cell, clockwise as seen from above, with the first skin over the whole terrain. The
    /// diagonal is that of the only known file with triangles; the engine's choice is unknown. The mesh has no animation frames. For a
    /// frame that does not exist, returns the first one. A terrain with a [`mesh`](Self::mesh) returns it in this frame.
    #[allow(clippy::cast_possible_truncation, reason = "rounds to single precision")]
    pub fn to_mesh(&self, frame: usize) -> Mesh {
        if let Some(mesh) = &self.mesh {
            return Mesh { positions: mesh.pose(frame).into_owned(), ..mesh.clone() };
        }
        let frame = if frame < self.frames.len() { frame } else { 0 };
        let [columns, _] = self.size;
        let name = self.frames.get(frame).map_or(FixedBytes { raw: [0; 16] }, |frame| frame.name);
        let mut mesh = Mesh::new(name);
        mesh.positions = self.positions(frame);
        let [last_column, last_row] = self.size.map(|count| count.saturating_sub(1));
        let skin = (!self.skins.is_empty()).then_some(0);
        let corner = |[column, row]: [u32; 2]| {
            let share = |at: u32, last: u32| (f64::from(at) / f64::from(last.max(1))) as f32;
            (row.saturating_mul(columns).saturating_add(column), [share(column, last_column), share(row, last_row)])
        };
        let places = (0..last_row).flat_map(|row| (0..last_column).map(move |column| [column, row]));
        for [column, row] in places {
            let (east, south) = (column.saturating_add(1), row.saturating_add(1));
            let corners = [[column, row], [east, row], [column, south], [east, south]].map(corner);
            let [north_west, north_east, south_west, south_east] = corners;
            for corners in [[north_west, north_east, south_west], [north_east, south_east, south_west]] {
                let triangle = Triangle {
                    vertices: corners.map(|(vertex, _)| vertex),
                    uvs: Some(corners.map(|(_, uv)| uv)),
                    skin,
                };
                mesh.triangles.push(triangle);
            }
        }
        // Numbers may exceed single precision.
        mesh.repair(&mut Repairs::default());
        mesh
    }
}

fn read_terrain_skin(input: &mut Input<'_>, version: TerrainVersion, header: &Header) -> Result<Skin, ReadError> {
    let format = PixelFormat(input.u32_le()?);
    let size = match version {
        TerrainVersion::Hmp4 => header.skin_size,
        _ => [input.u32_le()?, input.u32_le()?],
    };
    read_skin(input, format, size, FixedBytes { raw: [0; 16] }, true)
}

fn read_frame(
    input: &mut Input<'_>,
    version: TerrainVersion,
    header: &Header,
    budget: &mut Budget,
) -> Result<TerrainFrame, ReadError> {
    let at = input.position();
    let code = input.u32_le()?;
    if !matches!(code, 0 | 2) {
        return Err(error_at(at, ReadErrorKind::Type { what: "frame", code }));
    }
    // The box.
    input.take(16)?;
    let name = FixedBytes { raw: input.array()? };
    // HMP4 stores X and Y, which follow from the grid.
    let width: usize = if version == TerrainVersion::Hmp4 { 8 } else { 4 };
    let skipped = width.saturating_sub(4);
    let vertices = count(input, header.vertices, width, "heights", budget)?;
    let mut steps = Vec::with_capacity(vertices);
    for _ in 0..vertices {
        input.take(skipped)?;
        steps.push(input.u16_le()?);
        // The normal.
        input.take(2)?;
    }
    Ok(TerrainFrame { name, steps })
}
