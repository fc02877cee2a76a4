//! Changed [`Model`] → its [`Document`]. Unchanged terms keep their bytes.

use mapwright_etf::{Edit, WriterProfile};
use mapwright_io::Error;

use super::check::check_model;
use super::edits::Edits;
use super::lists::{Materials, Shapes};
use crate::read::ModelReader;
use crate::{Document, Model, WriteError, WriteErrorKind};

impl Document {
    /// Writes a changed model into the document. Unchanged parts keep their bytes, including unusual encodings and orders. New
    /// parts are encoded like the rest of the document. `set_model(&model()?)` changes nothing.
    ///
    /// # Errors
    /// If a value cannot be encoded, and for changes to documents of versions 0 and 1. Create a new document with
    /// [`from_model`](Self::from_model) for those.
    pub fn set_model(&mut self, model: &Model) -> Result<(), WriteError> {
        let old = self.model().map_err(|error| error.map_kind(WriteErrorKind::Read))?;
        if old.version != 2 {
            let kind = WriteErrorKind::OldVersion(old.version);
            return if old == *model { Ok(()) } else { Err(Error::without_position(kind)) };
        }
        check_model(model)?;
        let root = self.payload.tree().root();
        let parts = ModelReader::new(self).find_lists(root).map_err(|error| error.map_kind(WriteErrorKind::Read))?;
        let mut edits = Edits { edit: Edit::new(self.payload.tree()), profile: WriterProfile::for_term(root) };
        edits.change_list(&Shapes, parts.shapes, &old.shapes, &model.shapes)?;
        if let Some(materials) = parts.materials {
            edits.change_list(&Materials, materials, &old.materials, &model.materials)?;
        }
        if let Some(props) = parts.props {
            edits.props(props, &old.props, &model.props)?;
        }
        let tree = edits.edit.apply().map_err(|error| error.map_kind(Into::into))?;
        self.payload.set_tree(tree);
        Ok(())
    }
}
