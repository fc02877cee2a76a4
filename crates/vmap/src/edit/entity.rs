//! Keys and outputs.

use mapwright_dmx::{ElementId, Reference, Value};

use super::{Editor, error, text};
use crate::{WriteError, WriteErrorKind};

/// An output to be added: when `output` happens, the entities called `target` are told `input`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Output {
    /// The event, as `OnTrigger`.
    pub output: String,
    /// The name of the entities that are told.
    pub target: String,
    /// What they are told, as `Enable`.
    pub input: String,
    /// A value that replaces the event's own; mostly empty.
    pub parameter: String,
    /// Seconds until they are told.
    pub delay: f32,
    /// How often this happens; −1: without limit.
    pub times_to_fire: i32,
}

impl Output {
    /// An output without parameter and delay, that always fires.
    pub fn new(output: impl Into<String>, target: impl Into<String>, input: impl Into<String>) -> Self {
        let (output, target, input) = (output.into(), target.into(), input.into());
        Self { output, target, input, parameter: String::new(), delay: 0.0, times_to_fire: -1 }
    }

    /// The same with another parameter.
    #[must_use]
    pub fn with_parameter(mut self, parameter: impl Into<String>) -> Self {
        self.parameter = parameter.into();
        self
    }

    /// The same with another delay, in seconds.
    #[must_use]
    pub fn with_delay(mut self, delay: f32) -> Self {
        self.delay = delay;
        self
    }

    /// The same, but it fires only so often.
    #[must_use]
    pub fn with_times_to_fire(mut self, times: i32) -> Self {
        self.times_to_fire = times;
        self
    }
}

impl Editor<'_> {
    /// Gives a key another value, or adds it behind the others. Values of keys are text, also those of numbers.
    ///
    /// # Errors
    /// If the element is no entity, if key or value hold a zero byte, or if the attribute of that name is no text.
    pub fn set_key(
        &mut self,
        entity: ElementId,
        key: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Result<(), WriteError> {
        let (key, value) = (text(key.as_ref())?, text(value.as_ref())?);
        let properties = self.key(entity, key)?;
        self.set_text(properties, key, value);
        Ok(())
    }

    /// Removes a key. Says whether the entity had it.
    ///
    /// # Errors
    /// If the element is no entity, or if the attribute of that name is no text.
    pub fn remove_key(&mut self, entity: ElementId, key: impl AsRef<[u8]>) -> Result<bool, WriteError> {
        let properties = self.key(entity, key.as_ref())?;
        Ok(self.map.graph_mut().unset(properties, key).is_some())
    }

    /// Adds an output behind the others.
    ///
    /// # Errors
    /// If the element has no outputs, or if a text holds a zero byte.
    pub fn add_output(&mut self, node: ElementId, output: &Output) -> Result<ElementId, WriteError> {
        let Output { output, target, input, parameter, delay, times_to_fire } = output;
        for part in [output, target, input, parameter] {
            text(part.as_bytes())?;
        }
        let Some(Value::ElementArray(old)) = self.node(node)?.element().get("connectionsData") else {
            return Err(self.no_entity(node));
        };
        let mut all = old.to_vec();
        let connection = self.make("DmeConnectionData", "").ok_or_else(|| self.no_entity(node))?;
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

    /// Removes an output: the element that [`Connection::element`](crate::Connection::element) is. Says whether the node had it.
    ///
    /// # Errors
    /// If the element has no outputs.
    pub fn remove_output(&mut self, node: ElementId, output: ElementId) -> Result<bool, WriteError> {
        let Some(Value::ElementArray(old)) = self.node(node)?.element().get("connectionsData") else {
            return Err(self.no_entity(node));
        };
        let rest: Vec<Reference> = old.iter().copied().filter(|&each| each != Reference::Element(output)).collect();
        let found = rest.len() != old.len();
        if found {
            self.map.graph_mut().set(node, "connectionsData", Value::ElementArray(rest.into()));
            self.removed.push(output);
        }
        Ok(found)
    }

    /// The element with the keys of an entity, of which one is to be changed.
    fn key(&self, entity: ElementId, key: &[u8]) -> Result<ElementId, WriteError> {
        let properties = self.node(entity)?.entity().ok_or_else(|| self.no_entity(entity))?.properties();
        match properties.get(key) {
            None | Some(Value::String(_)) => Ok(properties.id()),
            Some(_) => Err(error(WriteErrorKind::NoText { key: String::from_utf8_lossy(key).into_owned() })),
        }
    }

    fn no_entity(&self, node: ElementId) -> WriteError {
        let class = self.map.graph().element(node).map(|element| String::from_utf8_lossy(element.class()).into_owned());
        error(WriteErrorKind::NoEntity { class: class.unwrap_or_default() })
    }
}
