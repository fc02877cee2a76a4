//! Names of metadata in files.

/// Keywords of text chunks of PNG.
pub(super) mod png_text {
    pub(crate) const SCALE: &str = "height_scale";
    pub(crate) const OFFSET: &str = "height_offset";
    pub(crate) const ZERO: &str = "height_zero";
    pub(crate) const SPACING_X: &str = "spacing_x";
    pub(crate) const SPACING_Y: &str = "spacing_y";
    pub(crate) const ORIGIN_X: &str = "origin_x";
    pub(crate) const ORIGIN_Y: &str = "origin_y";
    pub(crate) const METRES_PER_UNIT: &str = "metres_per_unit";
    pub(crate) const ALL: [&str; 8] = [SCALE, OFFSET, ZERO, SPACING_X, SPACING_Y, ORIGIN_X, ORIGIN_Y, METRES_PER_UNIT];
}

/// The pixel of height 0 for heights in steps in a PNG.
pub(super) const ZERO_PIXEL: i32 = 32768;

/// Tags, keys and values of GeoTIFF without a name in the library.
pub(super) mod tif_tags {
    pub(crate) const GDAL_METADATA: u16 = 42112;
    pub(crate) const METRES_PER_UNIT: &str = "METRES_PER_UNIT";
}

#[cfg(test)]
mod tests {
    use super::tif_tags;

    /// Source: GDAL, `GDAL_METADATA`.
    #[test]
    fn tags_have_the_published_numbers() {
        assert_eq!(tif_tags::GDAL_METADATA, 42112);
    }
}
