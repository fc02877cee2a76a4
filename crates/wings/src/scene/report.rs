//! Reports of parts that scenes cannot store, shared by reading and writing.

use mapwright_etf::Term;
use mapwright_io::format_count;
use mapwright_scene::Losses;

use super::plugin_states::plugin_modules;
use crate::{Model, Object, ObjectState, PropList, WingedMesh};

/// A list of names for a report: the first eight, and the number of further ones.
#[derive(Debug, Default)]
pub(super) struct NameList {
    first: Vec<String>,
    more: usize,
}

impl NameList {
    const MAX_LISTED: usize = 8;

    pub(super) fn push(&mut self, name: impl FnOnce() -> String) {
        if self.first.len() < Self::MAX_LISTED {
            self.first.push(name());
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    /// Reports the named parts as dropped.
    pub(super) fn report(&self, path: &str, what: &str, losses: &mut Losses) {
        if !self.first.is_empty() {
            let more = if self.more > 0 { format!(" and {} more", self.more) } else { String::new() };
            losses.dropped(path, format!("{what} {}{more}", self.first.join(", ")));
        }
    }
}

/// Reports the keys of a list that are not among `known`.
pub(super) fn report_other_keys(list: &PropList, known: &[&str], path: &str, what: &str, losses: &mut Losses) {
    let mut names = NameList::default();
    for item in &list.items {
        let root = item.root();
        match root.as_property() {
            Some((key, _)) if known.contains(&&*key.name()) => {}
            Some((key, _)) => names.push(|| key.name().into_owned()),
            // Debug text is limited in length; the term is not.
            None => names.push(|| format!("{root:?}")),
        }
    }
    names.report(path, what, losses);
}

/// Reports the entries of a list of the scene that could not be read.
pub(super) fn report_unread(model: &Model, key: &str, read: usize, losses: &mut Losses) {
    let all = model.props.get(key).and_then(Term::as_list).map_or(0, |list| list.items().count());
    let unread = all.saturating_sub(read);
    if unread > 0 {
        losses.dropped(format!("props.{key}"), format!("{} of an unknown form", format_count(unread, "entry")));
    }
}

/// Returns `true` if a property of the scene is a selection or a selection group.
pub(super) fn is_selection(property: Term<'_>) -> bool {
    let Some([key, _]) = property.as_tuple_of() else { return false };
    let kind = key.as_property().map(|(kind, _)| kind).or_else(|| key.as_atom());
    kind.is_some_and(|kind| kind == *"selection" || kind == *"saved_selection" || kind == *"selection_group")
}

/// Reports selections that could not be read.
pub(super) fn report_unread_selections(all: usize, read: usize, losses: &mut Losses) {
    if all > read {
        losses.dropped(
            "selections",
            format!("{} of an unknown form", format_count(all.saturating_sub(read), "selection")),
        );
    }
}

/// Reports the properties of an image that scenes cannot store.
pub(super) fn report_image_properties(props: &PropList, path: &str, losses: &mut Losses) {
    const READ: [&str; 7] = ["name", "filename", "width", "height", "samples_per_pixel", "mask_size", "pixels"];
    report_other_keys(props, &READ, path, "unknown properties", losses);
}

/// Reports the properties of an object that scenes cannot store.
pub(super) fn report_object_properties(object: &Object, path: &str, losses: &mut Losses) {
    if let Some(states) = object.props.get("plugin_states") {
        let mut plugins = NameList::default();
        plugin_modules(states).for_each(|module| plugins.push(|| module));
        plugins.report(path, "data of the plug-ins", losses);
    }
    report_hidden_selection(object, path, losses);
    const READ: [&str; 6] = ["plugin_states", "holes", "mirror_face", "num_hidden_faces", "state", "mode"];
    report_other_keys(&object.props, &READ, path, "unknown properties", losses);
}

/// Reports the selection that Wings stores with a hidden object. Returns `true` if there is one.
pub(super) fn report_hidden_selection(object: &Object, path: &str, losses: &mut Losses) -> bool {
    let has_selection = matches!(object.state(), ObjectState::HiddenSelected { .. });
    if has_selection {
        losses.dropped(path, "the selection that the object had when it was hidden");
    }
    has_selection
}

/// Reports the terms of a mesh that could not be read.
pub(super) fn report_extras(mesh: &WingedMesh, path: &str, losses: &mut Losses) {
    if !mesh.extras.is_empty() {
        losses.dropped(path, format!("{} in entries of the mesh", format_count(mesh.extras.len(), "unknown term")));
    }
}
