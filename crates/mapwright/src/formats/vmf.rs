//! Source 1 maps.

mod entities;
mod source2;
mod summary;

use std::borrow::Cow;
use std::io::{self, Write};

use mapwright_fgd::Definitions;
use mapwright_io::Finding;
use mapwright_query::{EditObjects, Objects};
use mapwright_scene::{FileSource, Files, Import, Losses, Scene};
use mapwright_vmf::scene;
use mapwright_vmf::{Document, ReadOptions as VmfOptions};

use super::{FormatEntry, single_file};
use crate::convert::Contents;
use crate::diff::DocumentDiff;
use crate::document::{FormatDocument, document_access};
use crate::info::Summary;
use crate::json::JsonLayout;
use crate::{Axis, Conversion, ConvertOptions, Error, FilesBeside, Format, ReadOptions};

pub use summary::{VmfInfo, VmfTotals};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    imports: true,
    is_drawn: true,
    has_hidden_nodes: true,
    has_code_pages: true,
    axes: Some("right-handed, Z up, inches"),
    compared_content: Some("settings, entities with their keys and outputs, solids with their sides"),
    up: Some(Axis::Z),
    game_unit: Some(scene::METRES_PER_UNIT),
    axis_change: scene::AXES,
    dump_schema: Some(include_str!("../../schemas/vmf.schema.json")),
    capabilities: Some(scene::capabilities),
    sniff: mapwright_vmf::sniff,
    read: |bytes, _, options| {
        let options = read_options(options);
        let document = match bytes {
            Cow::Owned(bytes) => Document::from_vec_with(bytes, &options)?,
            Cow::Borrowed(bytes) => Document::from_bytes_with(bytes, &options)?,
        };
        Ok(document.into())
    },
    read_dump: Some(|dump, _| Ok(dump.part::<Document>("map")?.into())),
    write_scene: Some(write_scene),
    adapt_scene: source2::adapt_scene,
    #[cfg(feature = "textures")]
    loader: Some(|_, _, _| Box::new(mapwright_content::resolve::Source1::default())),
    has_content_beside: true,
    ..FormatEntry::BASE
};

document_access!(Document, "a Source 1 map", as_vmf, as_vmf_mut, into_vmf);

fn read_options(options: &ReadOptions) -> VmfOptions {
    let usual = VmfOptions::default();
    let depth = options.limits.max_depth.min(usual.limits.max_depth);
    usual.with_limits(options.limits.clone().with_max_depth(depth))
}

/// Writes a scene as a map.
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

impl FormatDocument for Document {
    fn format(&self) -> Format {
        Format::Vmf
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.validate()
    }

    fn validate_entities(&self, definitions: &Definitions<'_>, _files: &FilesBeside) -> Option<Vec<Finding>> {
        Some(entities::validate(self, definitions))
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        Summary::new().with("vmf", &VmfInfo::new(self))
    }

    fn to_scene(&self, _options: &ConvertOptions) -> Result<Import, Error> {
        Ok(scene::to_scene(self, &Default::default())?)
    }

    fn merge_scene(&mut self, scene: &Scene) -> Result<Losses, Error> {
        Ok(scene::merge_scene(self, scene, &Default::default())?)
    }

    fn converts_directly(&self, to: Format, _options: &ConvertOptions) -> Result<bool, Error> {
        Ok(to == Format::Vmf)
    }

    /// Writes the same map.
    fn convert_directly(self: Box<Self>, _to: Format, _options: &ConvertOptions) -> Result<Conversion, Error> {
        let (nodes, meshes) = (self.entities().count(), self.solids().count());
        let source = Contents { nodes, meshes, ..Contents::default() };
        Ok(Conversion::new((*self).to_bytes()?, Losses::default(), source))
    }

    fn rewrite_losses(&self, to: Format, _options: &ConvertOptions) -> Losses {
        let mut losses = Losses::default();
        if to == Format::Vmf {
            losses
                .approximated("", "the map is created again: its objects get new ids, its editor the default settings");
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
        out.write_all(b",\"map\":")?;
        serde_json::to_writer(out, self).map_err(Into::into)
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let diff = mapwright_vmf::diff::Diff::between(self, super::same_type(other)?);
        Some(DocumentDiff::new("vmf", diff.is_empty(), diff))
    }

    fn metres_per_unit(&self) -> Option<f64> {
        Some(scene::METRES_PER_UNIT)
    }

    fn is_text(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_names_of_the_format() {
        assert_eq!(mapwright_vmf::FORMAT, Format::Vmf.info());
    }
}
