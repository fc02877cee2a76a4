//! The objects of any document.

use std::borrow::Cow;
use std::collections::BTreeSet;

use mapwright_query::{EditObjects, Fields, Objects, Vocabulary};
use mapwright_scene::{AxisChange, Scene};

use super::items::{all_items, item_schema};
use crate::{AnyDocument, Error};

/// The objects of a document: its records, or the nodes and instances of its scene.
#[derive(Debug)]
pub struct DocumentObjects {
    source: Source,
}

#[derive(Debug)]
enum Source {
    Records(Box<AnyDocument>),
    Scene(Box<Scene>, AxisChange),
}

impl AnyDocument {
    /// Returns the objects of the document, which queries select and edits change.
    ///
    /// # Errors
    /// As [`into_scene`](Self::into_scene), for documents whose objects are those of their scene.
    pub fn into_objects(self) -> Result<DocumentObjects, Error> {
        let source = match self.records() {
            Some(_) => Source::Records(Box::new(self)),
            None => {
                let axes = self.format().axis_change();
                Source::Scene(Box::new(self.into_scene()?.scene), axes)
            }
        };
        Ok(DocumentObjects { source })
    }

    /// Returns the records of a document whose format has fields of its own.
    pub(crate) fn records(&self) -> Option<&dyn Objects> {
        self.as_format_document().objects()
    }

    /// Returns the records of a document whose format has edits of its own.
    pub(crate) fn records_mut(&mut self) -> Option<&mut dyn EditObjects> {
        self.as_format_document_mut().objects_mut()
    }
}

impl Objects for DocumentObjects {
    fn vocabulary(&self) -> Vocabulary {
        match &self.source {
            Source::Records(document) => document.records().map(Objects::vocabulary).unwrap_or_default(),
            Source::Scene(scene, axes) => scene_vocabulary(scene, *axes),
        }
    }

    fn visit(&self, visitor: &mut dyn FnMut(&dyn Fields)) {
        match &self.source {
            Source::Records(document) => document.records().into_iter().for_each(|records| records.visit(visitor)),
            Source::Scene(scene, axes) => all_items(scene, *axes).for_each(|item| visitor(&item)),
        }
    }
}

/// Returns the fields that the objects of a scene have.
pub(crate) fn scene_vocabulary(scene: &Scene, axes: AxisChange) -> Vocabulary {
    let mut keys = BTreeSet::new();
    for item in all_items(scene, axes) {
        keys.extend(item.keys());
    }
    Vocabulary::new([item_schema(axes)]).with_free_keys(keys.into_iter().map(Cow::Borrowed))
}
