//! Visible area and scale of images of tiles and terrain.

use crate::level::MAX_DISTANCE;
use crate::raster::{Axis, Frame};
use crate::{Area, Error, Filter, Ratio, RenderInfo, RenderOptions, Scale};

/// Bounds of the level in pixels.
pub(crate) struct Extent {
    /// Left and top.
    pub(crate) at: [i64; 2],
    pub(crate) size: [i64; 2],
    pub(crate) start: Option<[i64; 2]>,
}

/// Computes the size of the image and its axes.
pub(crate) fn plan(extent: &Extent, options: &RenderOptions) -> Result<(RenderInfo, Frame), Error> {
    let (from, size) = area(extent, options.area)?;
    let (scale, [width, height]) = scale_to_fit(size, options)?;
    let frame = Frame {
        x: Axis::new(from[0], scale, width),
        y: Axis::new(from[1], scale, height),
        // If a pixel never covers more than one, the nearest one is their mean.
        mean: options.filter == Filter::Mean && scale.denominator() != 1,
    };
    let size = size.map(|length| u32::try_from(length).unwrap_or(u32::MAX));
    Ok((RenderInfo { scale, from, size, ..RenderInfo::new_empty(width, height) }, frame))
}

/// Returns the upper left corner and the size of the visible area.
fn area(extent: &Extent, area: Area) -> Result<([i64; 2], [i64; 2]), Error> {
    let (at, total) = (extent.at, extent.size);
    let (from, size) = match area {
        Area::Whole => (at, total),
        Area::Rectangle { from, size } => {
            let [x, y] = from.map(i64::from);
            let [width, height] = size.map(i64::from);
            if x >= total[0] || y >= total[1] || x + width <= 0 || y + height <= 0 {
                return Err(Error::OutsideArea { size: total });
            }
            ([at[0] + x, at[1] + y], size.map(|length| i64::from(length).min(MAX_DISTANCE)))
        }
        Area::AroundStart(size) => {
            let start = extent.start.ok_or(Error::NoStart)?;
            let size = size.map(i64::from);
            let clamp_corner =
                |start: i64, at: i64, total: i64, size: i64| (start - size / 2).min(at + total - size).max(at);
            let from =
                [clamp_corner(start[0], at[0], total[0], size[0]), clamp_corner(start[1], at[1], total[1], size[1])];
            (from, [size[0].min(total[0]), size[1].min(total[1])])
        }
    };
    match (size.contains(&0), area) {
        (false, _) => Ok((from, size)),
        (true, Area::Whole) => Err(Error::Nothing),
        (true, _) => Err(Error::EmptyArea),
    }
}

/// Returns the scale and the size of the image.
fn scale_to_fit(size: [i64; 2], options: &RenderOptions) -> Result<(Ratio, [u32; 2]), Error> {
    let limit = options.limit();
    let size = size.map(i64::unsigned_abs);
    let longest = size[0].max(size[1]);
    let fitting = Ratio::to_fit(longest, limit);
    let scale = match options.scale {
        Scale::Exactly(scale) => Some(scale),
        Scale::Fit(most) => Ratio::to_fit(longest, most.min(limit)),
        Scale::Fill(most) => match u32::try_from(u64::from(most.min(limit)) / longest.max(1)) {
            Ok(times @ 1..) => Ratio::new(times.min(Ratio::MAX), 1),
            _ => Ratio::to_fit(longest, most.min(limit)),
        },
    };
    let [width, height] = size.map(|length| scale.unwrap_or_default().length(length));
    match (scale, u32::try_from(width), u32::try_from(height)) {
        (Some(scale), Ok(width), Ok(height)) if width <= limit && height <= limit => Ok((scale, [width, height])),
        _ => Err(Error::TooLarge { width, height, limit, fitting }),
    }
}
