//! Errors as `Error` of JavaScript.

use js_sys::{Error as JsError, Object};
use mapwright::render::Error as DrawError;
use mapwright::{Error, Place};
use wasm_bindgen::JsValue;

use crate::value::set;

/// The name of all errors.
const NAME: &str = "MapwrightError";

/// Returns an error of the library, with the properties of `MapwrightError`.
pub(crate) fn error(error: Error) -> JsValue {
    // Queries and edits are arguments.
    let category = if matches!(error, Error::Query(_)) { "usage" } else { error.category().name() };
    let thrown = new(category, &error.to_string(), error.help().as_deref());
    if let Some(place) = error.place() {
        let object = Object::new();
        set(&object, "text", place.to_string());
        match place {
            // Scripts store offsets exactly up to 2⁵³.
            Place::Offset(at) => set(&object, "offset", at.offset as f64),
            Place::Line { line, column } => {
                set(&object, "line", line as f64);
                set(&object, "column", column as f64);
            }
        }
        set(&thrown, "place", object);
    }
    if let Some(path) = error.path() {
        set(&thrown, "path", path);
    }
    if let Some(file) = error.side_file() {
        set(&thrown, "file", file);
    }
    thrown.into()
}

/// Returns an error of drawing.
pub(crate) fn draw_error(error: DrawError) -> JsValue {
    new("unsupported", &error.to_string(), error.help()).into()
}

/// Returns an error for an argument that cannot be used.
pub(crate) fn usage(message: &str) -> JsValue {
    new("usage", message, None).into()
}

/// Returns an error for a file that a caller asked for.
pub(crate) fn io_error(message: &str) -> JsValue {
    new("io", message, None).into()
}

fn new(category: &str, message: &str, help: Option<&str>) -> JsError {
    let thrown = JsError::new(message);
    thrown.set_name(NAME);
    set(&thrown, "category", category);
    if let Some(help) = help {
        set(&thrown, "help", help);
    }
    thrown
}
