//! New nodes.

use mapwright_dmx::{ElementId, Reference, Value};

use super::{Editor, error, text};
use crate::schema::{Class, Field, Fresh, Order};
use crate::{Mesh, WriteError, WriteErrorKind};

/// An attribute of an element that serves as the model of a new one.
pub(super) struct Pattern {
    name: Vec<u8>,
    value: Option<Value>,
    fresh: Fresh,
}

impl Editor<'_> {
    /// Adds a node of a class below another. It has the attributes that a node of this class has in this map, or in maps of its
    /// format if it is the first; all with the values that they have in a node that Hammer has just made.
    ///
    /// # Errors
    /// If the parent is no node, or the class is neither known nor in the map, or is the world's or the visibility manager's.
    pub fn add_node(&mut self, parent: ElementId, class: &str) -> Result<ElementId, WriteError> {
        self.node(parent)?;
        if matches!(class, "CMapWorld" | "CVisibilityMgr") {
            return Err(error(WriteErrorKind::OnlyOne { class: class.to_owned() }));
        }
        let id = self.make(class, "").ok_or_else(|| error(WriteErrorKind::UnknownClass { class: class.to_owned() }))?;
        self.adopt(parent, id);
        Ok(id)
    }

    /// Adds an entity below a node. Its only key is `classname`.
    ///
    /// # Errors
    /// If the parent is no node or the class name holds a zero byte.
    pub fn add_entity(&mut self, parent: ElementId, classname: &str) -> Result<ElementId, WriteError> {
        text(classname.as_bytes())?;
        let entity = self.add_node(parent, "CMapEntity")?;
        self.set_key(entity, "classname", classname)?;
        Ok(entity)
    }

    /// Adds an empty group below a node.
    ///
    /// # Errors
    /// If the parent is no node.
    pub fn add_group(&mut self, parent: ElementId) -> Result<ElementId, WriteError> {
        self.add_node(parent, "CMapGroup")
    }

    /// Adds an instance below a node: the content of a group once more.
    ///
    /// # Errors
    /// If the parent is no node or the target is no group.
    pub fn add_instance(&mut self, parent: ElementId, target: ElementId) -> Result<ElementId, WriteError> {
        let found = self.node(target)?;
        if !found.element().is("CMapGroup") {
            let class = String::from_utf8_lossy(found.class()).into_owned();
            return Err(error(WriteErrorKind::NoGroup { class }));
        }
        let instance = self.add_node(parent, "CMapInstance")?;
        self.set(instance, "target", Value::Element(Reference::Element(target)));
        Ok(instance)
    }

    /// Adds a prefab below a node: another map, by its path relative to the content folder, as `maps/prefabs/pillar.vmap`. The path
    /// is listed among the assets.
    ///
    /// # Errors
    /// If the parent is no node or the path holds a zero byte.
    pub fn add_prefab(&mut self, parent: ElementId, path: &str) -> Result<ElementId, WriteError> {
        text(path.as_bytes())?;
        let prefab = self.add_node(parent, "CMapPrefab")?;
        self.set_text(prefab, "targetMapPath", path.as_bytes());
        self.add_asset(path)?;
        Ok(prefab)
    }

    /// Makes an element and those that it cannot be without. Nothing refers to it yet. `None` if the class is not known.
    pub(crate) fn make(&mut self, class: &str, name: &str) -> Option<ElementId> {
        let patterns = self.patterns(class)?;
        let guid = self.ids.guid(self.map);
        let element = self.map.graph_mut().push(class, name, guid);
        self.fill(element, patterns);
        Some(element)
    }

    /// Gives an element attributes.
    pub(super) fn fill(&mut self, element: ElementId, patterns: Vec<Pattern>) {
        for Pattern { name, value, fresh } in patterns {
            let value = match value {
                Some(value) => value,
                None => self.value(fresh),
            };
            self.map.graph_mut().set(element, name, value);
        }
    }

    /// The attributes of a new element: those of the first one of its class in the map that the table of the class knows, in the
    /// same order; without one those of the table.
    pub(super) fn patterns(&mut self, class: &str) -> Option<Vec<Pattern>> {
        let format = self.map.format_version();
        let known = Class::from_name(class.as_bytes());
        let model = if known.is_none_or(Class::is_node) { self.model(class.as_bytes()) } else { None };
        let of = |field: &Field| Pattern { name: field.name.into(), value: None, fresh: field.value };
        let Some(model) = model.and_then(|model| self.map.node(model)) else {
            return Some(known?.fields(format, self.order()).into_iter().map(of).collect());
        };
        let attributes = model.element().attributes().filter_map(|(name, value)| {
            let name = name.to_vec();
            match known {
                None => Some(Pattern { fresh: Fresh::Null, value: Some(blank(&name, value)?), name }),
                Some(known) => {
                    let fresh = like(known.field(&name, format).filter(|field| !field.is_optional())?.value, value);
                    Some(Pattern { name, value: None, fresh })
                }
            }
        });
        let mut patterns: Vec<Pattern> = attributes.collect();
        // What no map may lack: another program may have left it out of the first one.
        for pattern in &mut patterns {
            match pattern.name.as_slice() {
                b"nodeID" => (pattern.fresh, pattern.value) = (Fresh::NodeId, None),
                b"referenceID" => (pattern.fresh, pattern.value) = (Fresh::ReferenceId, None),
                _ => {}
            }
        }
        let missing = known.map_or_else(Vec::new, |known| known.fields(format, self.order()));
        let essential = |field: &&Field| matches!(field.value, Fresh::NodeId | Fresh::Elements | Fresh::Child(..));
        for field in missing.into_iter().filter(essential) {
            if !patterns.iter().any(|pattern| pattern.name == field.name.as_bytes()) {
                patterns.push(of(field));
            }
        }
        Some(patterns)
    }

    /// The first element of a class. It is looked for once: new ones come behind it.
    fn model(&mut self, class: &[u8]) -> Option<ElementId> {
        let graph = self.map.graph();
        let known = self.models.get(class).copied();
        // The graph may have been changed by hand since.
        if let Some(known) = known.filter(|known| graph.element(*known).is_some_and(|element| element.is(class))) {
            return Some(known);
        }
        let first = graph.iter().find(|element| element.is(class))?.id();
        self.models.insert(class.to_vec(), first);
        Some(first)
    }

    /// The order in which the map's nodes have their attributes.
    fn order(&self) -> Order {
        let first = self.map.world().and_then(|world| world.element().attributes().next());
        match first {
            Some((b"nodeID", _)) => Order::NumberFirst,
            Some(_) => Order::TransformFirst,
            None => Order::of(self.map.format_version()),
        }
    }

    /// What a new attribute says.
    fn value(&mut self, fresh: Fresh) -> Value {
        match fresh {
            Fresh::Bool(value) => Value::Bool(value.into()),
            Fresh::Int(value) => Value::Int(value),
            Fresh::Float(value) => Value::Float(value),
            Fresh::Text(value) => self.map.graph_mut().string_value(value),
            Fresh::Vector3(value) => Value::Vector3(value),
            Fresh::Angles(value) => Value::QAngle(value),
            Fresh::Color(value) => Value::Color(value),
            Fresh::Texts => Value::StringArray(Box::default()),
            Fresh::Ints => Value::IntArray(Box::default()),
            Fresh::Vectors => Value::Vector3Array(Box::default()),
            Fresh::Quaternions => Value::QuaternionArray(Box::default()),
            Fresh::Elements => Value::ElementArray(Box::default()),
            Fresh::Null => Value::Element(Reference::Null),
            Fresh::NodeId => Value::Int(self.ids.number(self.map)),
            Fresh::ReferenceId => Value::UInt64(self.ids.reference(self.map)),
            // Tables nest three deep: root, world, plugs.
            Fresh::Child(class, name) => {
                let Some(child) = self.make(class, name) else { return Value::Element(Reference::Null) };
                if class == "CDmePolygonMesh" {
                    self.put_mesh(child, &Mesh::default());
                }
                Value::Element(Reference::Element(child))
            }
        }
    }
}

