//! A changed [`Model`] into the [`Document`] it came from: only the bytes that say something else change.

use mapwright_etf::{Edit, WriterProfile};
use mapwright_io::Error;

use super::check::check;
use super::entries::{Materials, Shapes};
use super::put::Put;
use crate::read::ModelReader;
use crate::{Document, Model, WriteError, WriteErrorKind};

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
            return if old == *model { Ok(()) } else { Err(Error::without_position(kind)) };
        }
        check(model)?;
        let root = self.payload.tree().root();
        let parts = ModelReader::new(self).parts(root).map_err(|error| error.map_kind(WriteErrorKind::Read))?;
        let mut put = Put { edit: Edit::new(self.payload.tree()), profile: WriterProfile::for_term(root) };
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
