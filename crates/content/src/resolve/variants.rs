//! Settings of references that change the content of a file.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use mapwright_scene::{Prefab, Value};

/// The settings that are known so far, each with a number.
#[derive(Debug)]
pub(super) struct Variants<T>(Mutex<Known<T>>);

#[derive(Debug)]
struct Known<T> {
    /// The settings with the numbers from 1.
    list: Vec<Arc<T>>,
    numbers: HashMap<Arc<T>, u32>,
}

impl<T> Default for Variants<T> {
    fn default() -> Self {
        Self(Mutex::new(Known { list: Vec::new(), numbers: HashMap::new() }))
    }
}

impl<T: Eq + Hash> Variants<T> {
    /// Returns the number of settings, which is never 0. Equal settings have the same number.
    pub(super) fn intern(&self, settings: T) -> u32 {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Known { list, numbers } = &mut *known;
        if let Some(number) = numbers.get(&settings) {
            return *number;
        }
        let settings = Arc::new(settings);
        list.push(Arc::clone(&settings));
        *numbers.entry(settings).or_insert(u32::try_from(list.len()).unwrap_or(u32::MAX))
    }

    /// Returns the settings with a number.
    pub(super) fn get(&self, number: u32) -> Option<Arc<T>> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).list.get(index).cloned()
    }
}

/// Returns the values of variables that a prefab overrides, with their names.
pub(super) fn override_texts(prefab: &Prefab) -> Vec<(String, String)> {
    let text = |(name, value): (&str, &Value)| Some((name.to_owned(), value.as_text()?.to_owned()));
    prefab.overrides.iter().filter_map(text).collect()
}
