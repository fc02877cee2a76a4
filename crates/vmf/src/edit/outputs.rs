//! Edits of outputs as text.

use mapwright_io::format_count;
use mapwright_query::{Assigner, Edited, Glob, Objects, Query, QueryError, Words, fields};

use super::Edit;
use super::apply::Object;
use crate::{Connection, Document, Entity, Output};

/// The edits of outputs, for messages.
const EDITS: [&str; 3] = [
    "output add QUERY: EVENT TARGET INPUT [PARAMETER [DELAY [TIMES]]]",
    "output remove QUERY: EVENT [TARGET [INPUT]]",
    "output set QUERY: EVENT target=…, delay=…",
];

/// Applies an edit of outputs.
pub(super) fn apply(map: &mut Document, edit: &Words) -> Result<Edited, QueryError> {
    let words = edit.to_strs();
    let [first @ "output", verb @ ("add" | "remove" | "set"), ..] = words[..] else {
        return Err(edit.unknown(&EDITS));
    };
    // The query begins after two words.
    let rest = edit.source().trim_start().strip_prefix(first).unwrap_or_default().trim_start();
    let rest = rest.strip_prefix(verb).unwrap_or_default();
    let mapwright_query::Edit::Own(edit) = format!("{first} {rest}").parse()? else {
        return Err(edit.unknown(&EDITS));
    };
    let (query, words) = edit.query_and_words()?;
    let entities = EntityNumbers::new(map, &query)?;
    match verb {
        "add" => add(map, &entities, &words),
        "remove" => remove(map, &entities, &words),
        _ => set(map, &entities, &words),
    }
}

/// The numbers of the entities that a query finds.
struct EntityNumbers(Vec<usize>);

impl EntityNumbers {
    fn new(map: &Document, query: &Query) -> Result<Self, QueryError> {
        let found = map.select(query)?;
        query.check_match_count(found.len())?;
        Ok(Self(found))
    }

    fn entities<'a>(&self, map: &'a Document) -> impl Iterator<Item = Entity<'a>> + use<'a> {
        map.objects_at(&self.0).filter_map(|object| match object {
            Object::Entity(entity) => Some(entity),
            Object::Solid(..) => None,
        })
    }
}

fn expected(edit: usize) -> QueryError {
    let expected = EDITS.get(edit).copied().unwrap_or_default().to_owned();
    QueryError::InvalidEdit { edit: "output".to_owned(), expected }
}

fn add(map: &mut Document, numbers: &EntityNumbers, words: &Words) -> Result<Edited, QueryError> {
    let words = words.to_strs();
    let (event, target, input, rest) = match words[..] {
        [event, target, input, ref rest @ ..] if rest.len() <= 3 => (event, target, input, rest),
        _ => return Err(expected(0)),
    };
    let number = |index: usize| rest.get(index).map(|word| word.trim());
    let connection = |entity: Entity<'_>| {
        let own = entity.outputs().find_map(Output::connection).map(|connection| connection.separator);
        Some(Connection {
            target: target.to_owned(),
            input: input.to_owned(),
            parameter: rest.first().copied().unwrap_or_default().to_owned(),
            delay: number(1).map_or(Some(0.0), |word| word.parse().ok().filter(|delay: &f64| delay.is_finite()))?,
            times: number(2).map_or(Some(-1), |word| word.parse().ok())?,
            separator: own.unwrap_or_else(|| map.output_separator()),
        })
    };
    let (mut edit, mut count) = (Edit::new(map), 0_usize);
    for entity in numbers.entities(map) {
        let connection = connection(entity).ok_or_else(|| expected(0))?;
        edit.insert_output(entity, event, &connection).map_err(QueryError::refused)?;
        count = count.saturating_add(1);
    }
    let edited = edit.apply();
    map.replace_by(edited)?;
    Ok(Edited { matched: Some(count), ..Edited::new(count, format!("{} added", format_count(count, "output"))) })
}

fn remove(map: &mut Document, numbers: &EntityNumbers, words: &Words) -> Result<Edited, QueryError> {
    let globs: Vec<Glob> = words.items().iter().map(Glob::from).collect();
    if globs.is_empty() || globs.len() > 3 {
        return Err(expected(1));
    }
    let (mut edit, mut count) = (Edit::new(map), 0_usize);
    for output in numbers.entities(map).flat_map(Entity::outputs).filter(|output| is_matched(*output, &globs)) {
        edit.remove(output.item());
        count = count.saturating_add(1);
    }
    let edited = edit.apply();
    map.replace_by(edited)?;
    Ok(Edited { matched: Some(count), ..Edited::new(count, format!("{} removed", format_count(count, "output"))) })
}

/// Returns `true` if event, target and input match patterns. Missing patterns match everything.
fn is_matched(output: Output<'_>, globs: &[Glob]) -> bool {
    let [event, rest @ ..] = globs else { return false };
    if !event.matches(&output.item().name()) {
        return false;
    }
    if rest.is_empty() {
        return true;
    }
    let Some(connection) = output.connection() else { return false };
    let fields = [connection.target, connection.input];
    rest.iter().zip(fields).all(|(glob, field)| glob.matches(field.as_bytes()))
}

/// The fields of an output that edits set.
struct OutputFields {
    name: String,
    connection: Connection,
}

fields! {
    /// Fields of outputs.
    static OUTPUT: "output" = OutputFields {
        /// The event.
        name | event: String;
        /// The name of the entities that receive the input.
        target: String = connection.target;
        /// The input.
        input: String = connection.input;
        /// The parameter of the input.
        parameter: String = connection.parameter;
        /// The delay.
        delay: f64 { unit: "seconds" } = connection.delay;
        /// The number of times that the output fires. -1 is any number.
        times: i64 = connection.times;
    }
}

fn set(map: &mut Document, numbers: &EntityNumbers, words: &Words) -> Result<Edited, QueryError> {
    let [event, _, ..] = words.items() else { return Err(expected(2)) };
    let globs = [Glob::from(event)];
    let assignments = words.assignments_after(1)?;
    let mut assigner = Assigner::new(&assignments, false);
    let (mut edit, mut matched, mut changed) = (Edit::new(map), 0_usize, 0_usize);
    for output in numbers.entities(map).flat_map(Entity::outputs).filter(|output| is_matched(*output, &globs)) {
        let is_text = output.item().value().is_some_and(|value| str::from_utf8(&value).is_ok());
        let connection = output.connection().filter(|_| is_text);
        let connection = connection.ok_or_else(|| QueryError::refused("an output has no five fields in UTF-8"))?;
        let mut fields = OutputFields { name: output.name().into_owned(), connection };
        matched = matched.saturating_add(1);
        if assigner.apply(&mut fields)? {
            changed = changed.saturating_add(1);
            edit.text().rename(output.item(), &fields.name).map_err(QueryError::refused)?;
            edit.set_connection(output, &fields.connection).map_err(QueryError::refused)?;
        }
    }
    let edited = edit.apply();
    map.replace_by(edited)?;
    let text = format!("{changed} of {} changed", format_count(matched, "output"));
    Ok(Edited { matched: Some(matched), ..Edited::new(changed, text) })
}
