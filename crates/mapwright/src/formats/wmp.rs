//! Gamestudio maps.

pub(crate) mod edits;
mod hidden_faces;
mod summary;

use std::borrow::Cow;
use std::io::{self, Write};

#[cfg(feature = "textures")]
use mapwright_content::{ContentSource, Outcome, ReferenceKind, ResolveReport};
use mapwright_io::Finding;
use mapwright_query::{EditObjects, Objects};
use mapwright_scene::{FileSource, Files, Import, Losses, Scene};
use mapwright_wmp::scene::{self, Form};
use mapwright_wmp::{Dialect, Document, EntityKind, Export, ReadOptions as WmpOptions};

use super::{FormatEntry, single_file};
use crate::convert::Contents;
use crate::diff::DocumentDiff;
use crate::document::{FormatDocument, document_access};
use crate::info::Summary;
use crate::json::JsonLayout;
use crate::{Axis, Conversion, ConvertOptions, Error, FilesBeside, Format, Listing, ReadOptions};

pub use summary::{WmpInfo, WmpLevel};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    imports: true,
    is_drawn: true,
    has_code_pages: true,
    axes: Some("right-handed, Z up, quants"),
    compared_content: Some("settings, groups, blocks and entities, even between dialects"),
    up: Some(Axis::Z),
    axis_change: scene::AXES,
    dump_schema: Some(include_str!("../../schemas/wmp.schema.json")),
    capabilities: Some(scene::capabilities),
    sniff: mapwright_wmp::sniff,
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
    adapt_scene,
    list: Some(list),
    #[cfg(feature = "textures")]
    loader: Some(|scene, level, _| Box::new(mapwright_content::resolve::Gamestudio::new(scene, level))),
    has_content_beside: true,
    ..FormatEntry::BASE
};

document_access!(Document, "a Gamestudio map", as_wmp, as_wmp_mut, into_wmp);

/// Changes a scene of a map for a target.
fn adapt_scene(scene: &mut Scene, to: Format, options: &ConvertOptions, losses: &mut Losses) {
    hidden_faces::separate_hidden_faces(scene, to, options, losses);
    #[cfg(feature = "map")]
    if to == Format::Map {
        super::map::adapt_gamestudio_map(scene, losses);
    }
}

fn read_options(options: &ReadOptions) -> WmpOptions {
    WmpOptions::default().with_limits(options.limits.clone())
}

/// Writes a scene as a map. Dialects other than 710 and WMPB are converted from 710.
fn write_scene(
    scene: &mut Scene,
    _to: Format,
    _files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let form = if options.dialect == Some(Dialect::Binary) { Form::Binary } else { Form::Text };
    let writing = scene::ExportOptions::default().with_form(form).with_max_bytes(options.max_output);
    let export = scene::from_scene(scene, &writing)?;
    let (mut map, mut losses) = (export.document, export.losses);
    if let Some(dialect) = options.dialect {
        let converted = map.convert(dialect);
        map = converted.document;
        losses.append(converted.losses);
    }
    Ok((single_file(map.to_bytes()?), losses))
}

/// Names the WAD of the build after the file, as the editor does. Binary maps do not store it.
fn name_wad(map: &mut Document, dialect: Dialect, stem: &str) -> Losses {
    let mut losses = Losses::default();
    let entities = map.entities.iter_mut().filter(|_| dialect == Dialect::Resolved);
    for entity in entities {
        if !matches!(&entity.kind, EntityKind::Level(level) if level.wad.is_empty()) {
            continue;
        }
        if let EntityKind::Level(level) = &mut entity.kind {
            level.wad = format!("{stem}.$$w").as_str().into();
            losses.synthesized("level", format!("the WAD of the build, {stem}.$$w"));
        }
    }
    losses
}

