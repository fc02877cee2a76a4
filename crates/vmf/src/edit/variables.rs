//! Variables of maps that other maps contain as instances.

use std::collections::{BTreeMap, BTreeSet};

use mapwright_keyvalues::kv1::Item;

use super::Edit;
use crate::document::entity::is_replacement;
use crate::document::value;
use crate::{Document, Solid, WriteError, WriteErrorKind};

/// The class of entities that declare variables.
const DECLARATIONS: &str = "func_instance_parms";
/// Maximum number of variables without a value that are named.
const MAX_UNKNOWN: usize = 16;
/// Longer names are no variables.
const MAX_NAME: usize = 256;

impl Document {
    /// Replaces variables, such as `$color`, by their values: in the keys and outputs of entities, and in the materials of solids. The names
    /// in `values` have no `$`, and their case is ignored.
    ///
    /// A variable without a value has its default, which an entity `func_instance_parms` declares; without one it is empty. These entities
    /// stay as they are, and so do the names of variables in the keys `replace01` and so on of instances in the map.
    ///
    /// Returns the names of the first 16 variables without a value and default, sorted.
    ///
    /// # Errors
    /// If a value contains a quote, which maps cannot store; if all changed values together have more than `max_bytes` bytes.
    pub fn replace_variables(
        &mut self,
        values: &[(impl AsRef<str>, impl AsRef<str>)],
        max_bytes: usize,
    ) -> Result<Vec<String>, WriteError> {
        if !self.as_bytes().contains(&b'$') {
            return Ok(Vec::new());
        }
        let mut variables = Variables { limit: max_bytes, left: max_bytes, ..Variables::default() };
        // The first of equal names counts.
        for (name, value) in values {
            variables.add(name.as_ref(), value.as_ref());
        }
        for (name, value) in self.declared_variables() {
            variables.add(&name, &value);
        }
        let mut edit = Edit::new(self);
        for entity in self.all_entities().filter(|entity| !entity.is_class(DECLARATIONS)) {
            let is_instance = entity.as_instance().is_some();
            for key in entity.keys() {
                let names_variable = is_instance && is_replacement(&key.name_text());
                variables.replace(&mut edit, key, names_variable)?;
            }
            for output in entity.outputs() {
                variables.replace(&mut edit, output.item(), false)?;
            }
            let sides = entity.solids().flat_map(Solid::sides);
            for material in sides.filter_map(|side| value::key(side.item(), "material")) {
                variables.replace(&mut edit, material, false)?;
            }
        }
        *self = edit.apply()?;
        Ok(variables.unknown.into_iter().collect())
    }

    /// Returns the declared variables with their defaults: the keys `parm1` and so on, `$name type default`.
    fn declared_variables(&self) -> Vec<(String, String)> {
        let declarations = self.all_entities().filter(|entity| entity.is_class(DECLARATIONS));
        let is_declaration =
            |key: &Item<'_>| key.name().get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"parm"));
        let texts = declarations.flat_map(|entity| entity.keys().filter(is_declaration)).filter_map(Item::text);
        let parsed = texts.map(|text| {
            let (name, rest) = text.trim_start().split_once(char::is_whitespace).unwrap_or((&text, ""));
            let default = rest.trim_start().split_once(char::is_whitespace).map_or("", |(_, default)| default.trim());
            (name.strip_prefix('$').unwrap_or_default().to_owned(), default.to_owned())
        });
        parsed.collect()
    }
}

/// Variables with their values.
#[derive(Default)]
struct Variables {
    /// The values by the names in lower case.
    values: BTreeMap<String, String>,
    /// The lengths of the names.
    lengths: BTreeSet<usize>,
    /// Maximum bytes of all changed values, and those that are left.
    limit: usize,
    left: usize,
    /// The first variables without a value.
    unknown: BTreeSet<String>,
}

impl Variables {
    /// Adds a variable, unless it has a value. Editors write `???` for a missing value.
    fn add(&mut self, name: &str, value: &str) {
        if !(1..=MAX_NAME).contains(&name.len()) || value == "???" {
            return;
        }
        self.lengths.insert(name.len());
        self.values.entry(name.to_ascii_lowercase()).or_insert_with(|| value.to_owned());
    }

