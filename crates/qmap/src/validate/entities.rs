//! Findings of entities and their keys.

use mapwright_io::{Severity, escape};

use super::Report;
use crate::{Document, EditorProblem, Entity};

/// Longest key and value of the engines of Quake.
const MAX_KEY: usize = 31;
const MAX_VALUE: usize = 1023;

pub(super) fn check(map: &Document, report: &mut Report<'_>) {
    let mut has_world = false;
    for entity in map.entities() {
        if entity.is_fragment() {
            continue;
        }
        let is_world = entity.is_class("worldspawn");
        if entity.index() == 0 && !is_world {
            let message = "the first entity is not worldspawn: games and editors expect the world there";
            report.add_entity("worldspawn-missing", Severity::Warning, entity, message);
        }
        if is_world && has_world {
            let message = "another entity is worldspawn: games read only the first one";
            report.add_entity("worldspawn-several", Severity::Warning, entity, message);
        }
        has_world |= is_world;
        if entity.class().is_none_or(<[u8]>::is_empty) {
            report.add_entity("class-missing", Severity::Warning, entity, "the entity has no classname: games drop it");
        }
        check_keys(entity, report);
    }
    for (index, problem) in map.editor_tree().problems {
        let Some(entity) = map.entity(index) else { continue };
        let code = match problem {
            EditorProblem::NoId => "editor-id",
            EditorProblem::DuplicateId => "editor-id-duplicate",
            EditorProblem::UnknownId(_) => "editor-reference",
            EditorProblem::Cycle => "editor-cycle",
            EditorProblem::TooDeep => "editor-depth",
        };
        report.add_entity(code, Severity::Warning, entity, problem);
    }
}

fn check_keys(entity: Entity<'_>, report: &mut Report<'_>) {
    let path = [("entities", entity.index())];
    let mut keys: Vec<(&[u8], usize)> = entity.pairs().map(crate::KeyValue::key).zip(0..).collect();
    keys.sort_unstable();
    let repeated = keys.windows(2).filter_map(|pair| match pair {
        [(first, _), (second, index)] => (first == second).then_some(*index),
        _ => None,
    });
    let mut repeated: Vec<usize> = repeated.collect();
    repeated.sort_unstable();
    for (index, pair) in entity.pairs().enumerate() {
        let (key, value) = (pair.key(), pair.value());
        let offset = pair.key_range().start;
        if repeated.binary_search(&index).is_ok() {
            let message = format_args!(
                "the key \"{}\" repeats: most programs read the first value, Doom 3 the last",
                escape(key)
            );
            report.add("key-duplicate", Severity::Warning, &path, offset, message);
        }
        if key.len() > MAX_KEY {
            let message = format_args!("a key of {} bytes: games of Quake's engines read up to {MAX_KEY}", key.len());
            report.add("key-long", Severity::Note, &path, offset, message);
        }
        if value.len() > MAX_VALUE {
            let message =
                format_args!("a value of {} bytes: games of Quake's engines read up to {MAX_VALUE}", value.len());
            report.add("value-long", Severity::Note, &path, offset, message);
        }
    }
}
