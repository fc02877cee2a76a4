//! Quake maps.

mod conventions;
mod summary;

use std::borrow::Cow;
use std::io::{self, Write};

use mapwright_io::Finding;
use mapwright_qmap::scene::{self, ProjectionFormat};
use mapwright_qmap::{Document, Mapping, Primitive, ReadOptions as MapOptions};
use mapwright_query::{EditObjects, Objects};
use mapwright_scene::{FileSource, Files, Import, Losses, Scene};

use super::{FormatEntry, single_file};
use crate::convert::Contents;
use crate::diff::DocumentDiff;
use crate::document::{FormatDocument, document_access};
use crate::info::{SceneInfo, Summary};
use crate::json::JsonLayout;
use crate::{Axis, Conversion, ConvertOptions, Error, FilesBeside, Format, Listing, ReadOptions};

#[cfg(feature = "wmp")]
pub(crate) use conventions::adapt_gamestudio_map;
pub use summary::QuakeMapInfo;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    imports: true,
    is_drawn: true,
    has_code_pages: true,
    axes: Some("right-handed, Z up, units of about 1/32 m"),
    compared_content: Some("game and format, entities with their keys, brushes and patches, ignoring comments"),
    up: Some(Axis::Z),
    game_unit: Some(scene::METRES_PER_UNIT),
    axis_change: scene::AXES,
    dump_schema: Some(include_str!("../../schemas/map.schema.json")),
    capabilities: Some(scene::capabilities),
    sniff: mapwright_qmap::sniff,
    read: |bytes, _, options| {
        let options = read_options(options);
        let document = match bytes {
            Cow::Owned(bytes) => Document::from_vec_with(bytes, &options)?,
            Cow::Borrowed(bytes) => Document::from_bytes_with(bytes, &options)?,
        };
        Ok(document.into())
    },
    read_dump: Some(|dump, _| Ok(dump.part::<Document>("quake_map")?.into())),
    write_scene: Some(write_scene),
    adapt_scene: conventions::adapt_scene,
    list: Some(list),
    ..FormatEntry::BASE
};

document_access!(Document, "a Quake map", as_qmap, as_qmap_mut, into_qmap);

fn read_options(options: &ReadOptions) -> MapOptions {
    let default = MapOptions::default();
    let max_depth = default.limits.max_depth.min(options.limits.max_depth);
    default.with_limits(options.limits.clone().with_max_depth(max_depth))
}

fn export_options(options: &ConvertOptions) -> scene::ExportOptions {
    let mut writing = scene::ExportOptions::default().with_projection(options.projection);
    writing.snap = options.snap;
    writing.with_max_bytes(options.max_output)
}

fn write_scene(
    scene: &mut Scene,
    _to: Format,
    _files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let export = scene::from_scene(scene, &export_options(options))?;
    Ok((single_file(export.document.to_bytes()?), export.losses))
}

fn list(listing: &mut Listing, start: &[u8], options: &ReadOptions) -> Result<(), Error> {
    let map = Document::from_bytes_with(start, &read_options(options))?;
    listing.variant = map.format().map(|format| mapwright_qmap::decode_text(format).into_owned());
    listing.objects = Some((map.entity_count() + map.primitive_count()) as u64);
    Ok(())
}

/// Returns `true` for a map whose first face has the axes of Valve 220.
fn is_valve(map: &Document) -> bool {
    let face = map.primitives().flat_map(Primitive::faces).next();
    face.is_some_and(|face| matches!(face.mapping(), Mapping::Valve { .. }))
}

impl FormatDocument for Document {
    fn format(&self) -> Format {
        Format::Map
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.validate()
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        let summary = Summary::new().with("quake_map", &QuakeMapInfo::new(self));
        match scene::to_scene(self, &scene::ImportOptions::default()) {
            Ok(import) => summary.with("scene", &SceneInfo::new(&import.scene, scene::AXES)),
            Err(error) => summary.with_problem(error.to_string()),
        }
    }

    fn to_scene(&self, _options: &ConvertOptions) -> Result<Import, Error> {
        Ok(scene::to_scene(self, &scene::ImportOptions::default())?)
    }

    fn merge_scene(&mut self, scene: &Scene) -> Result<Losses, Error> {
        Ok(scene::merge_scene(self, scene, &scene::ExportOptions::default())?)
    }

    fn converts_directly(&self, to: Format, options: &ConvertOptions) -> Result<bool, Error> {
        Ok(to == Format::Map && options.projection == ProjectionFormat::Auto && options.snap.is_none())
    }

    fn convert_directly(self: Box<Self>, _to: Format, _options: &ConvertOptions) -> Result<Conversion, Error> {
        let brushes = self.primitives().filter(|primitive| primitive.kind().is_brush()).count();
        let source = Contents { nodes: self.entity_count() + self.primitive_count(), brushes, ..Contents::default() };
        Ok(Conversion::new((*self).to_bytes()?, Losses::default(), source))
    }

    fn inherit_options(&self, to: Format, options: &mut ConvertOptions) {
        if to == Format::Map && options.projection == ProjectionFormat::Auto && is_valve(self) {
            options.projection = ProjectionFormat::Valve;
        }
    }

    fn rewrite_losses(&self, to: Format, _options: &ConvertOptions) -> Losses {
        let mut losses = Losses::default();
        if to == Format::Map {
            losses.approximated("", "the map is created again: its layout and number formatting are new");
        }
        losses
    }

    fn objects(&self) -> Option<&dyn Objects> {
        Some(self)
    }

    fn objects_mut(&mut self) -> Option<&mut dyn EditObjects> {
        Some(self)
    }

    fn write_dump_parts(&self, out: &mut dyn Write, _layout: JsonLayout) -> io::Result<()> {
        out.write_all(b",\"quake_map\":")?;
        serde_json::to_writer(out, self).map_err(Into::into)
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let diff = mapwright_qmap::diff::Diff::between(self, super::same_type(other)?);
        Some(DocumentDiff::new("quake_map", diff.is_empty(), diff))
    }

    fn metres_per_unit(&self) -> Option<f64> {
        Some(scene::metres_per_unit(self))
    }

    fn is_text(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_io::Confidence;

    #[test]
    fn quake_maps_are_recognized_by_their_first_words() {
        assert_eq!(mapwright_qmap::FORMAT, Format::Map.info());
        let sniff = |text: &str| Format::Map.sniff(text.as_bytes());
        assert_eq!(sniff("// Game: Quake\n// entity 0\n{\n\"classname\" \"worldspawn\""), Confidence::Maybe);
        assert_eq!(sniff("{ { ( 0 0 0 )"), Confidence::Maybe);
        assert_eq!(sniff("Version 2\n{\n\"classname\" \"worldspawn\""), Confidence::Maybe);
        assert_eq!(sniff("{\"asset\": {}}"), Confidence::No);
        assert_eq!(sniff("// WMP2\n// ACKWED\nblocks 1"), Confidence::No);
        assert_eq!(sniff("// only"), Confidence::No);
    }
}
