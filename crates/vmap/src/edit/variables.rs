//! Gives the variables of a map the values that a prefab sets.

use std::collections::HashMap;

use mapwright_dmx::{ElementId, Value};
use mapwright_io::Losses;

use crate::{Document, HiddenFlags, WriteError};

/// The names of attributes in bindings. Any other name is a key of an entity.
const FORCE_HIDDEN: &[u8] = b"Force Hidden";
const HIDDEN: &[u8] = b"Hidden";

/// A key and its value.
type KeyValue = (Vec<u8>, Vec<u8>);

impl Document {
    /// Gives the variables of the map values, as a prefab does, and applies them to the keys that are bound to variables. The bindings
    /// are removed.
    ///
    /// An override names a variable, or a group of choices with a choice as value. If nothing has exactly this name, case is ignored, which
    /// is reported, as are overrides without a variable. Variables without an override have the value that the map stores.
    ///
    /// A node that is bound as `Force Hidden` or `Hidden` is hidden if the value is true.
    ///
    /// # Errors
    /// If a value contains a zero byte, or a bound key is not text. The map is partly changed then.
    pub fn apply_variables(&mut self, overrides: &[(&[u8], &[u8])]) -> Result<Losses, WriteError> {
        let mut losses = Losses::new();
        let values = self.variable_values(overrides, &mut losses);
        let mut changes: Vec<(ElementId, Vec<KeyValue>)> = Vec::new();
        for visit in self.nodes() {
            let bindings = visit.node.bindings();
            let bound = bindings.filter_map(|it| Some((it.key.to_vec(), values.get(it.variable)?.clone())));
            let bound: Vec<_> = bound.collect();
            if !bound.is_empty() {
                changes.push((visit.node.id(), bound));
            }
        }
        self.edit(|map| {
            let mut hidden = Vec::new();
            for (node, bound) in changes {
                for (key, value) in bound {
                    let is_true = !matches!(value.trim_ascii(), b"" | b"0") && !value.eq_ignore_ascii_case(b"false");
                    if [FORCE_HIDDEN, HIDDEN].contains(&key.as_slice()) {
                        let flags = if is_true { HiddenFlags::SELECTION_SET } else { HiddenFlags::VISIBLE };
                        hidden.push((node, flags));
                    } else if map.map().node(node).is_some_and(|node| node.entity().is_some()) {
                        map.set_key(node, key, value)?;
                    }
                }
                for list in ["variableTargetKeys", "variableNames"] {
                    map.set(node, list, Value::StringArray(Box::default()));
                }
            }
            if hidden.is_empty() { Ok(()) } else { map.set_all_hidden(&hidden) }
        })?;
        Ok(losses)
    }

    /// Returns the value of each variable.
    fn variable_values(&self, overrides: &[(&[u8], &[u8])], losses: &mut Losses) -> HashMap<Vec<u8>, Vec<u8>> {
        let Some(variables) = self.variables() else { return HashMap::new() };
        let mut values: HashMap<Vec<u8>, Vec<u8>> =
            variables.iter().map(|it| (it.name.to_vec(), it.value.to_vec())).collect();
        // By name, and by name in lower case. The first of equal names counts.
        let (mut by_name, mut groups) = (HashMap::new(), HashMap::new());
        for variable in variables.iter() {
            for key in [(true, variable.name.to_vec()), (false, variable.name.to_ascii_lowercase())] {
                by_name.entry(key).or_insert(variable.name);
            }
        }
        // The name of a group is that of its element.
        for group in variables.choice_groups() {
            let name = group.element().name();
            for key in [(true, name.to_vec()), (false, name.to_ascii_lowercase())] {
                groups.entry(key).or_insert(group);
            }
        }
        for &(name, value) in overrides {
            let text = String::from_utf8_lossy(name);
            let mut is_found = false;
            for is_exact in [true, false] {
                let is_equal = |a: &[u8], b: &[u8]| if is_exact { a == b } else { a.eq_ignore_ascii_case(b) };
                let key = (is_exact, if is_exact { name.to_vec() } else { name.to_ascii_lowercase() });
                if let Some(variable) = by_name.get(&key) {
                    values.insert(variable.to_vec(), value.to_vec());
                } else if let Some(group) = groups.get(&key) {
                    let choice = group.choices().find(|it| is_equal(it.element().name(), value));
                    let Some(choice) = choice else { continue };
                    for (variable, value) in group.variables().iter().zip(choice.values().iter()) {
                        values.insert(variable.to_vec(), value.to_vec());
                    }
                } else {
                    continue;
                }
                if !is_exact {
                    losses.repaired("mapVariables", format!("override {text:?} differs in case from its variable"));
                }
                is_found = true;
                break;
            }
            if !is_found {
                losses.dropped("mapVariables", format!("override {text:?} of no variable"));
            }
        }
        values
    }
}
