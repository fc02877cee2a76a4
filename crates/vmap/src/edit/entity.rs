//! Edits keys and outputs.

use mapwright_dmx::{ElementId, Reference, Value};

use super::{Editor, error, text};
use crate::{WriteError, WriteErrorKind};

/// A new output: the event `output` triggers `input` of the entities named `target`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Output {
    /// Event, such as `OnTrigger`.
    pub output: String,
    /// Name of the target entities.
    pub target: String,
    /// Input to trigger, such as `Enable`.
    pub input: String,
    /// Value that replaces the event's own; mostly empty.
    pub parameter: String,
    /// Delay in seconds.
    pub delay: f32,
    /// Maximum number of times that the output fires; −1 for unlimited.
    pub times_to_fire: i32,
}

impl Output {
    /// Creates an output without parameter, delay and limit.
    pub fn new(output: impl Into<String>, target: impl Into<String>, input: impl Into<String>) -> Self {
        let (output, target, input) = (output.into(), target.into(), input.into());
        Self { output, target, input, parameter: String::new(), delay: 0.0, times_to_fire: -1 }
    }

    /// Changes [`parameter`](Self::parameter).
    #[must_use]
    pub fn with_parameter(mut self, parameter: impl Into<String>) -> Self {
        self.parameter = parameter.into();
        self
    }

    /// Changes [`delay`](Self::delay).
    #[must_use]
    pub fn with_delay(mut self, delay: f32) -> Self {
        self.delay = delay;
        self
    }

    /// Changes [`times_to_fire`](Self::times_to_fire).
    #[must_use]
    pub fn with_times_to_fire(mut self, times: i32) -> Self {
        self.times_to_fire = times;
        self
    }
}

impl Editor<'_> {
    /// Sets the value of a key, or adds the key after the others. All values are text, including numbers.
    ///
    /// # Errors
    /// If the element is not an entity, if key or value contain a zero byte, or if the attribute is not a string.
    pub fn set_key(
        &mut self,
        entity: ElementId,
        key: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Result<(), WriteError> {
        let (key, value) = (text(key.as_ref())?, text(value.as_ref())?);
        let properties = self.keys_with(entity, key)?;
        self.set_text(properties, key, value);
        Ok(())
    }

    /// Removes a key. Returns `true` if the entity had it.
    ///
    /// # Errors
    /// If the element is not an entity, or if the attribute is not a string.
    pub fn remove_key(&mut self, entity: ElementId, key: impl AsRef<[u8]>) -> Result<bool, WriteError> {
        let properties = self.keys_with(entity, key.as_ref())?;
        Ok(self.map.graph_mut().unset(properties, key).is_some())
    }

    /// Adds an output after the others.
    ///
    /// # Errors
    /// If the element cannot have outputs, or if a string contains a zero byte.
    pub fn add_output(&mut self, node: ElementId, output: &Output) -> Result<ElementId, WriteError> {
        let Output { output, target, input, parameter, delay, times_to_fire } = output;
        for part in [output, target, input, parameter] {
            text(part.as_bytes())?;
        }
        let Some(Value::ElementArray(old)) = self.node(node)?.element().get("connectionsData") else {
            return Err(self.no_entity_error(node));
        };
        let mut all = old.to_vec();
        let connection = self.create("DmeConnectionData", "").ok_or_else(|| self.no_entity_error(node))?;
        all.push(Reference::Element(connection));
        self.map.graph_mut().set(node, "connectionsData", Value::ElementArray(all.into()));
        for (name, part) in
            [("outputName", output), ("targetName", target), ("inputName", input), ("overrideParam", parameter)]
        {
            self.set_text(connection, name, part.as_bytes());
        }
        self.set(connection, "delay", Value::Float(*delay));
        self.set(connection, "timesToFire", Value::Int(*times_to_fire));
        Ok(connection)
    }

    /// Removes an output, given by its [element](crate::Connection::element). Returns `true` if the node had it.
    ///
    /// # Errors
    /// If the element cannot have outputs.
    pub fn remove_output(&mut self, node: ElementId, output: ElementId) -> Result<bool, WriteError> {
        let Some(Value::ElementArray(old)) = self.node(node)?.element().get("connectionsData") else {
            return Err(self.no_entity_error(node));
        };
        let rest: Vec<Reference> = old.iter().copied().filter(|&each| each != Reference::Element(output)).collect();
        let found = rest.len() != old.len();
        if found {
            self.map.graph_mut().set(node, "connectionsData", Value::ElementArray(rest.into()));
            self.removed.push(output);
        }
        Ok(found)
    }

    /// Returns the element with the keys of an entity. Checks that the key can be changed.
    fn keys_with(&self, entity: ElementId, key: &[u8]) -> Result<ElementId, WriteError> {
        let properties = self.node(entity)?.entity().ok_or_else(|| self.no_entity_error(entity))?.properties();
        match properties.get(key) {
            None | Some(Value::String(_)) => Ok(properties.id()),
            Some(_) => Err(error(WriteErrorKind::NoText { key: String::from_utf8_lossy(key).into_owned() })),
        }
    }

    fn no_entity_error(&self, node: ElementId) -> WriteError {
        let class = self.map.graph().element(node).map(|element| String::from_utf8_lossy(element.class()).into_owned());
        error(WriteErrorKind::NoEntity { class: class.unwrap_or_default() })
    }
}
