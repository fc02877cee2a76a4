//! Errors of reading and writing maps.

use mapwright_dmx as dmx;
use mapwright_io::{Category, ErrorKind, FaultKind};

/// An error of reading, with its position and path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing or editing.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// A problem of a file or of a part of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The file is not a valid element graph.
    #[error(transparent)]
    Graph(#[from] dmx::ReadErrorKind),
    /// The graph is not that of a map.
    #[error("not a map: the DMX format is {format:?}, expected \"vmap\"")]
    NotAMap {
        /// Format in the header.
        format: String,
    },
    /// An element lacks a required attribute.
    #[error("missing attribute")]
    MissingAttribute,
    /// An attribute has the wrong type.
    #[error("wrong attribute type: expected {expected}, found {found}")]
    AttributeType {
        /// Required type, such as `int_array`.
        expected: &'static str,
        /// Type in the file.
        found: String,
    },
    /// The names of a mesh's streams and materials exceed the limit.
    #[error("names of streams and materials are too long: the limit is {limit} bytes")]
    LongNames {
        /// Maximum length of all names of a mesh in bytes.
        limit: usize,
    },
    /// A damaged map has neither a readable world nor a readable node.
    #[error("nothing can be rescued: neither the world nor a node is readable")]
    Unreadable,
    /// Two meshes share data.
    #[error("data is shared with another mesh")]
    SharedData,
}

impl From<FaultKind> for ReadErrorKind {
    fn from(kind: FaultKind) -> Self {
        Self::Graph(kind.into())
    }
}

impl From<std::io::Error> for ReadErrorKind {
    fn from(error: std::io::Error) -> Self {
        Self::Graph(error.into())
    }
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Graph(kind) => kind.category(),
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Graph(kind) => kind.help(),
            Self::Unreadable => {
                Some("rescue it as dmx (`--from dmx`): the result has its elements, but is not a map".to_owned())
            }
            _ => None,
        }
    }
}

/// A problem of a map that is written or edited.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The scene needs more bytes than the options allow, or more memory than the system has.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Limit(#[from] mapwright_scene::Excess),
    /// The element graph cannot be written.
    #[error(transparent)]
    Graph(#[from] dmx::WriteErrorKind),
    /// The map lacks a part.
    #[error("the map has no {name}")]
    NoPart {
        /// The attribute of the root.
        name: &'static str,
    },
    /// An element is not a node.
    #[error("element {} is not a node of this map", element.0)]
    NoNode {
        /// The element.
        element: dmx::ElementId,
    },
    /// A node cannot have key values or outputs.
    #[error("a {class} cannot have keys or outputs")]
    NoEntity {
        /// The class of the node.
        class: String,
    },
    /// A node has no mesh.
    #[error("a {class} has no mesh")]
    NoMesh {
        /// The class of the node.
        class: String,
    },
    /// The target of an instance is not a group.
    #[error("invalid target of an instance: expected CMapGroup, found {class}")]
    NoGroup {
        /// Class of the target.
        class: String,
    },
    /// An attribute among the keys is not a string.
    #[error("attribute {key:?} is not a key: its value is not a string")]
    NoText {
        /// Name of the attribute.
        key: String,
    },
    /// A map has exactly one node of this class.
    #[error("a map has exactly one {class}, which cannot be added, moved or removed")]
    OnlyOne {
        /// The class.
        class: String,
    },
    /// A class of nodes is unknown.
    #[error("unknown class {class}")]
    UnknownClass {
        /// The class.
        class: String,
    },
    /// A node would be below itself.
    #[error("the new parent is the node itself or below it")]
    Below,
    /// The map that is edited cannot be read.
    #[error(transparent)]
    Read(#[from] ReadErrorKind),
    /// The scene is inconsistent.
    #[error("invalid scene: {0}")]
    Scene(String),
    /// A remaining instance shows a removed group.
    #[error("cannot remove a group: the instance with number {instance} shows it")]
    Shown {
        /// Number of the instance.
        instance: i32,
    },
}

impl From<std::io::Error> for WriteErrorKind {
    fn from(error: std::io::Error) -> Self {
        Self::Graph(error.into())
    }
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            #[cfg(feature = "scene")]
            Self::Limit(_) => Category::Limit,
            Self::Graph(kind) => kind.category(),
            Self::Read(kind) => kind.category(),
            Self::UnknownClass { .. } => Category::Unsupported,
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        let help = match self {
            #[cfg(feature = "scene")]
            Self::Limit(excess) => excess.help(),
            Self::Graph(kind) => return kind.help(),
            Self::Read(kind) => return kind.help(),
            Self::NoPart { .. } => "save the map in Hammer again, or start with a new one",
            Self::NoNode { .. } => {
                "find the node again by its number: ids of elements are only valid until an edit ends"
            }
            Self::NoEntity { .. } => "change the entity itself, or move the mesh below an entity",
            Self::NoMesh { .. } => "add a node with a mesh",
            Self::NoGroup { .. } => "add a group, move the node into it, and use the group as the target",
            Self::NoText { .. } => "change typed values in the element graph",
            Self::OnlyOne { .. } => "change the existing node",
            Self::UnknownClass { .. } => "add one in Hammer; it serves as a pattern for others",
            Self::Below => "move the parent out first",
            Self::Scene(_) => "repair the scene: `Scene::validate` lists its problems",
            Self::Shown { .. } => "remove that instance first",
        };
        Some(help.to_owned())
    }
}
