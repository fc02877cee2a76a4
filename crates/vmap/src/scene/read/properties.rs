//! Reads attributes as properties.

use mapwright_dmx::ElementRef;
use mapwright_scene::Properties;

use super::super::{defaults, names};
use super::context::ReadContext;
use crate::validate::lossy;

/// Reads the attributes of an element that differ from their defaults, except for `skip` and the [common](names::NODE) ones.
pub(super) fn read_properties<'a>(context: &mut ReadContext<'a>, element: ElementRef<'a>, skip: &[&str]) -> Properties {
    let mut properties = Properties::new();
    let is_skipped = |name: &[u8]| names::NODE.iter().chain(skip).any(|skip| skip.as_bytes() == name);
    for (name, value) in element.attributes() {
        if is_skipped(name) || defaults::is_default(element, name, value) {
            continue;
        }
        let path = || format!("{}.{}", names::node_path(element), lossy(name));
        if let Some(value) = context.values.read(element, value, 0, &path, &mut context.losses) {
            properties.entries.extend(context.values.text(name).map(|name| (name, value)));
        }
    }
    properties
}
