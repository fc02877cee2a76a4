//! WAP32 levels.

mod art;
mod json;
mod summary;

use std::io::{self, Write};

#[cfg(feature = "textures")]
use mapwright_content::ResolveReport;
use mapwright_io::{Budget, Finding, Position, inflate};
use mapwright_query::{EditObjects, Objects};
use mapwright_scene::{FileSource, Files, Import, Losses, Scene};
use mapwright_wwd::{Document, DocumentData, Overview, ReadOptions as WwdOptions, escape_bytes, scene};

use super::{FormatEntry, single_file};
use crate::convert::Contents;
use crate::diff::DocumentDiff;
use crate::document::{FormatDocument, TileArt, document_access};
use crate::info::Summary;
use crate::json::{JsonLayout, invalid_data};
use crate::{Axis, ContentSource, Conversion, ConvertOptions, Error, FilesBeside, Format, Listing, ReadOptions};

pub use art::{AttachOptions, AttachReport, LevelArt};
pub use json::{write_level_diff_json, write_level_json};
pub use summary::{
    AttributeCount, DroppedObjects, ImageFolder, LogicInfo, TilePropertiesInfo, TreasureInfo, WwdInfo, WwdPlane,
    WwdProvenance,
};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    imports: true,
    is_drawn: true,
    has_hidden_nodes: true,
    has_pixel_grid: true,
    has_code_pages: true,
    axes: Some("x to the right, y down the screen, pixels"),
    compared_content: Some("header, planes, runs of cells, and objects matched by their fields, not by their ids"),
    up: Some(Axis::Y),
    axis_change: scene::AXES,
    dump_schema: Some(include_str!("../../schemas/wwd.schema.json")),
    capabilities: Some(scene::capabilities),
    sniff: mapwright_wwd::sniff,
    read: |bytes, _, options| Ok(Document::from_bytes_with(&bytes, &options.wwd())?.into()),
    read_dump: Some(|dump, options| {
        let level = dump.part::<DocumentData>("level")?.into_document(&options.wwd());
        Ok(level.map_err(invalid_data)?.into())
    }),
    write_scene: Some(write_scene),
    rescue: Some(|bytes, options| Ok(Document::rescue(bytes, &options.wwd())?.into())),
    list: Some(list),
    decompress: Some(decompress),
    ..FormatEntry::BASE
};

document_access!(Document, "a WAP32 level", as_wwd, as_wwd_mut, into_wwd);

/// The largest header of the known programs, in bytes.
const HEADER: usize = 1524;

impl ReadOptions {
    pub(crate) fn wwd(&self) -> WwdOptions {
        WwdOptions::default().with_limits(self.limits.clone()).with_header_size(self.header_size)
    }
}

fn write_scene(
    scene: &mut Scene,
    _to: Format,
    _files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let writing = scene::ExportOptions::default().with_max_bytes(options.max_output);
    let export = scene::from_scene(scene, &writing)?;
    Ok((single_file(export.document.to_bytes()?), export.losses))
}

/// Reads the header and the main plane.
fn list(listing: &mut Listing, start: &[u8], options: &ReadOptions) -> Result<(), Error> {
    let level = Overview::from_bytes_with(start, &options.wwd())?;
    let text = |bytes: &[u8]| Some(escape_bytes(bytes));
    listing.name = text(level.header.name.text());
    listing.author = text(level.header.author.text());
    listing.date = text(level.header.birth.text());
    listing.size = level.main_plane().map(|plane| plane.size().into());
    listing.planes = Some(level.planes.len());
    listing.objects = Some(level.num_objects());
    Ok(())
}

/// Decompresses a level. Offsets are those of the uncompressed file.
fn decompress(bytes: &[u8], options: &ReadOptions) -> Option<Vec<u8>> {
    let size = usize::try_from(u32::from_le_bytes(*bytes.first_chunk()?)).ok()?.min(HEADER);
    let (header, stream) = bytes.split_at_checked(size)?;
    let mut budget = Budget::new(&options.limits);
    let main = inflate(stream, None, &mut budget, Position::file(0)).ok()?.bytes;
    Some([header, &main].concat())
}

impl FormatDocument for Document {
    fn format(&self) -> Format {
        Format::Wwd
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.validate()
    }

    fn validate_with(&self, files: &FilesBeside) -> Vec<Finding> {
        let mut findings = self.validate();
        if !files.content().is_empty() {
            findings.extend(art::validate_art(self, files.content()));
        }
        findings
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        Summary::new().with("wwd", &WwdInfo::new(self))
    }

    fn to_scene(&self, _options: &ConvertOptions) -> Result<Import, Error> {
        Ok(scene::to_scene(self, &Default::default())?)
    }

    /// Files are only looked for in the content.
    #[cfg(feature = "textures")]
    fn list_files(&self, content: &ContentSource) -> Option<ResolveReport> {
        Some(if content.is_empty() { ResolveReport::default() } else { art::list_art(self, content) })
    }

    fn find_tile_art(&self, content: &ContentSource) -> Option<Box<dyn TileArt>> {
        Some(Box::new(LevelArt::find_in(self, content)?))
    }

    fn merge_scene(&mut self, scene: &Scene) -> Result<Losses, Error> {
        Ok(scene::merge_scene(self, scene, &Default::default())?)
    }

    fn converts_directly(&self, to: Format, _options: &ConvertOptions) -> Result<bool, Error> {
        Ok(to == Format::Wwd)
    }

    fn convert_directly(self: Box<Self>, _to: Format, options: &ConvertOptions) -> Result<Conversion, Error> {
        let source = Contents::from_scene(&FormatDocument::to_scene(&*self, options)?.scene);
        Ok(Conversion::new((*self).to_bytes()?, Losses::default(), source))
    }

    fn objects(&self) -> Option<&dyn Objects> {
        Some(self)
    }

    fn objects_mut(&mut self) -> Option<&mut dyn EditObjects> {
        Some(self)
    }

    fn write_dump_parts(&self, out: &mut dyn Write, layout: JsonLayout) -> io::Result<()> {
        out.write_all(b",\"level\":")?;
        write_level_json(out, self, layout)
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let diff = mapwright_wwd::diff::Diff::between(self, super::same_type(other)?);
        Some(DocumentDiff::new("level", diff.is_empty(), diff))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_io::Confidence;

    #[test]
    fn levels_are_recognized_by_their_header() {
        assert_eq!(mapwright_wwd::FORMAT, Format::Wwd.info());
        let level = Document::new().to_bytes().unwrap();
        assert_eq!(Format::Wwd.sniff(&level), Confidence::Certain);
        assert_eq!(Format::Wwd.sniff(&level[1..]), Confidence::No);
    }
}
