//! Source 2 maps.

mod entities;
mod source1;
mod summary;

use std::borrow::Cow;
#[cfg(feature = "textures")]
use std::collections::HashSet;
use std::io::{self, Write};

#[cfg(feature = "textures")]
use mapwright_content::{ContentSource, Outcome, ResolveReport, reference_key, resolve::list_map_assets};
use mapwright_fgd::Definitions;
use mapwright_io::{Finding, Path};
use mapwright_scene::{FileKind, FileSource, Files, Import, Losses, Scene};
use mapwright_vmap::scene::{self, Subdivision};
use mapwright_vmap::{Document, MapOptions};

use super::{FormatEntry, dmx, single_file};
use crate::diff::DocumentDiff;
use crate::document::{FormatDocument, document_access};
use crate::info::Summary;
use crate::json::JsonLayout;
use crate::{Axis, Conversion, ConvertOptions, Error, FilesBeside, Format};

pub use summary::{AssetInfo, ThumbnailInfo, VmapInfo, VmapTotals};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    imports: true,
    is_drawn: true,
    has_instances: true,
    has_hidden_nodes: true,
    axes: Some("right-handed, Z up, inches"),
    compared_content: Some("nodes with their keys and meshes, ignoring fields that change on every save"),
    up: Some(Axis::Z),
    game_unit: Some(GAME_UNIT),
    axis_change: scene::AXES,
    encodings: &[Format::Vmap, Format::KeyValues2],
    dump_schema: Some(include_str!("../../schemas/vmap.schema.json")),
    capabilities: Some(scene::capabilities),
    sniff: mapwright_vmap::sniff,
    read: |bytes, _, options| {
        let document = match bytes {
            Cow::Owned(bytes) => Document::from_vec_with(bytes, &options.dmx())?,
            Cow::Borrowed(bytes) => Document::from_bytes_with(bytes, &options.dmx())?,
        };
        Ok(document.into())
    },
    read_dump: Some(|dump, options| Ok(Document::from_graph(dmx::read_graph(dump, options)?)?.into())),
    write_scene: Some(write_scene),
    adapt_scene: source1::adapt_scene,
    #[cfg(feature = "textures")]
    loader: Some(|_, _, options| {
        let loader = mapwright_content::resolve::Source2::new(options.subdivision);
        Box::new(loader.with_flipped_green(options.flip_green))
    }),
    #[cfg(feature = "fs")]
    content_roots: Some(mapwright_content::content_roots),
    #[cfg(not(feature = "fs"))]
    content_roots: Some(|_| Vec::new()),
    rescue: Some(|bytes, options| Ok(Document::rescue(bytes, &options.dmx())?.into())),
    ..FormatEntry::BASE
};

/// Metres per unit.
pub(super) const GAME_UNIT: f64 = scene::METRES_PER_UNIT;

document_access!(Document, "a Source 2 map", as_vmap, as_vmap_mut, into_vmap);

/// Writes a scene as a map, binary or as text.
pub(super) fn write_scene(
    scene: &mut Scene,
    to: Format,
    _files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let map = MapOptions::default();
    let map = options.map_format.map_or(map, |version| map.with_format_version(version));
    let writing = scene::ExportOptions::default().with_map(map).with_max_bytes(options.max_output);
    let mut export = scene::from_scene(scene, &writing)?;
    if to == Format::KeyValues2 {
        dmx::encoding::to_text(export.document.graph_mut(), &options.text, &mut export.losses);
    }
    Ok((single_file(export.document.to_bytes_with(&options.limited_text())?), export.losses))
}

/// Returns `true` if the target is a Source 2 map, binary or text.
fn is_map(to: Format) -> bool {
    matches!(to, Format::Vmap | Format::KeyValues2)
}

/// Reads the map of a prefab.
fn load_prefab(path: &str, files: &FilesBeside) -> Option<Document> {
    // Paths of prefabs start in the content folder, which is above the map: parts of them are left out, as for images.
    Document::from_vec(files.load(path, FileKind::Image).ok()?).ok()
}

impl FormatDocument for Document {
    fn format(&self) -> Format {
        Format::Vmap
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.validate()
    }

