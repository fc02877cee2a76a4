//! Questions that need no document.

use std::path::Path;

use mapwright::{Fidelity, ForeignFormat, Format, PREFIX};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::value::to_js;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Detected {
    format: Option<Format>,
    certain: bool,
    warning: Option<String>,
    foreign: Option<Foreign>,
}

/// A format that is recognised, but not read.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Foreign {
    name: &'static str,
    next_step: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Description {
    name: &'static str,
    title: &'static str,
    extensions: &'static [&'static str],
    lossless: bool,
    import: bool,
    export: bool,
    /// `true` if `Document.page` can draw it.
    drawn: bool,
    /// `true` if files are images, few of which are heightmaps.
    image: bool,
    axes: Option<&'static str>,
    converts_to: Vec<Target>,
}

#[derive(Serialize)]
struct Target {
    format: Format,
    /// The content that files of the source can have and the target cannot store.
    lost: Vec<&'static str>,
}

/// Detects the format of a file by its content and, if that does not decide, by its name.
#[wasm_bindgen(unchecked_return_type = "Detection")]
pub fn detect(bytes: &[u8], name: Option<String>) -> JsValue {
    let prefix = bytes.get(..PREFIX).unwrap_or(bytes);
    let path = name.as_deref().map(Path::new);
    let found = mapwright::detect(prefix, path);
    let foreign = match found.format {
        Some(_) => None,
        None => ForeignFormat::detect(prefix, path),
    };
    to_js(&Detected {
        format: found.format,
        certain: found.confidence == mapwright::io::Confidence::Certain,
        warning: found.warning(),
        foreign: foreign.map(|foreign| Foreign { name: foreign.name, next_step: foreign.next_step }),
    })
}

/// Returns all formats, and the formats that files of each can be converted to.
#[wasm_bindgen(unchecked_return_type = "FormatInfo[]")]
pub fn formats() -> JsValue {
    let all: Vec<Description> = Format::available().map(describe).collect();
    to_js(&all)
}

fn describe(format: Format) -> Description {
    let info = format.info();
    let access = format.access();
    let targets = Format::available().filter(|to| *to != format && format.converts_to(*to));
    Description {
        name: format.name(),
        title: info.title,
        extensions: info.extensions,
        lossless: access.lossless,
        import: access.import,
        export: access.export,
        drawn: format.is_drawn(),
        image: format.is_image(),
        axes: format.axes(),
        converts_to: targets.map(|to| Target { format: to, lost: lost(format, to) }).collect(),
    }
}

fn lost(from: Format, to: Format) -> Vec<&'static str> {
    let fidelity = from.fidelity_in(to).unwrap_or_default();
    fidelity.iter().filter(|(_, fidelity)| *fidelity == Fidelity::Lost).map(|(feature, _)| feature.name()).collect()
}

/// Returns the version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
