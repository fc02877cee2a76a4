//! Selections: the live one and named groups.

use mapwright_etf::{List, Term};

use super::props::build;
use super::{Model, Name};
use crate::WriteError;

/// Kind of selected elements.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SelectMode {
    /// Vertices.
    Vertex,
    /// Edges.
    Edge,
    /// Faces.
    Face,
    /// Whole objects. The only element is 0.
    Body,
    /// A mode that Wings does not know. A live selection with it makes every save crash.
    Other(String),
}

impl SelectMode {
    /// Returns the name in files.
    pub fn name(&self) -> &str {
        match self {
            Self::Vertex => "vertex",
            Self::Edge => "edge",
            Self::Face => "face",
            Self::Body => "body",
            Self::Other(name) => name,
        }
    }

    /// Returns the mode with a name.
    pub fn from_name(name: &str) -> Self {
        match name {
            "vertex" => Self::Vertex,
            "edge" => Self::Edge,
            "face" => Self::Face,
            "body" => Self::Body,
            other => Self::Other(other.to_owned()),
        }
    }
}

/// The live selection or a selection group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The name of a group; `None` for the live selection.
    pub name: Option<Name>,
    /// Kind of the selected elements.
    pub mode: SelectMode,
    /// Numbers of objects, each with the numbers of its selected elements.
    pub members: Vec<(i64, Vec<i64>)>,
}

impl Selection {
    /// Reads `{Mode,[{Object,[Element]}]}`. Members of any other form are skipped.
    fn read(name: Option<Name>, value: Term<'_>) -> Option<Self> {
        let (mode, members) = value.as_property()?;
        let members = members.as_list()?.items().filter_map(|member| {
            let [object, elements] = member.term()?.as_tuple_of()?;
            Some((object.as_i64()?, elements.as_list().and_then(List::to_integers)?))
        });
        Some(Self { name, mode: SelectMode::from_name(&mode.name()), members: members.collect() })
    }
}

impl Model {
    /// Returns the live selection and all groups, in the order of the file.
    pub fn selections(&self) -> Vec<Selection> {
        let read = |(key, value): (Term<'_>, Term<'_>)| {
            if key.is_atom("selection") {
                return Selection::read(None, value);
            }
            if key.is_atom("saved_selection") {
                // The single stored selection of old versions.
                return Selection::read(Some("<Stored Selection>".into()), value);
            }
            let (kind, name) = key.as_property()?;
            (kind == *"selection_group").then(|| Selection::read(Some(Name::from_string(name)), value))?
        };
        self.props.pairs().filter_map(read).collect()
    }

    /// Appends a selection or a group to the scene properties. It must come after the lights.
    ///
    /// # Errors
    /// If the mode cannot be encoded as an atom.
    pub fn add_selection(&mut self, selection: &Selection) -> Result<(), WriteError> {
        self.props.items.push(build(|term| {
            term.tuple(2);
            match &selection.name {
                Some(name) => {
                    term.tuple(2);
                    term.atom("selection_group");
                    term.text(name.as_str());
                }
                None => term.atom("selection"),
            }
            term.tuple(2);
            term.atom(selection.mode.name());
            term.begin_list();
            for (object, elements) in &selection.members {
                term.tuple(2);
                term.integer(*object);
                term.begin_list();
                elements.iter().for_each(|&element| term.integer(element));
                term.end_list();
            }
            term.end_list();
        })?);
        Ok(())
    }
}
