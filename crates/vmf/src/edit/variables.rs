//! Variables of maps that other maps contain as instances.

use std::collections::BTreeMap;

use mapwright_keyvalues::kv1::Item;

use super::Edit;
use crate::document::entity::is_replacement;
use crate::document::value;
use crate::{Document, WriteError};

impl Document {
    /// Replaces variables, such as `$color`, by their values, as compilers do it for the map of an instance: in the keys and outputs of
    /// entities, and in the materials of solids. The case of names is ignored. Variables without a value become empty.
    ///
    /// The names have no `$`. In the keys `replace01` and so on of instances in the map, only the values are changed. Entities of the class
    /// `func_instance_parms`, which declare variables, stay as they are.
    ///
    /// # Errors
    /// If a value contains a quote, which maps cannot store.
    pub fn replace_variables(&mut self, values: &[(impl AsRef<str>, impl AsRef<str>)]) -> Result<(), WriteError> {
        if !self.as_bytes().contains(&b'$') {
            return Ok(());
        }
        // The first of equal names counts.
        let mut by_name = BTreeMap::new();
        for (name, value) in values {
            by_name.entry(name.as_ref().to_ascii_lowercase()).or_insert(value.as_ref());
        }
        let mut edit = Edit::new(self);
        // Declarations of variables keep their names.
        for entity in self.all_entities().filter(|entity| !entity.is_class("func_instance_parms")) {
            let is_instance = entity.as_instance().is_some();
            for key in entity.keys() {
                let names_variable = is_instance && is_replacement(&key.name_text());
                replace(&mut edit, key, &by_name, names_variable)?;
            }
            for output in entity.outputs() {
                replace(&mut edit, output.item(), &by_name, false)?;
            }
            let sides = entity.solids().flat_map(|solid| solid.sides());
            for material in sides.filter_map(|side| value::key(side.item(), "material")) {
                replace(&mut edit, material, &by_name, false)?;
            }
        }
        *self = edit.apply()?;
        Ok(())
    }
}

/// Replaces variables in the value of a key.
fn replace<'a>(
    edit: &mut Edit<'a>,
    key: Item<'a>,
    values: &BTreeMap<String, &str>,
    keeps_first_word: bool,
) -> Result<(), WriteError> {
    let Some(text) = key.text().filter(|text| text.contains('$')) else { return Ok(()) };
    let start = if keeps_first_word { text.find([' ', '\t']).unwrap_or(text.len()) } else { 0 };
    let (kept, rest) = text.split_at(start);
    let new = kept.to_owned() + &with_values(rest, values);
    if new == text { Ok(()) } else { edit.set_value(key, new) }
}

/// Returns a text with the values of its variables. The longest name that has a value counts.
fn with_values(text: &str, values: &BTreeMap<String, &str>) -> String {
    let mut new = String::with_capacity(text.len());
    let mut parts = text.split('$');
    new.extend(parts.next());
    for part in parts {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = part.find(|letter| !is_letter(letter)).unwrap_or(part.len());
        // A number is a price or the like, as in "$5".
        if !part.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_') {
            new.push('$');
            new.push_str(part);
            continue;
        }
        let name = part.get(..end).unwrap_or_default().to_ascii_lowercase();
        let known = (1..=name.len()).rev().find_map(|length| Some((length, *values.get(name.get(..length)?)?)));
        let (length, value) = known.unwrap_or((end, ""));
        new.push_str(value);
        new.push_str(part.get(length..).unwrap_or_default());
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        let values = [("a", "1"), ("ab", "2"), ("color_x", "255 0 0")];
        let values = values.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        let texts = [
            ("$a", "1"),
            ("$AB,$ac", "2,1c"),
            ("x$color_x$missing.", "x255 0 0."),
            ("$5 $", "$5 $"),
            ("none", "none"),
            ("$ä$a", "$ä1"),
        ];
        for (text, expected) in texts {
            assert_eq!(with_values(text, &values), expected, "{text}");
        }
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
        map.replace_variables(&[("m", "wall"), ("color", "255 0 0")]).unwrap();
        let after = text("dev/wall", "255 0 0 200", ",Open", "$m 255 0 0");
        assert_eq!(String::from_utf8_lossy(map.as_bytes()), after);
        let mut same = Document::from_bytes(b"world\n{\n\t\"a\" \"b\"\n}\n").unwrap();
        same.replace_variables(&[("a", "c")]).unwrap();
        assert_eq!(same.as_bytes(), b"world\n{\n\t\"a\" \"b\"\n}\n");
    }
}
