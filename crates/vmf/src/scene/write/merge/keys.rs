//! Changes of keys and outputs of one block.

use std::collections::HashMap;

use mapwright_keyvalues::kv1::Item;

use crate::scene::write::values::Keys;
use crate::{Connection, Edit, Entity, Output, WriteError};

/// The values of a key before and after the change.
#[derive(Default)]
struct Values<'k> {
    name: &'k str,
    before: Vec<&'k str>,
    after: Vec<&'k str>,
}

/// Changes the keys of a block. The values of a key are compared in their order.
pub(super) fn edit_keys<'d>(
    edit: &mut Edit<'d>,
    block: Item<'d>,
    before: &Keys,
    after: &Keys,
) -> Result<(), WriteError> {
    if before == after {
        return Ok(());
    }
    let mut order: Vec<Values<'_>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (keys, is_after) in [(before, false), (after, true)] {
        for (name, value) in keys {
            let place = *places.entry(name.to_ascii_lowercase()).or_insert_with(|| {
                order.push(Values { name, ..Values::default() });
                order.len() - 1
            });
            let Some(values) = order.get_mut(place) else { continue };
            if is_after { values.after.push(value) } else { values.before.push(value) }
        }
    }
    order.retain(|values| values.before != values.after);
    if order.is_empty() {
        return Ok(());
    }
    let mut items: HashMap<String, Vec<Item<'d>>> = HashMap::new();
    for item in block.items().filter(|item| !item.is_block()) {
        items.entry(item.name_text().to_ascii_lowercase()).or_default().push(item);
    }
    for Values { name, before, after } in order {
        let own = items.remove(&name.to_ascii_lowercase()).unwrap_or_default();
        for index in 0..before.len().max(after.len()) {
            match (before.get(index), after.get(index), own.get(index)) {
                (old, Some(new), _) if old == Some(new) => {}
                (_, Some(new), Some(item)) => edit.set_value(*item, new)?,
                (_, Some(new), None) => insert_key(edit, block, name, new)?,
                (_, None, Some(item)) => edit.remove(*item),
                (_, None, None) => {}
            }
        }
    }
    Ok(())
}

fn insert_key<'d>(edit: &mut Edit<'d>, block: Item<'d>, name: &str, value: &str) -> Result<(), WriteError> {
    edit.text().insert_key(Some(block), name, value).map_err(|error| error.map_kind(Into::into))
}

/// Changes the outputs of an entity. Changed ones keep their separator.
pub(super) fn edit_outputs<'d>(
    edit: &mut Edit<'d>,
    entity: Entity<'d>,
    before: &[(String, Connection)],
    after: &[(String, Connection)],
) -> Result<(), WriteError> {
    if before == after {
        return Ok(());
    }
    let outputs: Vec<(Output<'d>, Connection)> =
        entity.outputs().filter_map(|output| Some((output, output.connection()?))).collect();
    for index in 0..before.len().max(after.len()) {
        let old = before.get(index);
        match (after.get(index), outputs.get(index)) {
            (Some(new), _) if old == Some(new) => {}
            (Some((name, connection)), Some((output, stored))) => {
                if old.is_none_or(|(old, _)| old != name) {
                    edit.text().rename(output.item(), name).map_err(|error| error.map_kind(Into::into))?;
                }
                let kept = Connection { separator: stored.separator, ..connection.clone() };
                let is_readable = Connection::parse(&kept.to_string()).as_ref() == Some(&kept);
                edit.set_connection(*output, if is_readable { &kept } else { connection })?;
            }
            (Some((name, connection)), None) => edit.insert_output(entity, name, connection)?,
            (None, Some((output, _))) => edit.remove(output.item()),
            (None, None) => {}
        }
    }
    Ok(())
}