    /// Adds files such as particles, and those of materials and models.
    #[cfg(feature = "textures")]
    fn list_other_files(&self, files: &ContentSource, max_bytes: usize, report: &mut ResolveReport) {
        let known: HashSet<String> = report.references.iter().map(|it| reference_key(&it.path)).collect();
        let assets = list_map_assets(self, files, max_bytes);
        if !assets.is_complete {
            report
                .losses
                .dropped("content", "further files that the map needs: their list exceeds the limit of memory");
        }
        for asset in assets.assets {
            if !known.contains(&reference_key(&asset.path)) {
                let outcome = asset.file.map_or(Outcome::Missing, |(_, path)| Outcome::Found(path));
                report.add_uses(asset.kind, &asset.path, outcome, asset.uses as u64);
            }
        }
    }

    fn validate_with(&self, files: &FilesBeside) -> Vec<Finding> {
        self.validate_with_prefabs(&mut |path| load_prefab(path, files))
    }

    fn validate_entities(&self, definitions: &Definitions<'_>, files: &FilesBeside) -> Option<Vec<Finding>> {
        Some(entities::validate(self, definitions, &self.targets(&mut |path| load_prefab(path, files))))
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        // The encoding comes last: most users look for the entities.
        Summary::new().with("vmap", &VmapInfo::new(self)).with("dmx", &dmx::DmxInfo::new(self.graph()))
    }

    fn to_scene(&self, options: &ConvertOptions) -> Result<Import, Error> {
        let reading = scene::ImportOptions::default().with_subdivision(options.subdivision);
        Ok(scene::to_scene(self, &reading)?)
    }

    fn merge_scene(&mut self, scene: &Scene) -> Result<Losses, Error> {
        Ok(scene::merge_scene(self, scene, &Default::default())?)
    }

    fn converts_directly(&self, to: Format, options: &ConvertOptions) -> Result<bool, Error> {
        let has_same_faces = options.subdivision == Subdivision::Coarse;
        Ok(has_same_faces && dmx::encoding::converts(self.graph(), Format::Vmap, to, options))
    }

    fn convert_directly(self: Box<Self>, to: Format, options: &ConvertOptions) -> Result<Conversion, Error> {
        dmx::encoding::convert(self.into_graph(), to, options)
    }

    fn inherit_options(&self, to: Format, options: &mut ConvertOptions) {
        if is_map(to) && options.map_format.is_none() {
            options.map_format = Some(self.format_version().clamp(18, 40));
        }
    }

    fn rewrite_losses(&self, to: Format, options: &ConvertOptions) -> Losses {
        let mut losses = Losses::default();
        if is_map(to) {
            losses.approximated("", "the map is created again: its nodes get new ids, its editor the default settings");
            if let Some(version) = options.map_format.filter(|version| *version != self.format_version()) {
                losses.approximated("header", format!("format version {} becomes {version}", self.format_version()));
            }
        }
        losses
    }

    fn write_dump_parts(&self, out: &mut dyn Write, _layout: JsonLayout) -> io::Result<()> {
        dmx::write_graph_part(out, self.graph())
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let diff = mapwright_vmap::diff::Diff::between(self, super::same_type(other)?);
        Some(DocumentDiff::new("vmap", diff.is_empty(), diff))
    }

    fn metres_per_unit(&self) -> Option<f64> {
        Some(scene::METRES_PER_UNIT)
    }

    fn is_text(&self) -> bool {
        self.graph().header.encoding.is_text()
    }

    fn path_at(&self, offset: u64) -> Option<Path> {
        Some(self.graph().path_at(offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_io::Confidence;

    #[test]
    fn maps_are_recognized_by_their_header() {
        assert_eq!(mapwright_vmap::FORMAT, Format::Vmap.info());
        let sniff = |text: &[u8]| Format::Vmap.sniff(text);
        assert_eq!(sniff(b"<!-- dmx encoding keyvalues2 4 format vmap 40 -->"), Confidence::Certain);
        assert_eq!(sniff(b"<!-- dmx encoding binary 9 format pcf 2 -->\n\0"), Confidence::No);
    }
}
