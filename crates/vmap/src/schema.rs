//! Attributes of each class in Hammer's order, per version of the format.
//!
//! Derived from 331 maps of formats 16 to 40. Hammer opens maps with missing and with unknown attributes. The tables serve to add
//! elements as Hammer would, and to report differences from what Hammer writes.

mod nodes;
mod parts;

use mapwright_dmx::Value;
#[cfg(feature = "scene")]
use mapwright_dmx::{Reference, StringId};

/// The range of formats with an attribute.
#[derive(Debug, Clone, Copy)]
struct Formats {
    from: u32,
    until: u32,
    // Format 30 of s&box is not between its neighbours.
    except: u32,
}

/// An attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) value: Fresh,
    formats: Formats,
}

/// The value of a new attribute, which is also its default.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fresh {
    Bool(bool),
    Int(i32),
    Float(f32),
    Text(&'static str),
    Vector3([f32; 3]),
    Angles([f32; 3]),
    Color([u8; 4]),
    Texts,
    Ints,
    Vectors,
    Quaternions,
    Elements,
    Null,
    /// A free number.
    NodeId,
    /// A random identity.
    ReferenceId,
    /// A new element of a class, with a name.
    Child(&'static str, &'static str),
}

const fn field(name: &'static str, value: Fresh) -> Field {
    Field { name, value, formats: Formats { from: 0, until: u32::MAX, except: u32::MAX } }
}

impl Field {
    const fn from(mut self, format: u32) -> Self {
        self.formats.from = format;
        self
    }

    const fn until_format(mut self, format: u32) -> Self {
        self.formats.until = format;
        self
    }

    const fn except_format(mut self, format: u32) -> Self {
        self.formats.except = format;
        self
    }

    /// An attribute that some maps have and new ones do not need.
    const fn optional(self) -> Self {
        self.from(u32::MAX)
    }

    const fn only_format(self, format: u32) -> Self {
        self.from(format).until_format(format)
    }

    /// Returns `true` if new elements never have the attribute.
    pub(crate) fn is_optional(&self) -> bool {
        self.formats.from == u32::MAX
    }

    /// Returns `true` if maps of a format have the attribute.
    pub(crate) fn is_in_format(&self, format: u32) -> bool {
        let Formats { from, until, except } = self.formats;
        (from..=until).contains(&format) && format != except
    }
}

impl Fresh {
    /// Returns `true` if a value has the type of this one.
    pub(crate) fn is_type_of(self, value: &Value) -> bool {
        match self {
            Self::Bool(_) => matches!(value, Value::Bool(_)),
            Self::Int(_) | Self::NodeId => matches!(value, Value::Int(_)),
            Self::Float(_) => matches!(value, Value::Float(_)),
            Self::Text(_) => matches!(value, Value::String(_)),
            Self::Vector3(_) => matches!(value, Value::Vector3(_)),
            Self::Angles(_) => matches!(value, Value::QAngle(_)),
            Self::Color(_) => matches!(value, Value::Color(_)),
            Self::Texts => matches!(value, Value::StringArray(_)),
            Self::Ints => matches!(value, Value::IntArray(_)),
            Self::Vectors => matches!(value, Value::Vector3Array(_)),
            Self::Quaternions => matches!(value, Value::QuaternionArray(_)),
            Self::Elements => matches!(value, Value::ElementArray(_)),
            Self::Null | Self::Child(..) => matches!(value, Value::Element(_)),
            Self::ReferenceId => matches!(value, Value::UInt64(_)),
        }
    }

    /// Returns an empty value of the type.
    #[cfg(feature = "scene")]
    pub(crate) fn empty(self) -> Value {
        match self {
            Self::Bool(_) => Value::Bool(0),
            Self::Int(_) | Self::NodeId => Value::Int(0),
            Self::Float(_) => Value::Float(0.0),
            Self::Text(_) => Value::String(StringId::EMPTY),
            Self::Vector3(_) => Value::Vector3([0.0; 3]),
            Self::Angles(_) => Value::QAngle([0.0; 3]),
            Self::Color(_) => Value::Color([0; 4]),
            Self::Texts => Value::StringArray(Box::default()),
            Self::Ints => Value::IntArray(Box::default()),
            Self::Vectors => Value::Vector3Array(Box::default()),
            Self::Quaternions => Value::QuaternionArray(Box::default()),
            Self::Elements => Value::ElementArray(Box::default()),
            Self::Null | Self::Child(..) => Value::Element(Reference::Null),
            Self::ReferenceId => Value::UInt64(0),
        }
    }

    /// Returns the name of the type.
    pub(crate) fn type_name(self) -> &'static str {
        match self {
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::NodeId => "int",
            Self::Float(_) => "float",
            Self::Text(_) => "string",
            Self::Vector3(_) => "vector3",
            Self::Angles(_) => "qangle",
            Self::Color(_) => "color",
            Self::Texts => "string_array",
            Self::Ints => "int_array",
            Self::Vectors => "vector3_array",
            Self::Quaternions => "quaternion_array",
            Self::Elements => "element_array",
            Self::Null | Self::Child(..) => "element",
            Self::ReferenceId => "uint64",
        }
    }
}

