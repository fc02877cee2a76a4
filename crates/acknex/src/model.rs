//! Models: MDL2 to MDL5 and MDL7 of 3D Gamestudio, IDPO of Quake.

mod mdl7;
mod packed;

pub(crate) use packed::{read_indexed_triangles, read_packed};

use mapwright_io::{Budget, Confidence, FixedBytes, FormatInfo, Input, Position};

use crate::mesh::{Mesh, Repairs};
use crate::options::read_functions;
use crate::skin::{self, Skin, error_at};
use crate::{ReadError, ReadErrorKind, ReadOptions};

/// Names and extensions of the format.
pub const FORMAT: FormatInfo = FormatInfo::new("mdl", "3D Gamestudio model", &["mdl"]);

/// Returns the likelihood that bytes are a model. The first four suffice.
pub fn sniff(bytes: &[u8]) -> Confidence {
    if ModelVersion::from_magic(bytes).is_some() { Confidence::Certain } else { Confidence::No }
}

/// A model in its first pose.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The version.
    pub version: ModelVersion,
    /// The skins of all groups. Triangles refer to them by index.
    pub skins: Vec<Skin>,
    /// The bones.
    pub bones: Vec<Bone>,
    /// The groups. Versions before MDL7 have one.
    pub groups: Vec<Mesh>,
    /// Invalid records that the reader replaced.
    pub repairs: Repairs,
}

/// A version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ModelVersion {
    /// IDPO: Quake, version 6.
    Quake,
    /// MDL2: A4.
    Mdl2,
    /// MDL3: A4.
    Mdl3,
    /// MDL4: early A5.
    Mdl4,
    /// MDL5: A5, and exporters of other programs.
    Mdl5,
    /// MDL7: A6 to A8.
    Mdl7,
}

impl ModelVersion {
    fn from_magic(bytes: &[u8]) -> Option<Self> {
        Some(match bytes.first_chunk()? {
            b"IDPO" => Self::Quake,
            b"MDL2" => Self::Mdl2,
            b"MDL3" => Self::Mdl3,
            b"MDL4" => Self::Mdl4,
            b"MDL5" => Self::Mdl5,
            b"MDL7" => Self::Mdl7,
            _ => return None,
        })
    }

    /// Returns the first four bytes of files of this version.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quake => "IDPO",
            Self::Mdl2 => "MDL2",
            Self::Mdl3 => "MDL3",
            Self::Mdl4 => "MDL4",
            Self::Mdl5 => "MDL5",
            Self::Mdl7 => "MDL7",
        }
    }
}

/// A bone of a model. This crate does not animate bones.
#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// Index of the parent bone.
    pub parent: Option<u16>,
    /// Position relative to the parent bone.
    pub position: [f32; 3],
    /// The name; some files store none.
    pub name: FixedBytes<20>,
}

read_functions!(Model, "a model");

impl Model {
    /// Reads a model with the given options. Bytes after the model, where editors store their own data, are ignored.
    ///
    /// # Errors
    /// If the bytes are not a model, or if a limit is exceeded.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut input = Input::new(bytes);
        let mut budget = Budget::new(&options.limits);
        let found = read_magic(&mut input, "a model")?;
        let Some(version) = ModelVersion::from_magic(&found) else {
            let kind = ReadErrorKind::Magic { format: "a model", found, expected: "MDL2 to MDL5, MDL7 or IDPO" };
            return Err(error_at(Position::file(0), kind));
        };
        let mut model = match version {
            ModelVersion::Mdl7 => mdl7::read(&mut input, &mut budget)?,
            _ => packed::read(&mut input, version, &mut budget)?,
        };
        let skins = model.skins.len() as u64;
        for group in &mut model.groups {
            group.repair(&mut model.repairs);
            for triangle in &mut group.triangles {
                triangle.skin = triangle.skin.filter(|skin| u64::from(*skin) < skins);
            }
        }
        Ok(model)
    }

    /// Returns the skin that contains the image of a skin: the skin itself, or the one that it refers to.
    pub fn image_skin(&self, skin: u32) -> Option<&Skin> {
        skin::resolve(&self.skins, skin)
    }
}

/// Reads the first four bytes. Reports a Git LFS pointer as such.
pub(crate) fn read_magic(input: &mut Input<'_>, format: &'static str) -> Result<[u8; 4], ReadError> {
    if mapwright_io::is_git_lfs_pointer(input.peek()) {
        return Err(error_at(Position::file(0), ReadErrorKind::LfsPointer(format)));
    }
    Ok(input.array()?)
}
