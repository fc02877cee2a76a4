//! Elements of entries that a later element of the same entry replaces.

use mapwright_etf::{List, ListItem, Term};

use super::edge::{is_position, is_usual_edge_without_duplicates, usual_vertex};
use crate::ExtraList;

/// Calls `found` for each replaced element of a mesh, with the list and the index of its entry.
pub(crate) fn find_replaced_elements(mesh: Term<'_>, mut found: impl FnMut(ExtraList, usize)) {
    let lists = [(ExtraList::Edge, 1), (ExtraList::Face, 2), (ExtraList::Vertex, 3)];
    for (list, element) in lists {
        let entries = mesh.element(element).and_then(Term::as_list).map(List::items).into_iter().flatten();
        for (index, entry) in entries.enumerate() {
            if entry.term().is_some_and(|entry| is_usual(list, entry.as_bytes())) {
                continue;
            }
            let Some(items) = entry.term().and_then(Term::as_list).map(List::items) else { continue };
            let mut seen = 0_u8;
            for kind in items.filter_map(ListItem::term).filter_map(|term| kind(list, term)) {
                if seen & kind != 0 {
                    found(list, index);
                }
                seen |= kind;
            }
        }
    }
}

/// Returns `true` for an entry of the form that Wings writes, quickly. It has no element twice.
fn is_usual(list: ExtraList, entry: &[u8]) -> bool {
    match list {
        ExtraList::Edge => is_usual_edge_without_duplicates(entry),
        ExtraList::Vertex => usual_vertex(entry).is_some(),
        _ => entry == [106],
    }
}

/// Returns a bit for the kind of an element that Wings reads.
fn kind(list: ExtraList, term: Term<'_>) -> Option<u8> {
    if list == ExtraList::Vertex {
        return is_position(term).then_some(1);
    }
    let name = term.element(0)?.as_atom()?;
    Some(match (list, name.as_bytes()) {
        (ExtraList::Edge, b"edge") => 1,
        (ExtraList::Edge, b"uv_lt") => 2,
        (ExtraList::Edge, b"uv_rt") => 4,
        (ExtraList::Edge, b"color_lt") => 8,
        (ExtraList::Edge, b"color_rt") => 16,
        (ExtraList::Edge, b"uv") => 32,
        (ExtraList::Edge, b"color") => 64,
        (ExtraList::Face, b"material") => 1,
        _ => return None,
    })
}
