//! Adds nodes.

use mapwright_dmx::{ElementId, Reference, Value};

use super::{Editor, error, text};
use crate::schema::{Class, Field, Fresh, Order};
use crate::{Mesh, WriteError, WriteErrorKind};

/// An attribute of a new element.
pub(super) struct Pattern {
    pub(super) name: Vec<u8>,
    value: Option<Value>,
    pub(super) fresh: Fresh,
}

impl Editor<'_> {
    /// Adds a node of a class below another. It gets the attributes of the first node of this class in the map, or those of maps of this
    /// format. Their values are those of a new node in Hammer.
    ///
    /// # Errors
    /// If the parent is not a node, if the class is neither known nor in the map, or if it is that of the world or the visibility manager.
    pub fn add_node(&mut self, parent: ElementId, class: &str) -> Result<ElementId, WriteError> {
        self.node(parent)?;
        if matches!(class, "CMapWorld" | "CVisibilityMgr") {
            return Err(error(WriteErrorKind::OnlyOne { class: class.to_owned() }));
        }
        let id =
            self.create(class, "").ok_or_else(|| error(WriteErrorKind::UnknownClass { class: class.to_owned() }))?;
        self.adopt(parent, id);
        Ok(id)
    }

    /// Adds an entity below a node. Its only key is `classname`.
    ///
    /// # Errors
    /// If the parent is not a node or the class name contains a zero byte.
    pub fn add_entity(&mut self, parent: ElementId, classname: &str) -> Result<ElementId, WriteError> {
        text(classname.as_bytes())?;
        let entity = self.add_node(parent, "CMapEntity")?;
        self.set_key(entity, "classname", classname)?;
        Ok(entity)
    }

    /// Adds an empty group below a node.
    ///
    /// # Errors
    /// If the parent is not a node.
    pub fn add_group(&mut self, parent: ElementId) -> Result<ElementId, WriteError> {
        self.add_node(parent, "CMapGroup")
    }

    /// Adds an instance of a group below a node.
    ///
    /// # Errors
    /// If the parent is not a node or the target is not a group.
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

    /// Adds a prefab below a node. `path` is that of the other map, relative to the content folder, such as `maps/prefabs/pillar.vmap`. It
    /// is added to the list of assets.
    ///
    /// # Errors
    /// If the parent is not a node or the path contains a zero byte.
    pub fn add_prefab(&mut self, parent: ElementId, path: &str) -> Result<ElementId, WriteError> {
        text(path.as_bytes())?;
        let prefab = self.add_node(parent, "CMapPrefab")?;
        self.set_text(prefab, "targetMapPath", path.as_bytes());
        self.add_asset(path)?;
        Ok(prefab)
    }

    /// Creates an element with its required parts. Nothing refers to it yet. `None` if the class is unknown.
    pub(crate) fn create(&mut self, class: &str, name: &str) -> Option<ElementId> {
        let patterns = self.patterns(class)?;
        let guid = self.ids.new_guid(self.map);
        let element = self.map.graph_mut().push(class, name, guid);
        self.set_attributes(element, patterns);
        Some(element)
    }

    /// Sets the attributes of a new element.
    pub(super) fn set_attributes(&mut self, element: ElementId, patterns: Vec<Pattern>) {
        for Pattern { name, value, fresh } in patterns {
            let value = match value {
                Some(value) => value,
                None => self.new_value(fresh),
            };
            self.map.graph_mut().set(element, name, value);
        }
    }

    /// Returns the attributes of a new element: the known ones of the first element of its class in the map, in the
    /// same order, or those of the schema.
    pub(super) fn patterns(&mut self, class: &str) -> Option<Vec<Pattern>> {
        let format = self.map.format_version();
        let known = Class::from_name(class.as_bytes());
        let model = if known.is_none_or(Class::is_node) { self.first_of_class(class.as_bytes()) } else { None };
        let from_field = |field: &Field| Pattern { name: field.name.into(), value: None, fresh: field.value };
        let Some(model) = model.and_then(|model| self.map.node(model)) else {
            return Some(known?.fields(format, self.attribute_order()).into_iter().map(from_field).collect());
        };
        let attributes = model.element().attributes().filter_map(|(name, value)| {
            let name = name.to_vec();
            match known {
                None => Some(Pattern { fresh: Fresh::Null, value: Some(empty_value(&name, value)?), name }),
                Some(known) => {
                    let fresh =
                        with_type_of(known.field(&name, format).filter(|field| !field.is_optional())?.value, value);
                    Some(Pattern { name, value: None, fresh })
                }
            }
        });
        let mut patterns: Vec<Pattern> = attributes.collect();
        // Another program may have left required attributes out of the first element.
        for pattern in &mut patterns {
            match pattern.name.as_slice() {
                b"nodeID" => (pattern.fresh, pattern.value) = (Fresh::NodeId, None),
                b"referenceID" => (pattern.fresh, pattern.value) = (Fresh::ReferenceId, None),
                _ => {}
            }
        }
        let missing = known.map_or_else(Vec::new, |known| known.fields(format, self.attribute_order()));
        let essential = |field: &&Field| matches!(field.value, Fresh::NodeId | Fresh::Elements | Fresh::Child(..));
        for field in missing.into_iter().filter(essential) {
            if !patterns.iter().any(|pattern| pattern.name == field.name.as_bytes()) {
                patterns.push(from_field(field));
            }
        }
        Some(patterns)
    }

    /// Returns the first element of a class. The search runs once: new elements come after it.
    fn first_of_class(&mut self, class: &[u8]) -> Option<ElementId> {
        let graph = self.map.graph();
        let known = self.models.get(class).copied();
        // The graph may have been changed by hand in the meantime.
        if let Some(known) = known.filter(|known| graph.element(*known).is_some_and(|element| element.is(class))) {
            return Some(known);
        }
        let first = graph.iter().find(|element| element.is(class))?.id();
        self.models.insert(class.to_vec(), first);
        Some(first)
    }

    /// Returns the order of attributes in the map's nodes.
    fn attribute_order(&self) -> Order {
        let first = self.map.world().and_then(|world| world.element().attributes().next());
        match first {
            Some((b"nodeID", _)) => Order::NumberFirst,
            Some(_) => Order::TransformFirst,
            None => Order::from_format(self.map.format_version()),
        }
    }

    /// Returns the value of a new attribute.
    fn new_value(&mut self, fresh: Fresh) -> Value {
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
            Fresh::NodeId => Value::Int(self.ids.new_number(self.map)),
            Fresh::ReferenceId => Value::UInt64(self.ids.new_reference(self.map)),
            // The schema nests three levels: root, world, plugs.
            Fresh::Child(class, name) => {
                let Some(child) = self.create(class, name) else { return Value::Element(Reference::Null) };
                if class == "CDmePolygonMesh" {
                    self.write_mesh(child, &Mesh::default());
                }
                Value::Element(Reference::Element(child))
            }
        }
    }
}

/// Converts a new value to the type that the attribute has elsewhere in the map.
fn with_type_of(fresh: Fresh, value: &Value) -> Fresh {
    match (fresh, value) {
        (Fresh::Bool(truth), Value::Int(_)) => Fresh::Int(truth.into()),
        (Fresh::Int(number), Value::Bool(_)) => Fresh::Bool(number != 0),
        _ => fresh,
    }
}

/// Returns the empty value of the same type; `None` if there is none.
fn empty_value(name: &[u8], value: &Value) -> Option<Value> {
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
