//! Terrains of Operation Flashpoint, Arma and DayZ.

#[cfg(feature = "heightmap")]
pub(crate) mod edits;
mod lists;
mod objects;
mod summary;

use std::io::{self, Write};

use mapwright_io::Finding;
use mapwright_query::{EditObjects, Objects};
use mapwright_scene::{FileSource, Files, Import, Losses, Scene};
use mapwright_wrp::convert::ConvertOptions as VariantOptions;
use mapwright_wrp::scene::{self, Variant};
use mapwright_wrp::{Document, Export, ReadOptions as WrpOptions};

use super::{FormatEntry, single_file};
use crate::convert::Contents;
use crate::diff::DocumentDiff;
use crate::document::{FormatDocument, document_access};
use crate::info::Summary;
use crate::json::JsonLayout;
use crate::{Axis, Conversion, ConvertOptions, Error, FilesBeside, Format, Listing, ReadOptions};

pub use lists::{TerrainList, TerrainListOptions, read_model_centres, write_terrain_list};
pub(crate) use mapwright_wrp::lists::COLUMNS;
pub use objects::{read_objects_json, write_objects_geojson};
pub use summary::{WrpInfo, WrpModel};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    imports: true,
    is_drawn: true,
    has_code_pages: true,
    axes: Some("left-handed, Y up, Z north, metres"),
    compared_content: Some("areas of heights and cells, names, and objects"),
    up: Some(Axis::Y),
    axis_change: scene::AXES,
    dump_schema: Some(include_str!("../../schemas/wrp.schema.json")),
    capabilities: Some(scene::capabilities),
    sniff: mapwright_wrp::sniff,
    read: |bytes, _, options| Ok(Document::from_bytes_with(&bytes, &read_options(options))?.into()),
    read_dump: Some(|dump, _| Ok(dump.part::<Document>("terrain")?.into())),
    write_scene: Some(write_scene),
    is_terrain: true,
    list: Some(list),
    #[cfg(feature = "textures")]
    loader: Some(|_, _, _| Box::new(mapwright_content::resolve::Interchange::default())),
    ..FormatEntry::BASE
};

document_access!(Document, "a terrain of Operation Flashpoint, Arma or DayZ", as_wrp, as_wrp_mut, into_wrp);

fn read_options(options: &ReadOptions) -> WrpOptions {
    let reading = WrpOptions::default().with_limits(options.limits.clone());
    let reading = options.cell.map_or(reading.clone(), |metres| reading.with_cell(metres));
    options.height_unit.map_or(reading.clone(), |metres| reading.with_height_unit(metres))
}

fn write_scene(
    scene: &mut Scene,
    _to: Format,
    _files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let writing = scene::ExportOptions::default().with_variant(options.variant);
    let writing = writing.with_size(options.size).with_crop(options.crop);
    let export = scene::from_scene(scene, &writing.with_max_bytes(options.max_output))?;
    Ok((single_file(export.document.to_bytes()?), export.losses))
}

fn list(listing: &mut Listing, start: &[u8], options: &ReadOptions) -> Result<(), Error> {
    // The list of objects may end anywhere, so only the whole file states how many there are.
    if start.len() as u64 != listing.bytes {
        return Err(Error::UnknownFormat);
    }
    let terrain = Document::from_bytes_with(start, &read_options(options))?;
    listing.variant = Some(terrain.variant());
    listing.size = Some(terrain.ground().size);
    listing.objects = Some(terrain.objects().len() as u64);
    Ok(())
}

/// Writes a terrain as JSON that contains everything in it: [`AnyDocument::from_dump`](crate::AnyDocument::from_dump) restores the same file.
///
/// Fields have the names of the document. Floats are numbers, or their bits if they are not finite: `"0x7fc87f88"`. Texts and bytes are
/// encoded as by [`escape_bytes`](mapwright_io::escape_bytes).
///
/// # Errors
/// Errors of the writer.
pub fn write_terrain_json(out: &mut dyn Write, terrain: &Document) -> io::Result<()> {
    serde_json::to_writer(out, terrain).map_err(Into::into)
}

impl FormatDocument for Document {
    fn format(&self) -> Format {
        Format::Wrp
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.validate()
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        Summary::new().with("wrp", &WrpInfo::new(self))
    }

    fn to_scene(&self, _options: &ConvertOptions) -> Result<Import, Error> {
        Ok(scene::to_scene(self, &Default::default())?)
    }

    fn merge_scene(&mut self, scene: &Scene) -> Result<Losses, Error> {
        Ok(scene::merge_scene(self, scene, &Default::default())?)
    }

    fn converts_directly(&self, to: Format, _options: &ConvertOptions) -> Result<bool, Error> {
        Ok(to == Format::Wrp)
    }

    /// Writes the same terrain, as another variant if the options name one.
    fn convert_directly(self: Box<Self>, _to: Format, options: &ConvertOptions) -> Result<Conversion, Error> {
        let (main, losses) = match options.variant {
            None => ((*self).to_bytes()?, Losses::default()),
            Some(Variant::Wvr4) => {
                let Export { document, losses } = self.to_wvr4(&VariantOptions::default());
                (Document::Wvr(document).to_bytes()?, losses)
            }
            Some(Variant::Wvr8) => {
                let Export { document, losses } = self.to_wvr8();
                (Document::Wvr8(document).to_bytes()?, losses)
            }
        };
        let source = Contents { nodes: 1, instances: self.objects().len(), ..Contents::default() };
        Ok(Conversion::new(main, losses, source))
    }

    fn objects(&self) -> Option<&dyn Objects> {
        Some(self)
    }

    fn objects_mut(&mut self) -> Option<&mut dyn EditObjects> {
        Some(self)
    }

    fn write_dump_parts(&self, out: &mut dyn Write, _layout: JsonLayout) -> io::Result<()> {
        out.write_all(b",\"terrain\":")?;
        write_terrain_json(out, self)
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let diff = mapwright_wrp::diff::Diff::between(self, super::same_type(other)?);
        Some(DocumentDiff::new("terrain", diff.is_empty(), diff))
    }

    fn metres_per_unit(&self) -> Option<f64> {
        Some(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_names_of_the_format() {
        assert_eq!(mapwright_wrp::FORMAT, Format::Wrp.info());
    }
}
