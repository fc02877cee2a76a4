//! A changed [`Model`] into the [`Document`] it came from: only the bytes that say something else change.

use mapwright_etf::{Builder, Edit, List, Profile, Term, Tree, Value};
use mapwright_io::{Error, Position};

use super::entries::{Edges, Entries, Faces, Materials, Props, Shapes, Vertices};
use super::model::{Extras, emit_hard_edges};
use crate::document::value_tree;
use crate::read::ModelReader;
use crate::{Document, ExtraOf, Model, Object, PropList, WingedMesh, WriteError, WriteErrorKind};

impl Document {
    /// Puts a changed model into the document. What the model says as before keeps its bytes, odd spellings and orders
    /// included; what is new is spelled in the profile of the document. `set_model(&model()?)` changes nothing.
    ///
    /// # Errors
    /// When something cannot be spelled, and for changes to documents of versions 0 and 1: make a new document of the
    /// model with [`from_model`](Self::from_model).
    pub fn set_model(&mut self, model: &Model) -> Result<(), WriteError> {
        let old = self.model().map_err(|error| error.map_kind(WriteErrorKind::Read))?;
        if old.version != 2 {
            let kind = WriteErrorKind::OldVersion(old.version);
            return if old == *model { Ok(()) } else { Err(Error::new(kind, Position::file(0))) };
        }
        let root = self.payload.tree().root();
        let parts = ModelReader::new(self).parts(root).map_err(|error| error.map_kind(WriteErrorKind::Read))?;
        let mut put = Put { edit: Edit::new(self.payload.tree()), profile: Profile::of(root) };
        put.entries(&Shapes, parts.shapes, &old.shapes, &model.shapes)?;
        if let Some(materials) = parts.materials {
            put.entries(&Materials, materials, &old.materials, &model.materials)?;
        }
        if let Some(props) = parts.props {
            put.props(props, &old.props, &model.props)?;
        }
        let tree = put.edit.apply().map_err(|error| error.map_kind(Into::into))?;
        self.payload.set_tree(tree);
        Ok(())
    }
}

/// Collects the changes of one document.
pub(super) struct Put<'d> {
    pub(super) edit: Edit<'d>,
    profile: Profile,
}

impl<'d> Put<'d> {
    /// Changes the entries of a list that are not the same any more. If their number differs, the list is written anew,
    /// with the bytes of those at its beginning and its end that are as they were.
    pub(super) fn entries<E: Entries>(
        &mut self,
        kind: &E,
        list: Term<'d>,
        old: &[E::Item],
        new: &[E::Item],
    ) -> Result<(), WriteError> {
        let terms = list.as_list().and_then(List::terms).unwrap_or_default();
        if old.len() == new.len() {
            let mut changed =
                old.iter().zip(new).enumerate().filter(|(index, (old, new))| !kind.same(*index, old, new));
            if terms.len() == old.len() {
                return changed.try_for_each(|(index, (old, new))| match terms.get(index) {
                    Some(term) => kind.change(self, index, *term, old, new),
                    None => Ok(()),
                });
            }
            if changed.next().is_none() {
                return Ok(());
            }
        }
        let unmoved = |(old, new): &(&E::Item, &E::Item)| kind.same_elsewhere(old, new);
        let prefix = old.iter().zip(new).take_while(unmoved).count();
        let room = old.len().min(new.len()).saturating_sub(prefix);
        let suffix = old.iter().rev().zip(new.iter().rev()).take(room).take_while(unmoved).count();
        let mut term = Builder::new(self.profile);
        term.begin_list();
        for (index, entry) in new.iter().enumerate() {
            let from_end = new.len().saturating_sub(index);
            let place = match index {
                _ if index < prefix => Some(index),
                _ if from_end <= suffix => old.len().checked_sub(from_end),
                _ => None,
            };
            match place.and_then(|place| terms.get(place)) {
                Some(kept) => term.copy(*kept),
                None => kind.emit(&mut term, index, entry),
            }
        }
        term.end_list();
        let tree = term.finish().map_err(|error| error.map_kind(Into::into))?;
        self.edit.replace(list, &tree);
        Ok(())
    }

    pub(super) fn object(&mut self, parts: [Term<'d>; 4], old: &Object, new: &Object) -> Result<(), WriteError> {
        let [_, name, mesh, props] = parts;
        if old.name != new.name {
            self.replace(name, |term| new.name.emit_string(term))?;
        }
        if let Some([_, edges, faces, vertices, hard]) = mesh.as_tuple_of() {
            self.mesh([edges, faces, vertices, hard], &old.mesh, &new.mesh)?;
        }
        self.props(props, &old.props, &new.props)
    }

    fn mesh(&mut self, parts: [Term<'d>; 4], old: &WingedMesh, new: &WingedMesh) -> Result<(), WriteError> {
        let [edges, faces, vertices, hard] = parts;
        let extras = (Extras::new(&old.extras), Extras::new(&new.extras));
        let both = (&extras.0, &extras.1);
        self.entries(&Edges(both), edges, &old.edges, &new.edges)?;
        self.entries(&Faces(both), faces, &old.faces, &new.faces)?;
        self.entries(&Vertices(both), vertices, &old.vertices, &new.vertices)?;
        if old.hard_edges != new.hard_edges || both.0.all(ExtraOf::HardEdge) != both.1.all(ExtraOf::HardEdge) {
            self.replace(hard, |term| emit_hard_edges(term, new))?;
        }
        Ok(())
    }

    pub(super) fn props(&mut self, list: Term<'d>, old: &PropList, new: &PropList) -> Result<(), WriteError> {
        self.entries(&Props, list, &old.items, &new.items)
    }

    /// Puts a new term in the place of an old one.
    pub(super) fn replace(&mut self, term: Term<'d>, emit: impl FnOnce(&mut Builder)) -> Result<(), WriteError> {
        let mut new = Builder::new(self.profile);
        emit(&mut new);
        let tree = new.finish().map_err(|error| error.map_kind(Into::into))?;
        self.edit.replace(term, &tree);
        Ok(())
    }

    /// Changes those terms inside an old term that say something else in a new one.
    pub(super) fn diff(&mut self, old: Term<'d>, new: &Tree) -> Result<(), WriteError> {
        let mut pairs = vec![(old, new.root())];
        while let Some((old, new)) = pairs.pop() {
            if old.as_bytes() == new.as_bytes() {
                continue;
            }
            match (inside(old), inside(new)) {
                (Some(a), Some(b)) if a.len() == b.len() => pairs.extend(a.into_iter().zip(b)),
                (None, None) if value_tree(old) == value_tree(new) => {}
                _ => self.replace(old, |term| term.recode(new))?,
            }
        }
        Ok(())
    }
}

/// The elements of a tuple, or of a list that holds terms.
fn inside(term: Term<'_>) -> Option<Vec<Term<'_>>> {
    match term.value() {
        Value::Tuple(elements) => Some(elements.collect()),
        Value::List(list) => list.terms().filter(|terms| !terms.is_empty()),
        _ => None,
    }
}