fn list(listing: &mut Listing, start: &[u8], options: &ReadOptions) -> Result<(), Error> {
    let map = Document::from_bytes_with(start, &read_options(options))?;
    listing.variant = Some(map.dialect.name().to_owned());
    listing.date = Some(map.header.created.to_string());
    listing.objects = Some((map.blocks.len() + map.entities.len()) as u64);
    Ok(())
}

/// Writes a Gamestudio map as JSON that contains everything in it: [`AnyDocument::from_dump`](crate::AnyDocument::from_dump) restores the same file.
///
/// Fields have the names of the document. A number is a number, or text if its formatting is preserved, or its bits if it is not finite:
/// `"0x7ff8000000000001"`. Texts and bytes are encoded as by [`escape_bytes`](mapwright_io::escape_bytes). A map with other formatting
/// than that of its editor contains its file as `source`.
///
/// # Errors
/// Errors of the writer.
pub fn write_map_json(out: &mut dyn Write, map: &Document) -> io::Result<()> {
    serde_json::to_writer(out, map).map_err(Into::into)
}

impl FormatDocument for Document {
    fn format(&self) -> Format {
        Format::Wmp
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.validate()
    }

    /// Adds the script, and the file of the palette if it exists: the level has the colours, too.
    #[cfg(feature = "textures")]
    fn list_other_files(&self, files: &ContentSource, _max_bytes: usize, report: &mut ResolveReport) {
        for part in self.entities.iter().filter(|_| !files.is_empty()) {
            let EntityKind::Level(level) = &part.kind else { continue };
            for (file, is_optional) in [(&level.script, false), (&level.palette, true)] {
                let name = file.to_string();
                let found = name.rsplit(['/', '\\']).next().and_then(|name| files.find_name(name));
                if !name.is_empty() && (found.is_some() || !is_optional) {
                    let outcome = found.map_or(Outcome::Missing, |file| Outcome::Found(file.path().to_owned()));
                    report.add(ReferenceKind::Other, &name, outcome);
                }
            }
        }
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        Summary::new().with("wmp", &WmpInfo::new(self))
    }

    fn to_scene(&self, _options: &ConvertOptions) -> Result<Import, Error> {
        Ok(scene::to_scene(self, &Default::default())?)
    }

    fn merge_scene(&mut self, scene: &Scene) -> Result<Losses, Error> {
        Ok(scene::merge_scene(self, scene, &Default::default())?)
    }

    fn converts_directly(&self, to: Format, _options: &ConvertOptions) -> Result<bool, Error> {
        Ok(to == Format::Wmp)
    }

    /// Writes the same map, in another dialect if the options name one.
    fn convert_directly(mut self: Box<Self>, _to: Format, options: &ConvertOptions) -> Result<Conversion, Error> {
        let (main, losses) = match options.dialect {
            None => ((*self).to_bytes()?, Losses::default()),
            Some(dialect) => {
                let named = name_wad(&mut self, dialect, &options.stem);
                let Export { document, mut losses } = self.convert(dialect);
                losses.append(named);
                (document.to_bytes()?, losses)
            }
        };
        let source = Contents { nodes: self.objects.len(), meshes: self.blocks.len(), ..Contents::default() };
        Ok(Conversion::new(main, losses, source))
    }

    fn inherit_options(&self, to: Format, options: &mut ConvertOptions) {
        if to == Format::Wmp {
            options.dialect.get_or_insert(self.dialect);
        }
    }

    fn rewrite_losses(&self, to: Format, _options: &ConvertOptions) -> Losses {
        let mut losses = Losses::default();
        if to == Format::Wmp {
            losses.approximated("", "the map is created again: comments are gone, its objects get new numbers");
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
        write_map_json(out, self)
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let diff = mapwright_wmp::diff::Diff::between(self, super::same_type(other)?);
        Some(DocumentDiff::new("map", diff.is_empty(), diff))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_names_of_the_format() {
        assert_eq!(mapwright_wmp::FORMAT, Format::Wmp.info());
    }
}
