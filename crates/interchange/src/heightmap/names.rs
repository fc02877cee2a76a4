//! Names of metadata in files.

/// Keywords of text chunks of PNG.
pub(super) mod png_text {
    pub(in crate::heightmap) const SCALE: &str = "height_scale";
    pub(in crate::heightmap) const OFFSET: &str = "height_offset";
    pub(in crate::heightmap) const ZERO: &str = "height_zero";
    pub(in crate::heightmap) const SPACING_X: &str = "spacing_x";
    pub(in crate::heightmap) const SPACING_Y: &str = "spacing_y";
    pub(in crate::heightmap) const ORIGIN_X: &str = "origin_x";
    pub(in crate::heightmap) const ORIGIN_Y: &str = "origin_y";
    pub(in crate::heightmap) const METRES_PER_UNIT: &str = "metres_per_unit";
    pub(in crate::heightmap) const ALL: [&str; 8] =
        [SCALE, OFFSET, ZERO, SPACING_X, SPACING_Y, ORIGIN_X, ORIGIN_Y, METRES_PER_UNIT];
}

/// The pixel of height 0 for heights in steps in a PNG.
pub(super) const ZERO_PIXEL: i32 = 32768;

/// Tags, keys and values of GeoTIFF without a name in the library.
pub(super) mod tif_tags {
    pub(in crate::heightmap) const GDAL_METADATA: u16 = 42112;
    pub(in crate::heightmap) const METRES_PER_UNIT: &str = "METRES_PER_UNIT";
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
