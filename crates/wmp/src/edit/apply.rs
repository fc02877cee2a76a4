//! Edits as text.

use mapwright_io::format_count;
use mapwright_query::{Assignment, EditObjects, Edited, FieldType, Glob, QueryError, Text, Words};

use super::names::FileUse;
use super::{Deleted, Merged, Motion, Moved, PartIndex};
use crate::Document;

/// The edits of this format.
const EDITS: [&str; 5] = [
    "move QUERY: X,Y,Z",
    "turn QUERY: DEGREES|PAN,TILT,ROLL [about X,Y,Z]",
    "scale QUERY: FACTOR|X,Y,Z [about X,Y,Z]",
    "extract QUERY",
    "wads shift OLD NEW",
];

impl Document {
    fn parts_at(&self, objects: &[usize]) -> Vec<PartIndex> {
        let parts = self.parts();
        objects.iter().map(|index| parts[*index]).collect()
    }
}

impl EditObjects for Document {
    fn set(&mut self, objects: &[usize], assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        self.set_parts(&self.parts_at(objects), assignments, create)
    }

    fn set_document(&mut self, assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        self.set_level(assignments, create)
    }

    fn delete(&mut self, objects: &[usize]) -> Result<Edited, QueryError> {
        let Deleted { blocks, entities, groups } = self.delete_parts(&self.parts_at(objects))?;
        let text = format!(
            "{}, {} and {} deleted",
            format_count(blocks, "block"),
            format_count(entities, "entity"),
            format_count(groups, "group")
        );
        Ok(Edited { matched: Some(objects.len()), ..Edited::new(blocks + entities + groups, text) })
    }

    fn rename(&mut self, what: &str, from: &Text, to: &Text) -> Result<Edited, QueryError> {
        let (from, to) = (Glob::from(from), to.as_bytes());
        let what = what.to_ascii_lowercase();
        let (count, items) = match what.as_str() {
            "texture" => (self.rename_textures(&from, to)?, "face texture"),
            "material" => (self.rename_materials(&from, to)?, "material"),
            "wad" | "folder" => (self.rename_wads(&from, to)?, "texture source"),
            "file" => (self.rename_files(&from, to)?, "file"),
            _ => match FileUse::ALL.into_iter().find(|(word, _)| *word == what) {
                Some((_, of)) => (self.rename_uses(&[of], &[(from, to.to_vec())])?.iter().sum(), "file"),
                None => {
                    let expected = "texture, material, file, model, sound, script, palette, wad or folder";
                    return Err(QueryError::refused(format_args!("cannot rename {what}: expected {expected}")));
                }
            },
        };
        Ok(Edited::new(count, format!("{} renamed", format_count(count, items))))
    }

    fn apply_own(&mut self, edit: &Words) -> Result<Edited, QueryError> {
        match edit.to_strs()[..] {
            ["wads", "shift", _, _] => {
                let [_, _, from, to] = edit.items() else { unreachable!("four words") };
                // The encoding of the file is unknown.
                FieldType::BYTES.parse(to).map_err(|error| QueryError::Value {
                    field: "the new path".to_owned(),
                    value: to.to_string(),
                    error,
                })?;
                let count = self.shift_wads(from.as_bytes(), to.as_bytes())?;
                let text = match count {
                    0 => format!("no texture source begins with {from}"),
                    _ => format!("{} changed", format_count(count, "texture source")),
                };
                Ok(Edited { matched: Some(count), ..Edited::new(count, text) })
            }
            [verb @ ("move" | "turn" | "scale"), ..] => {
                let (query, words) = edit.query_and_words()?;
                let motion = motion(verb, &words.to_strs()).ok_or_else(|| {
                    QueryError::refused(match verb {
                        "move" => "invalid motion: expected quants along x, y and z after `:`, such as 0,0,64",
                        "turn" => "invalid motion: expected degrees after `:`, such as 90 or 0,45,0 about 1,2,3",
                        _ => "invalid motion: expected a factor after `:`, such as 2 or 1,1,2 about 1,2,3",
                    })
                })?;
                let parts = self.find(&query)?;
                query.check_match_count(parts.len())?;
                let Moved { items, without_position } = self.transform(&parts, &motion)?;
                let done = match verb {
                    "move" => "moved",
                    "turn" => "turned",
                    _ => "scaled",
                };
                let text = format!("{items} of {} {done}", format_count(parts.len(), "object"));
                let edited = Edited { matched: Some(parts.len()), ..Edited::new(items, text) };
                Ok(match without_position {
                    0 => edited,
                    count => edited.with_note(format_args!("{} without a position", format_count(count, "match"))),
                })
            }
            ["extract", ..] => {
                let (query, words) = edit.query_and_words()?;
                if !words.items().is_empty() {
                    return Err(QueryError::refused("expected only a query after `extract`"));
                }
                let found = self.find(&query)?;
                query.check_match_count(found.len())?;
                let [group] = found[..] else {
                    let count = found.len();
                    return Err(QueryError::refused(format_args!(
                        "`{query}` matches {count} objects: expected one group"
                    )));
                };
                *self = self.extract(group)?;
                let (blocks, entities) = (self.blocks.len(), self.entities.len());
                Ok(Edited::new(
                    blocks + entities,
                    format!("{} and {} extracted", format_count(blocks, "block"), format_count(entities, "entity")),
                ))
            }
            _ => Err(edit.unknown(&EDITS)),
        }
    }
}

fn motion(verb: &str, words: &[&str]) -> Option<Motion> {
    let one = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
    let three =
        |word: &str| -> Option<[f64; 3]> { word.split(',').map(one).collect::<Option<Vec<_>>>()?.try_into().ok() };
    let (amount, about) = match *words {
        [amount] => (amount, None),
        [amount, "about", point] => (amount, Some(three(point)?)),
        _ => return None,
    };
    let motion = Motion { about, ..Motion::NONE };
    Some(match verb {
        "move" if about.is_none() => Motion { by: three(amount)?, ..motion },
        "turn" => Motion { turn: one(amount).map(|pan| [pan, 0.0, 0.0]).or_else(|| three(amount))?, ..motion },
        "scale" => Motion { scale: one(amount).map(|factor| [factor; 3]).or_else(|| three(amount))?, ..motion },
        _ => return None,
    })
}

impl std::fmt::Display for Merged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { blocks, entities, groups, sources } = self;
        write!(f, "{blocks} blocks, {entities} entities, {groups} groups and {sources} paths of textures added")
    }
}
