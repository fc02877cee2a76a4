//! The headers of a level and its planes.

use mapwright_io::{Budget, Context, Input, Position, inflate_start};

use crate::read::{header, plane_header};
use crate::{Header, HeaderFlags, Plane, ReadError, ReadErrorKind, ReadOptions};

/// The headers of a level and its planes, for lists of many levels. Only the start of the file is read and inflated; the rest is
/// not verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// The header.
    pub header: Header,
    /// The planes in file order.
    pub planes: Vec<PlaneOverview>,
}

/// The header of a plane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaneOverview {
    /// The fields of the plane, without tiles, image sets and objects.
    pub plane: Plane,
    /// The declared number of objects.
    pub num_objects: u32,
}

impl Overview {
    /// Reads the headers of a level. The first kilobytes of the file suffice if the headers of the planes are at the start of the main
    /// block, where all known programs write them.
    ///
    /// # Errors
    /// If the bytes are not a level, or end before the headers of the planes do.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut budget = Budget::new(&options.limits);
        let (header, [count, offset, _], start) = header(bytes, options)?;
        if count == 0 {
            return Ok(Self { header, planes: Vec::new() });
        }
        let after_header = bytes.get(start..).unwrap_or_default();
        let offset_error = || {
            let end = start.saturating_add(after_header.len()) as u64;
            let kind = ReadErrorKind::Offset { what: "plane headers", offset, start: start as u64, end };
            ReadError::new(kind, Position::file(0x2E0))
        };
        let from =
            usize::try_from(offset).ok().and_then(|offset| offset.checked_sub(start)).ok_or_else(offset_error)?;
        let inflated;
        let (main, base) = if header.flags.has(HeaderFlags::COMPRESS) {
            let size = u64::from(count).saturating_mul(Plane::FILE_SIZE as u64).saturating_add(from as u64);
            let size = size.min(budget.decompressed_left());
            let max = usize::try_from(size).unwrap_or(usize::MAX);
            inflated = inflate_start(after_header, max, Position::file(start as u64))?;
            (inflated.as_slice(), Position::inflated(u64::from(offset)))
        } else {
            (after_header, Position::file(u64::from(offset)))
        };
        let mut input = Input::at_base(main.get(from..).ok_or_else(offset_error)?, base);
        let count = input.count(count.into(), Plane::FILE_SIZE, "planes").in_field("planes")?;
        budget.take_items(count as u64, input.position())?;
        let mut planes = Vec::with_capacity(count);
        for index in 0..count {
            let (plane, [_, num_objects, .., objects_offset]) = plane_header(&mut input).in_item("planes", index)?;
            // Readers ignore the number if there is no offset.
            let num_objects = if objects_offset == 0 { 0 } else { num_objects };
            planes.push(PlaneOverview { plane, num_objects });
        }
        Ok(Self { header, planes })
    }

    /// Returns the main plane, on which the player is.
    pub fn main_plane(&self) -> Option<&Plane> {
        self.planes.iter().map(|overview| &overview.plane).find(|plane| plane.is_main())
    }

    /// Returns the number of objects on all planes.
    pub fn num_objects(&self) -> u64 {
        self.planes.iter().map(|overview| u64::from(overview.num_objects)).fold(0, u64::saturating_add)
    }
}
