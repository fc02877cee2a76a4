//! Values that cross the border to JavaScript.

use js_sys::{JSON, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

use crate::error::usage;

/// Sets a property of an object that this crate created.
pub(crate) fn set(object: &Object, key: &str, value: impl Into<JsValue>) {
    // Setting a property of a new object cannot fail.
    let _ = Reflect::set(object, &key.into(), &value.into());
}

/// Returns a value as `JSON.parse` does. Integers above 2⁵³ are rounded.
pub(crate) fn to_js(value: &impl Serialize) -> JsValue {
    parse(&serde_json::to_string(value).unwrap_or_default())
}

/// Parses JSON that this crate wrote.
pub(crate) fn parse(json: &str) -> JsValue {
    JSON::parse(json).unwrap_or(JsValue::UNDEFINED)
}

/// Reads an options object. `undefined` and `null` give the defaults; an unknown key is an error.
pub(crate) fn from_js<T: Default + DeserializeOwned>(value: &JsValue) -> Result<T, JsValue> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    // JSON would replace NaN and infinities by `null`, which stands for the default.
    let keep_number = |_: JsValue, value: JsValue| match value.as_f64() {
        Some(number) if !number.is_finite() => number.to_string().replace("inf", "Infinity").into(),
        _ => value,
    };
    let replacer = Closure::<dyn Fn(JsValue, JsValue) -> JsValue>::new(keep_number);
    let json = JSON::stringify_with_replacer(value, replacer.as_ref())?.as_string().unwrap_or_default();
    serde_json::from_str(&json).map_err(|error| {
        // The position in the text of the object is not useful to callers.
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
        usage(&format!("invalid options: {message}"))
    })
}

/// Returns the property of an options object. `None` if there is no object, or no such property.
pub(crate) fn get(object: &JsValue, key: &str) -> Option<JsValue> {
    if !object.is_object() {
        return None;
    }
    Reflect::get(object, &key.into()).ok().filter(|value| !value.is_undefined() && !value.is_null())
}

/// Returns the bytes of a `Uint8Array` or an `ArrayBuffer`.
pub(crate) fn bytes(value: &JsValue) -> Option<Vec<u8>> {
    match value.dyn_ref::<Uint8Array>() {
        Some(array) => Some(array.to_vec()),
        None => value.dyn_ref::<js_sys::ArrayBuffer>().map(|buffer| Uint8Array::new(buffer).to_vec()),
    }
}
