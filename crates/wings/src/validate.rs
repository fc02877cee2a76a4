//! What Wings 3D will make of a file: where it refuses or crashes, what it cannot save, what it drops.
//!
//! The rules are those of the program's own loader, consistency check and writer (2.2.9), which are stricter and laxer than
//! one would think: a float for an object's number loads and then crashes every save, a face of two rings is fine. The
//! checks go over the terms and not over the model, because Wings looks properties up in its own way.

mod area;
mod geometry;
mod image;
mod light;
mod material;
mod object;
mod order;
mod prop;
mod props;
mod report;
mod rings;
mod selection;
mod tree;
mod view;

use std::collections::{HashMap, HashSet};

use mapwright_etf::{ListItem, Term};
use mapwright_io::{Finding, Space};

use crate::read::{ModelReader, Parts};
use crate::{Document, Model, Name, Shape};
use report::{Fate, Place, Report};

impl Document {
    /// Reports what Wings 3D will stumble over or change, with its place.
    ///
    /// Errors are what Wings refuses, crashes on, cannot use or cannot save; warnings what it loads otherwise than it
    /// stands there or drops on the next save; notes the rest. Of many places of one kind in one object the first is named
    /// and the others are counted. The worst come first; at most 100 findings of one code are listed one by one.
    ///
    /// | codes | severity | Wings |
    /// |---|---|---|
    /// | `version`, `not-a-list` | error | refuses the file |
    /// | `object-shape`, `vertex-malformed`, `edge-missing`, `face-shape`, `old-attribute-size`, `old-attribute-nan`, `hidden-type`, `hole-shape`, `state-shape`, `material-shape`, `material-colour`, `material-integer`, `material-map`, `material-old`, `material-name`, `image-shape`, `image-name`, `image-samples`, `image-duplicate`, `view-shape`, `view-key`, `view-unnamed`, `scene-prefs`, `light-shape`, `light-state`, `selection-shape` | error | crashes on loading |
    /// | `edge-one-face`, `id-negative`, `id-type`, `ring-broken` | error | loads an inconsistent object |
    /// | `vertex-range`, `hard-range`, `plugin-states-order`, `state-range`, `selection-range`, `selection-mode`, `palette-shape` | error | loads, and crashes on every save |
    /// | `hidden-count`, `vertex-unused`, `uv-partial`, `ring-split`, `hole-not-hidden`, `mirror-invalid`, `plugin-states`, `material-duplicate`, `material-unknown`, `image-dangling`, `image-size`, `prop-unknown`, `selection-object`, `selection-before-lights`, `group-duplicate` | warning | loads, and drops or changes something |
    /// | `limits` | warning | not known: this crate takes no more memory for so many empty entries |
    /// | `face-ids-sparse`, `face-list-length`, `face-two-corners`, `hard-unsorted`, `hole-material`, `default-material`, `image-absolute`, `attribute-ignored`, `colour-range`, `edge-length`, `inside-out`, `pieces`, `name-duplicate` | note | loads |
    ///
    /// A code may come with another severity where the circumstances differ: a selection group of missing elements is a
    /// warning, a live selection of them an error. Findings about the encoding of the term are those of
    /// [`etf::Document::validate`](crate::etf::Document).
    pub fn validate(&self) -> Vec<Finding> {
        self.check(&[])
    }

    /// As [`validate`](Self::validate), for who has read the [`model`](Self::model) of this document already: meshes,
    /// most of a file, are not read once more.
    pub fn validate_model(&self, model: &Model) -> Vec<Finding> {
        self.check(&model.shapes)
    }

    /// Shapes beyond those that have been read are read here.
    fn check(&self, read: &[Shape]) -> Vec<Finding> {
        let mut report = Report::new(self);
        let root = Place::root(self.payload.tree().root());
        let reader = ModelReader::new(self);
        match reader.parts(root.term) {
            Err(error) => report.error(&root, &error),
            Ok(Parts { version: 2, shapes, materials: Some(materials), props: Some(props) }) => {
                let scene = Scene { reader, root, read, shapes, materials, props };
                scene.check(&mut report);
            }
            Ok(Parts { version, .. }) => {
                let what = format!("Wings 3D has refused files of version {version} since 2003; write the model anew");
                report.add(&root, "version", Fate::Refused, what);
            }
        }
        report.finish()
    }
}

/// The three lists of a scene.
struct Scene<'d> {
    reader: ModelReader<'d>,
    root: Place<'d, 'd>,
    /// What has been read of the shapes.
    read: &'d [Shape],
    shapes: Term<'d>,
    materials: Term<'d>,
    props: Term<'d>,
}

impl<'d> Scene<'d> {
    fn check(&self, report: &mut Report<'d>) {
        let lists = [("shapes", self.shapes), ("materials", self.materials), ("props", self.props)];
        let mut proper = true;
        for (name, list) in lists {
            if prop::proper(list).is_none() {
                report.add(&self.root.field(name, list), "not-a-list", Fate::Load, "this is no proper list");
                proper = false;
            }
        }
        if !proper {
            return;
        }
        let images = image::check(report, &self.root.field("props", self.props));
        let mut names = self.material_names();
        let facts = self.objects(report, &mut names);
        material::check(report, &self.root.field("materials", self.materials), &images, &names);
        props::check(report, &self.root.field("props", self.props), &facts, prop::items(self.shapes).count());
    }

    fn material_names(&self) -> MaterialNames<'d> {
        let mut known = HashMap::new();
        for (index, item) in prop::items(self.materials).enumerate() {
            if let Some([name, props]) = prop::pair(item) {
                let named = Named { index, props: props.as_bytes(), is_used: false };
                known.entry(Name::from_atom(name)).or_insert(named);
            }
        }
        MaterialNames { known, uses_default: false }
    }

    fn objects(&self, report: &mut Report<'d>, names: &mut MaterialNames<'d>) -> Vec<object::Facts> {
        let shapes = self.root.field("shapes", self.shapes);
        let mut seen = HashSet::new();
        let mut repeated = report::Tally::default();
        let mut facts = Vec::new();
        for (index, item) in prop::items(self.shapes).enumerate() {
            let ListItem::Term(term) = item else {
                report.add(&shapes.index(index, self.shapes), "object-shape", Fate::Load, "a number is no object");
                continue;
            };
            let place = shapes.index(index, term);
            let read = self.read.get(index).and_then(Shape::as_object);
            match object::check(report, &self.reader, &place, (index, read), names) {
                Ok(object) => {
                    if !seen.insert(Name::from_string(object.name)) {
                        repeated.count(index);
                    }
                    facts.push(object.facts);
                }
                Err(error) => report.error(&place, &error),
            }
        }
        report.many(&shapes, repeated, "name-duplicate", Fate::Note, "an object before this one has the same name");
        facts
    }
}

/// Names of materials.
struct MaterialNames<'d> {
    /// Those of the file, each with the first material that has it.
    known: HashMap<Name, Named<'d>>,
    /// Whether some face has no name of a material.
    uses_default: bool,
}

/// A material of the file.
struct Named<'d> {
    index: usize,
    props: &'d [u8],
    /// Whether faces have it.
    is_used: bool,
}

/// Moves the findings about the term to where they stand in the file.
fn payload(document: &Document) -> impl Iterator<Item = Finding> {
    document.payload.validate().into_iter().map(|mut finding| {
        if let Some(at) = finding.at.as_mut().filter(|at| at.space == Space::File) {
            at.offset = at.offset.saturating_add(crate::document::HEADER);
        }
        finding
    })
}
