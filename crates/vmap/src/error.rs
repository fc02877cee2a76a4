//! What reading and writing maps can fail with.

use mapwright_dmx as dmx;
use mapwright_io::{Category, ErrorKind};

/// An error of reading: what, at which byte or line, on which path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing or editing.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// What is wrong with a file or with a part of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The file is no element graph.
    #[error(transparent)]
    Graph(#[from] dmx::ReadErrorKind),
    /// The graph is not that of a map.
    #[error("a DMX file of format {format:?}, not of a map")]
    NotAMap {
        /// The format that the header names.
        format: String,
    },
    /// An element has no attribute of a name that it must have.
    #[error("the attribute is missing")]
    MissingAttribute,
    /// An attribute has another type than it must have.
    #[error("{expected} must stand here, not {found}")]
    AttributeType {
        /// What must stand there, as `int_array`.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A mesh names its streams and materials with more than real ones ever do.
    #[error("names of streams and materials take more than {limit} bytes")]
    LongNames {
        /// Bytes that the names of one mesh may have together.
        limit: usize,
    },
    /// A mesh has data of another one.
    #[error("another mesh has this, too")]
    SharedData,
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
            _ => None,
        }
    }
}

/// What is wrong with a map that is to be written or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The scene makes more bytes than the options allow, or more than the system has memory for.
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
    /// An element is no node.
    #[error("element {} is no node of this map", element.0)]
    NoNode {
        /// The element.
        element: dmx::ElementId,
    },
    /// A node has no key values or outputs.
    #[error("a {class} has no keys or outputs")]
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
    /// What an instance shows must be a group.
    #[error("an instance shows a CMapGroup, not a {class}")]
    NoGroup {
        /// The class of the node that it should show.
        class: String,
    },
    /// An attribute among the keys is no text.
    #[error("the attribute {key:?} is no key: its value is no text")]
    NoText {
        /// The name of the attribute.
        key: String,
    },
    /// A map has exactly one of these.
    #[error("a map has exactly one {class}, in its place")]
    OnlyOne {
        /// The class.
        class: String,
    },
    /// What nodes of a class have is not known.
    #[error("nodes of class {class} are not known")]
    UnknownClass {
        /// The class.
        class: String,
    },
    /// A node would be below itself.
    #[error("the new parent is the node itself or below it")]
    Below,
    /// The map that is to be changed cannot be understood.
    #[error(transparent)]
    Read(#[from] ReadErrorKind),
    /// A scene contradicts itself.
    #[error("the scene is broken: {0}")]
    Scene(String),
    /// A group is shown elsewhere.
    #[error("the instance with node id {instance} shows a group that would be removed")]
    Shown {
        /// The number of the instance.
        instance: i32,
    },
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
            Self::NoPart { .. } => "let Hammer save the map anew, or begin with a new one",
            Self::NoNode { .. } => "ids of elements hold until an edit is finished: find the node by its number again",
            Self::NoEntity { .. } => "change the entity itself, or tie the mesh to an entity: move it below one",
            Self::NoMesh { .. } => "add a node with a mesh",
            Self::NoGroup { .. } => "add a group, move the node into it, and show that",
            Self::NoText { .. } => "change typed values in the element graph",
            Self::OnlyOne { .. } => "change what is there",
            Self::UnknownClass { .. } => "make one in Hammer, which then serves as the model for others",
            Self::Below => "move the parent out first",
            Self::Scene(_) => "repair the scene: `Scene::validate` lists what is wrong with it",
            Self::Shown { .. } => "remove that instance first",
        };
        Some(help.to_owned())
    }
}
