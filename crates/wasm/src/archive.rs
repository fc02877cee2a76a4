//! REZ archives.

use mapwright::ContentSource;
use wasm_bindgen::prelude::*;

use crate::error::io_error;

/// The files in a REZ archive of Claw, Gruntz or LithTech.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Archive(ContentSource);

#[wasm_bindgen]
impl Archive {
    /// Opens an archive.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>) -> Result<Archive, JsValue> {
        let mut content = ContentSource::default();
        content.add_archive("", bytes).map_err(|error| io_error(&error.to_string()))?;
        Ok(Self(content))
    }

    /// Returns the paths of all files, sorted.
    pub fn paths(&self) -> Vec<String> {
        self.0.files().map(|file| file.path().to_owned()).collect()
    }

    /// Returns the bytes of a file. Case does not matter.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, JsValue> {
        let file = self.0.find(path).ok_or_else(|| io_error(&format!("{path}: file not found")))?;
        file.read().map_err(|error| io_error(&format!("{path}: {error}")))
    }
}
