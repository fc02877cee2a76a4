//! `plugin_states`: data of plug-ins and the list of folders.

use mapwright_etf::{Builder, List, Term};

use crate::Model;

/// The module whose data is the list of folders, or the folder of an object.
const FOLDER_MODULE: &str = "wings_shape";

/// Returns the plug-in modules that have data in a list of `{Module,Data}`.
pub(super) fn plugin_modules(states: Term<'_>) -> impl Iterator<Item = String> {
    let pairs = states.as_list().and_then(List::terms).unwrap_or_default();
    let modules = pairs.into_iter().filter_map(|pair| Some(pair.as_property()?.0.name().into_owned()));
    modules.filter(|module| module != FOLDER_MODULE)
}

/// Returns the folders that a model lists, including empty ones.
pub(super) fn listed_folders(model: &Model) -> Vec<String> {
    let read = || {
        let states = model.props.get("plugin_states")?.as_list()?.terms()?;
        let (_, data) =
            states.into_iter().filter_map(Term::as_property).find(|(module, _)| *module == *FOLDER_MODULE)?;
        let [_, folders] = data.as_tuple_of()?;
        let folders = folders.as_list()?.terms()?.into_iter();
        Some(folders.filter_map(|folder| folder.as_tuple_of::<2>()?[0].as_list().and_then(List::to_text)).collect())
    };
    read().unwrap_or_default()
}

/// Writes `{no_folder,[{Folder,{open,{0,nil}}}]}`: no current folder, all folders open. The objects store their own folder.
pub(super) fn write_folder_list(term: &mut Builder, folders: &[String]) {
    term.tuple(2);
    term.atom("no_folder");
    term.begin_list();
    for folder in std::iter::once(None).chain(folders.iter().map(Some)) {
        term.tuple(2);
        match folder {
            Some(folder) => term.text(folder),
            None => term.atom("no_folder"),
        }
        term.tuple(2);
        term.atom("open");
        term.tuple(2);
        term.integer(0);
        term.atom("nil");
    }
    term.end_list();
}