/// What a new attribute says, in the type that it has elsewhere in the map.
fn like(fresh: Fresh, value: &Value) -> Fresh {
    match (fresh, value) {
        (Fresh::Bool(truth), Value::Int(_)) => Fresh::Int(truth.into()),
        (Fresh::Int(number), Value::Bool(_)) => Fresh::Bool(number != 0),
        _ => fresh,
    }
}

/// The empty value of the same type; `None` if there is none.
fn blank(name: &[u8], value: &Value) -> Option<Value> {
    Some(match value {
        Value::Element(_) => Value::Element(Reference::Null),
        Value::ElementArray(_) => Value::ElementArray(Box::default()),
        Value::Vector3(_) if name == b"scales" => Value::Vector3([1.0; 3]),
        Value::Color(_) => Value::Color([255; 4]),
        Value::StringArray(_) => Value::StringArray(Box::default()),
        Value::IntArray(_) => Value::IntArray(Box::default()),
        Value::Int(_) => Value::Int(0),
        Value::Float(_) => Value::Float(0.0),
        Value::Bool(_) => Value::Bool(0),
        Value::String(_) => Value::String(mapwright_dmx::StringId::EMPTY),
        Value::Vector3(_) => Value::Vector3([0.0; 3]),
        Value::QAngle(_) => Value::QAngle([0.0; 3]),
        Value::UInt64(_) => Value::UInt64(0),
        _ => return None,
    })
}
