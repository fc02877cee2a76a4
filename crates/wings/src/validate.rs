//! Findings about files that Wings 3D refuses, crashes on, cannot save or changes.
//!
//! The rules are those of the program's loader, consistency check and writer (2.2.9). They are often unexpected: a float as the
//! number of an object loads, but every save crashes; a face with two rings is valid. The checks work on terms instead of the
//! model, because Wings has its own rules for looking up properties.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic
    )
)]

mod area_light;
mod gb_tree;
mod geometry;
mod image;
mod light;
mod lookup;
mod material;
mod object;
mod report;
mod rings;
mod scene_props;
mod selection;
mod term_order;
mod view;

use std::collections::{HashMap, HashSet};

use mapwright_etf::{ListItem, Term};
use mapwright_io::{Finding, Space};

use crate::read::{ModelReader, SceneLists};
use crate::{Document, Model, Name, Shape};
use report::LoadOutcome::{Accepted, CrashOnLoad, Refused};
use report::{Location, Report};

impl Document {
    /// Checks how Wings 3D handles the file.
    ///
    /// An error is a part that Wings refuses, crashes on, cannot use or cannot save. A warning is a part that Wings reads
    /// differently, or drops on the next save. Other findings are notes. Findings of one kind in one object are counted, and only
    /// the first has a path. The most severe findings come first. At most 100 findings of one code are listed.
    ///
    /// | codes | severity | Wings |
    /// |---|---|---|
    /// | `version`, `not-a-list` | error | refuses the file |
    /// | `object-shape`, `vertex-malformed`, `edge-missing`, `face-shape`, `old-attribute-size`, `old-attribute-nan`, `hidden-type`, `hole-shape`, `state-shape`, `material-shape`, `material-colour`, `material-integer`, `material-map`, `material-old`, `material-name`, `image-shape`, `image-name`, `image-samples`, `image-duplicate`, `view-shape`, `view-key`, `view-unnamed`, `scene-prefs`, `light-shape`, `light-state`, `selection-shape` | error | crashes on loading |
    /// | `edge-one-face`, `id-negative`, `id-type`, `ring-broken` | error | loads an inconsistent object |
    /// | `vertex-range`, `hard-range`, `plugin-states-order`, `state-range`, `selection-range`, `selection-mode`, `palette-shape` | error | loads, and crashes on every save |
    /// | `hidden-count`, `vertex-unused`, `uv-partial`, `ring-split`, `hole-not-hidden`, `mirror-invalid`, `plugin-states`, `material-duplicate`, `material-unknown`, `image-dangling`, `image-size`, `prop-unknown`, `selection-object`, `selection-before-lights`, `group-duplicate`, `element-duplicate` | warning | loads, and drops or changes something |
    /// | `limits` | warning | unknown: the check stops at the memory limit of this crate |
    /// | `face-ids-sparse`, `face-list-length`, `face-two-corners`, `hard-unsorted`, `hole-material`, `default-material`, `image-absolute`, `attribute-ignored`, `colour-range`, `edge-length`, `inside-out`, `pieces`, `name-duplicate` | note | loads |
    ///
    /// The severity of a code may depend on the context: a selection group with missing elements is a warning, a live selection
    /// with them is an error. Findings about the encoding of the term are those of
    /// [`etf::Document::validate`](crate::etf::Document).
    pub fn validate(&self) -> Vec<Finding> {
        self.validate_with(&[])
    }

    /// Validates a document whose [`model`](Self::model) has been read already. Its meshes, the largest part of a file, are not
    /// read again.
    pub fn validate_model(&self, model: &Model) -> Vec<Finding> {
        self.validate_with(&model.shapes)
    }