/// A class of elements: its attributes, and whether its elements are nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Class {
    node: bool,
    /// Attributes of the class. For nodes, the common ones come before or around them.
    parts: &'static [&'static [Field]],
}

const fn node(parts: &'static [&'static [Field]]) -> Class {
    Class { node: true, parts }
}

const fn plain(parts: &'static [&'static [Field]]) -> Class {
    Class { node: false, parts }
}

/// The order in which Hammer writes attributes of nodes. It changed with a build, not with a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The transform first; up to 2019.
    TransformFirst,
    /// The number first and the transform last; since format 35.
    NumberFirst,
}

impl Order {
    /// Returns the order in new maps of a format.
    pub(crate) fn from_format(format: u32) -> Self {
        if format < 35 { Self::TransformFirst } else { Self::NumberFirst }
    }
}

impl Class {
    /// Returns a class by its name; `None` if it is unknown.
    pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
        nodes::class(name).or_else(|| parts::class(name))
    }

    /// Returns `true` if the table lists all attributes of the class. The names of key values are free.
    pub(crate) fn is_complete(self) -> bool {
        !self.parts.is_empty() || self.node
    }

    /// Returns `true` if elements of the class are nodes.
    pub(crate) fn is_node(self) -> bool {
        self.node
    }

    /// Returns the attributes of the class in all formats, including those of nodes.
    pub(crate) fn all_fields(self) -> impl Iterator<Item = &'static Field> {
        let nodes: &[&[Field]] = if self.node { &[nodes::TRANSFORM_FIRST] } else { &[] };
        nodes.iter().chain(self.parts).copied().flatten().filter(|field| field.name != nodes::LATE)
    }

    /// Returns the attributes of a new element in order.
    pub(crate) fn fields(self, format: u32, order: Order) -> Vec<&'static Field> {
        let mut fields: Vec<&Field> = Vec::new();
        let mut late: Option<&[Field]> = None;
        if self.node {
            match order {
                Order::TransformFirst => fields.extend(nodes::TRANSFORM_FIRST),
                Order::NumberFirst => {
                    fields.extend(nodes::NUMBER_FIRST);
                    late = Some(nodes::TRANSFORM_LAST);
                }
            }
        }
        for field in self.parts.iter().copied().flatten().filter(|field| field.is_in_format(format)) {
            if field.name == nodes::LATE {
                fields.extend(late.take().into_iter().flatten());
            } else {
                fields.push(field);
            }
        }
        fields.extend(late.into_iter().flatten());
        fields.retain(|field| field.is_in_format(format));
        fields
    }

    /// Returns an attribute by its name, as in maps of a format, else as in another format.
    pub(crate) fn field(self, name: &[u8], format: u32) -> Option<&'static Field> {
        let mut named = self.all_fields().filter(|field| field.name.as_bytes() == name);
        let first = named.next()?;
        if first.is_in_format(format) {
            Some(first)
        } else {
            Some(named.find(|field| field.is_in_format(format)).unwrap_or(first))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(class: &str, format: u32, order: Order) -> String {
        let fields = Class::from_name(class.as_bytes()).unwrap().fields(format, order);
        fields.iter().map(|field| field.name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn attributes_have_the_order_of_hammer() {
        let head = "nodeID referenceID children variableTargetKeys variableNames relayPlugData connectionsData";
        let tail = "origin angles scales transformLocked force_hidden editorOnly";
        assert_eq!(
            names("CMapEntity", 40, Order::NumberFirst),
            format!("{head} entity_properties hitNormal isProceduralEntity {tail}")
        );
        assert_eq!(
            names("CMapPrefab", 40, Order::NumberFirst),
            format!(
                "{head} target variableOverrideNames variableOverrideValues {tail} tintColor targetMapPath targetName \
                 fixupEntityNames useTargetNameAsPrefix loadIfNested visexclude prefabRuntimeEntity loadAtRuntime"
            )
        );
        assert_eq!(
            names("CMapGroup", 16, Order::TransformFirst),
            "origin angles scales nodeID children editorOnly force_hidden variableTargetKeys variableNames"
        );
        assert!(names("CMapMesh", 30, Order::TransformFirst).ends_with(
            "disableShadows smoothingAngle tintColor physicsType meshData physicsSimplificationOverride \
             physicsSimplificationError physicsTags"
        ));
    }

    #[test]
    fn types_change_with_the_format() {
        let mesh = Class::from_name(b"CMapMesh").unwrap();
        let fresh = |format| mesh.field(b"disableShadows", format).unwrap().value;
        assert_eq!((fresh(29), fresh(40)), (Fresh::Bool(false), Fresh::Int(0)));
        assert!(mesh.field(b"no such attribute", 40).is_none());
    }
}
