//! Which part is drawn, and how large.

use crate::level::FARTHEST;
use crate::raster::{Axis, Frame};
use crate::{Area, Error, Filter, Picture, Ratio, RenderOptions, Scale};

/// What a picture could show, in pixels of the level.
pub(crate) struct Base {
    /// Left and top.
    pub(crate) at: [i64; 2],
    pub(crate) size: [i64; 2],
    pub(crate) start: Option<[i64; 2]>,
}

/// An empty picture of what is asked for, and its axes.
pub(crate) fn plan(base: &Base, options: &RenderOptions) -> Result<(Picture, Frame), Error> {
    let (from, size) = area(base, options.area)?;
    let (scale, [width, height]) = scaled(size, options)?;
    let frame = Frame {
        x: Axis::new(from[0], scale, width),
        y: Axis::new(from[1], scale, height),
        // Where a pixel never covers more than one, the nearest is their mean.
        mean: options.filter == Filter::Mean && scale.level() != 1,
    };
    let size = size.map(|length| u32::try_from(length).unwrap_or(u32::MAX));
    Ok((Picture { scale, from, size, ..Picture::empty(width, height) }, frame))
}

/// The part that is drawn, as its upper left corner and its size.
fn area(base: &Base, area: Area) -> Result<([i64; 2], [i64; 2]), Error> {
    let (at, whole) = (base.at, base.size);
    let (from, size) = match area {
        Area::Whole => (at, whole),
        Area::Rectangle { from, size } => {
            let [x, y] = from.map(i64::from);
            ([at[0] + x, at[1] + y], size.map(|length| i64::from(length).min(FARTHEST)))
        }
        Area::AroundStart(size) => {
            let start = base.start.ok_or(Error::NoStart)?;
            let size = size.map(i64::from);
            let left = |start: i64, at: i64, whole: i64, size: i64| (start - size / 2).min(at + whole - size).max(at);
            let from = [left(start[0], at[0], whole[0], size[0]), left(start[1], at[1], whole[1], size[1])];
            (from, [size[0].min(whole[0]), size[1].min(whole[1])])
        }
    };
    match (size.contains(&0), area) {
        (false, _) => Ok((from, size)),
        (true, Area::Whole) => Err(Error::Nothing),
        (true, _) => Err(Error::EmptyArea),
    }
}

/// The scale and the size of the picture.
fn scaled(size: [i64; 2], options: &RenderOptions) -> Result<(Ratio, [u32; 2]), Error> {
    let limit = options.limit();
    let size = size.map(i64::unsigned_abs);
    let longest = size[0].max(size[1]);
    let fitting = Ratio::fitting(longest, limit);
    let scale = match options.scale {
        Scale::Exactly(scale) => Some(scale),
        Scale::Fit(most) => Ratio::fitting(longest, most.min(limit)),
    };
    let [width, height] = size.map(|length| scale.unwrap_or_default().length(length));
    match (scale, u32::try_from(width), u32::try_from(height)) {
        (Some(scale), Ok(width), Ok(height)) if width <= limit && height <= limit => Ok((scale, [width, height])),
        _ => Err(Error::TooLarge { width, height, limit, fitting }),
    }
}