    /// Shapes that `read` does not contain are read here.
    fn validate_with(&self, read: &[Shape]) -> Vec<Finding> {
        let mut report = Report::new(self);
        let root = Location::root(self.payload.tree().root());
        let reader = ModelReader::new(self);
        match reader.find_lists(root.term) {
            Err(error) => report.add_read_error(&root, &error),
            Ok(SceneLists { version: 2, shapes, materials: Some(materials), props: Some(props) }) => {
                let scene = Scene { reader, root, read, shapes, materials, props };
                scene.check_lists(&mut report);
            }
            Ok(SceneLists { version, .. }) => {
                let what = format!(
                    "format version {version}, which Wings 3D has refused since 2003; write the model to a new document"
                );
                report.add(&root, "version", Refused, what);
            }
        }
        report.finish()
    }
}

/// The three lists of a scene.
struct Scene<'d> {
    reader: ModelReader<'d>,
    root: Location<'d, 'd>,
    /// The shapes that have been read already.
    read: &'d [Shape],
    shapes: Term<'d>,
    materials: Term<'d>,
    props: Term<'d>,
}

impl<'d> Scene<'d> {
    fn check_lists(&self, report: &mut Report<'d>) {
        let lists = [("shapes", self.shapes), ("materials", self.materials), ("props", self.props)];
        let mut proper = true;
        for (name, list) in lists {
            if lookup::proper(list).is_none() {
                report.add(&self.root.field(name, list), "not-a-list", CrashOnLoad, "this is not a proper list");
                proper = false;
            }
        }
        if !proper {
            return;
        }
        let images = image::check(report, &self.root.field("props", self.props));
        let mut names = self.find_material_names();
        let facts = self.check_objects(report, &mut names);
        material::check(report, &self.root.field("materials", self.materials), &images, &names);
        scene_props::check(report, &self.root.field("props", self.props), &facts, lookup::items(self.shapes).count());
    }

    fn find_material_names(&self) -> MaterialNames<'d> {
        let mut known = HashMap::new();
        for (index, item) in lookup::items(self.materials).enumerate() {
            if let Some([name, props]) = lookup::pair(item) {
                let named = Named { index, props: props.as_bytes(), is_used: false };
                known.entry(Name::from_atom(name)).or_insert(named);
            }
        }
        MaterialNames { known, uses_default: false }
    }

    fn check_objects(&self, report: &mut Report<'d>, names: &mut MaterialNames<'d>) -> Vec<object::ObjectFacts> {
        let shapes = self.root.field("shapes", self.shapes);
        let mut seen = HashSet::new();
        let mut repeated = report::Tally::default();
        let mut facts = Vec::new();
        for (index, item) in lookup::items(self.shapes).enumerate() {
            let ListItem::Term(term) = item else {
                report.add(
                    &shapes.index(index, self.shapes),
                    "object-shape",
                    CrashOnLoad,
                    "expected an object, found a number",
                );
                continue;
            };
            let location = shapes.index(index, term);
            let read = self.read.get(index).and_then(Shape::as_object);
            match object::check(report, &self.reader, &location, (index, read), names) {
                Ok(object) => {
                    if !seen.insert(Name::from_string(object.name)) {
                        repeated.count(index);
                    }
                    facts.push(object.facts);
                }
                Err(error) => report.add_read_error(&location, &error),
            }
        }
        report.add_tally(&shapes, repeated, "name-duplicate", Accepted, "an earlier object has the same name");
        facts
    }
}

/// Names of materials.
struct MaterialNames<'d> {
    /// Materials of the file, by name. If several have one name, the first one.
    known: HashMap<Name, Named<'d>>,
    /// `true` if a face has no material.
    uses_default: bool,
}

/// A material of the file.
struct Named<'d> {
    index: usize,
    props: &'d [u8],
    /// `true` if a face has the material.
    is_used: bool,
}

/// Returns the findings about the term, with offsets in the file.
fn term_findings(document: &Document) -> impl Iterator<Item = Finding> {
    document.payload.validate().into_iter().map(|mut finding| {
        if let Some(at) = finding.at.as_mut().filter(|at| at.space == Space::File) {
            at.offset = at.offset.saturating_add(crate::document::HEADER);
        }
        finding
    })
}