    /// Replaces variables in the value of a key.
    fn replace<'a>(&mut self, edit: &mut Edit<'a>, key: Item<'a>, keeps_first_word: bool) -> Result<(), WriteError> {
        let Some(text) = key.text().filter(|text| text.contains('$')) else { return Ok(()) };
        let start = if keeps_first_word { text.find([' ', '\t']).unwrap_or(text.len()) } else { 0 };
        let (kept, rest) = text.split_at(start);
        let Some(new) = self.with_values(rest, self.left) else {
            return Err(WriteError::without_position(WriteErrorKind::Variables(self.limit)));
        };
        if new == rest {
            return Ok(());
        }
        let new = kept.to_owned() + &new;
        self.left = self.left.saturating_sub(new.len());
        edit.set_value(key, new)
    }

    /// Returns a text with the values of its variables, or `None` if it has more than `max_bytes` bytes. The longest name that has a value
    /// counts.
    fn with_values(&mut self, text: &str, max_bytes: usize) -> Option<String> {
        let mut new = String::new();
        let mut parts = text.split('$');
        new.extend(parts.next());
        for part in parts {
            let value = |length: &usize| Some((*length, self.values.get(&part.get(..*length)?.to_ascii_lowercase())?));
            let known = self.lengths.iter().rev().find_map(value);
            let is_first = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
            match known {
                Some((length, value)) => {
                    new.push_str(value);
                    new.push_str(part.get(length..).unwrap_or_default());
                }
                // An unknown variable is empty.
                None if part.starts_with(is_first) => {
                    let rest = part.trim_start_matches(|letter: char| is_first(letter) || letter.is_ascii_digit());
                    let name = part.strip_suffix(rest).unwrap_or(part).to_ascii_lowercase();
                    if self.unknown.len() < MAX_UNKNOWN && name.len() <= MAX_NAME {
                        self.unknown.insert(name);
                    }
                    new.push_str(rest);
                }
                // A price or the like, as in "$5".
                None => {
                    new.push('$');
                    new.push_str(part);
                }
            }
            if new.len() > max_bytes {
                return None;
            }
        }
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        let mut variables = Variables::default();
        for (name, value) in
            [("a", "1"), ("ab", "2"), ("Color_x", "255 0 0"), ("my-var", "3"), ("a", "first"), ("q", "???")]
        {
            variables.add(name, value);
        }
        let texts = [
            ("$a", "1"),
            ("$AB,$ac", "2,1c"),
            ("x$color_x$missing.", "x255 0 0."),
            ("$my-var$q", "3"),
            ("$5 $", "$5 $"),
            ("none", "none"),
            ("$ä$a", "$ä1"),
        ];
        for (text, expected) in texts {
            assert_eq!(variables.with_values(text, 100).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(variables.with_values(&"$ab".repeat(101), 100), None);
    }

    #[test]
    fn only_variables_change() {
        let text = |material: &str, light: &str, output: &str, inner: &str| {
            format!(
                "world\n{{\n\t\"id\" \"1\"\n\tsolid\n\t{{\n\t\t\"id\" \"2\"\n\t\tside\n\t\t{{\n\t\t\t\"material\" \"{material}\" // m\n\
                 \t\t}}\n\t}}\n}}\nentity\n{{\n\t\"classname\" \"light\"\n\t\"_light\" \"{light}\"\n\tconnections\n\t{{\n\t\t\
                 \"OnUser1\" \"{output},,0,-1\"\n\t}}\n}}\nentity\n{{\n\t\"classname\" \"func_instance\"\n\t\
                 \"replace01\" \"{inner}\"\n}}\n"
            )
        };
        let before = text("dev/$m", "$color 200", "$door,Open", "$m $Color");
        let mut map = Document::from_bytes(before.as_bytes()).unwrap();
        let unknown = map.replace_variables(&[("m", "wall"), ("color", "255 0 0")], 1 << 20).unwrap();
        assert_eq!(unknown, ["door"]);
        let after = text("dev/wall", "255 0 0 200", ",Open", "$m 255 0 0");
        assert_eq!(String::from_utf8_lossy(map.as_bytes()), after);
        let values = [("m", "x".repeat(1000))];
        let error = Document::from_bytes(before.as_bytes()).unwrap().replace_variables(&values, 999).unwrap_err();
        assert!(matches!(error.kind(), WriteErrorKind::Variables(999)), "{error}");
        let mut same = Document::from_bytes(b"world\n{\n\t\"a\" \"b\"\n}\n").unwrap();
        same.replace_variables(&[("a", "c")], 0).unwrap();
        assert_eq!(same.as_bytes(), b"world\n{\n\t\"a\" \"b\"\n}\n");
    }
}
