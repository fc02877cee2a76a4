//! Checks documents.

mod attributes;
mod cells;
mod maps;
mod tilesets;

use std::fmt;

use mapwright_io::{Finding, Findings, Frame, Path, Severity};

use crate::document::{Document, Item, ItemKind};

pub(crate) use attributes::is_valid;

impl Document {
    /// Finds values that Tiled rejects, ignores or changes.
    ///
    /// | code | severity | finding |
    /// |---|---|---|
    /// | `attribute-invalid` | warning | an attribute has a value of another type; Tiled uses the default |
    /// | `attribute-unknown`, `element-unknown` | note | Tiled does not know an attribute, key or element, and drops it when it saves |
    /// | `orientation-unknown` | error | the map has no orientation, or an unknown one |
    /// | `cells-invalid` | error | the cells of a layer cannot be decoded |
    /// | `cells-unchecked` | note | the cells exceed the limits with which the document was read |
    /// | `cells-missing` | warning | a layer of cells has none |
    /// | `chunks-unexpected` | warning | a map that is not infinite has chunks |
    /// | `gid-unknown` | warning | a cell or object has a tile of no tileset |
    /// | `firstgid-invalid` | error | the first global id of a tileset is missing or 0, or another tileset has it |
    /// | `firstgid-order` | warning | tilesets are not in the order of their global ids |
    /// | `tileset-after-layer` | error | a tileset comes after a layer, which then has unknown tiles |
    /// | `tileset-nested` | error | a file with a tileset refers to another file |
    /// | `tile-duplicate` | warning | a tileset has two tiles with one id |
    /// | `tile-unknown` | warning | an animation or a Wang set refers to a tile that its tileset does not have |
    /// | `wangid-invalid` | warning | the colours of a tile in a Wang set are not eight numbers of colours |
    /// | `id-duplicate` | warning | two layers or two objects have one id |
    /// | `id-missing` | note | an object has no id |
    /// | `next-id-low` | note | the id of the next layer or object is already used |
    /// | `object-unknown` | warning | a property refers to an object that the map does not have |
    /// | `points-invalid` | warning | a polygon or polyline has invalid points, or fewer than two |
    /// | `template-nested`, `template-empty` | error | a template uses a template, or has no object |
    /// | `path-backslash`, `path-absolute` | warning | a path has backslashes, or is only valid on one computer |
    ///
    /// At most 100 findings of each code are listed individually.
    pub fn validate(&self) -> Vec<Finding> {
        let mut report = Report::default();
        attributes::check(self, &mut report);
        if let Some(map) = self.as_map() {
            maps::check(map, &mut report);
        }
        if let Some(tileset) = self.as_tileset() {
            if let Some(source) = tileset.item().get("source") {
                report.error("tileset-nested", source, "a file with a tileset refers to another file");
            }
            tilesets::check(tileset, &mut report);
        }
        if let Some(template) = self.as_template() {
            match template.object().map(|object| object.item().get("template")) {
                None => report.error("template-empty", template.item(), "the template has no object"),
                Some(Some(nested)) => report.error("template-nested", nested, "a template uses another template"),
                Some(None) => {}
            }
        }
        report.findings.finish()
    }
}

#[derive(Default)]
struct Report {
    findings: Findings,
}

impl Report {
    fn add(&mut self, code: &'static str, severity: Severity, item: Item<'_>, message: impl fmt::Display) {
        if let Some(finding) = self.findings.add(code, severity, message) {
            (finding.path, finding.at) = (path_of(item), Some(item.position()));
        }
    }

    fn error(&mut self, code: &'static str, item: Item<'_>, message: impl fmt::Display) {
        self.add(code, Severity::Error, item, message);
    }

    fn warning(&mut self, code: &'static str, item: Item<'_>, message: impl fmt::Display) {
        self.add(code, Severity::Warning, item, message);
    }

    fn note(&mut self, code: &'static str, item: Item<'_>, message: impl fmt::Display) {
        self.add(code, Severity::Note, item, message);
    }
}

/// Returns the path of an item below the root: names of elements, attributes and keys, and indices among elements of the same name or in
/// arrays. Takes time in proportion to the document.
pub(crate) fn path_of(item: Item<'_>) -> Path {
    let mut frames = Vec::new();
    let mut around = item.document().root();
    while around != item {
        let is_inside = |child: &Item<'_>| (child.index()..child.node().next as usize).contains(&item.index());
        let Some(child) = around.items().find(is_inside) else { break };
        let name = child.name().into_owned();
        let before = || around.items().take_while(|other| *other != child);
        match child.kind() {
            ItemKind::Element => {
                let index = before().filter(|other| other.kind() == ItemKind::Element && other.is(&name)).count();
                frames.extend([Frame::Name(name), Frame::Index(index)]);
            }
            _ if around.kind() == ItemKind::Array => frames.push(Frame::Index(before().count())),
            _ => frames.push(Frame::Name(name)),
        }
        around = child;
    }
    frames.into_iter().collect()
}
