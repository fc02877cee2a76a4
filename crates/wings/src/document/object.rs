//! Objects and their properties.

use mapwright_etf::{Builder, List, Term, Tree};

use super::props::build;
use super::{Name, PropList, SelectMode, WingedMesh};
use crate::WriteError;

/// One object: `{object,Name,{winged,Edges,Faces,Vertices,HardEdges},Properties}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// The name. Names may repeat and may be empty.
    pub name: Name,
    /// The geometry.
    pub mesh: WingedMesh,
    /// `plugin_states`, `holes`, `mirror_face`, `num_hidden_faces`, `state`, in older files `mode`, and unknown ones.
    pub props: PropList,
}

/// Visibility and lock of an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ObjectState {
    /// Visible and selectable: `state` is missing or unknown.
    #[default]
    Normal,
    /// Visible, but not selectable.
    Locked,
    /// Not visible.
    Hidden,
    /// Neither visible nor selectable.
    HiddenLocked,
    /// Not visible, with the selection that the object had when it was hidden.
    HiddenSelected {
        /// Kind of the selected elements.
        mode: SelectMode,
        /// The numbers of the selected elements. Wings crashes on every save if a number is out of range.
        elements: Vec<i64>,
    },
}

impl ObjectState {
    /// Returns `true` if the object is visible.
    pub fn is_visible(&self) -> bool {
        matches!(self, Self::Normal | Self::Locked)
    }

    /// Returns `true` if the object cannot be selected.
    pub fn is_locked(&self) -> bool {
        matches!(self, Self::Locked | Self::HiddenLocked)
    }
}

impl Object {
    /// Creates a visible object that is in no folder.
    pub fn new(name: impl Into<Name>, mesh: WingedMesh) -> Self {
        Self { name: name.into(), mesh, props: PropList::default() }
    }

    /// Returns the number of hidden faces. The faces with the lowest numbers are hidden. The number may exceed that of the faces.
    pub fn hidden_faces(&self) -> u32 {
        let count = self.props.get("num_hidden_faces").and_then(Term::as_integer);
        count
            .filter(|count| !count.negative)
            .map_or(0, |count| count.to_i64().and_then(|count| u32::try_from(count).ok()).unwrap_or(u32::MAX))
    }

    /// Returns the hidden faces that are holes.
    pub fn holes(&self) -> Vec<u32> {
        let hidden = self.hidden_faces();
        let list = self.props.get("holes").and_then(Term::as_list).and_then(List::to_integers).unwrap_or_default();
        list.into_iter().filter_map(|face| u32::try_from(face).ok()).filter(|&face| face < hidden).collect()
    }

    /// Returns the face of the virtual mirror, unless it is hidden.
    pub fn mirror_face(&self) -> Option<u32> {
        let face = self.props.get("mirror_face").and_then(Term::as_i64)?;
        u32::try_from(face).ok().filter(|&face| face >= self.hidden_faces())
    }

    /// Returns the visibility and lock of the object.
    pub fn state(&self) -> ObjectState {
        let Some(state) = self.props.get("state") else { return ObjectState::Normal };
        if let Some([kind, mode, elements]) = state.as_tuple_of::<3>() {
            let elements = elements.as_list().and_then(List::to_integers);
            return match (kind.is_atom("hidden"), mode.as_atom(), elements) {
                (true, Some(mode), Some(elements)) => {
                    ObjectState::HiddenSelected { mode: SelectMode::from_name(&mode.name()), elements }
                }
                _ => ObjectState::Normal,
            };
        }
        match state.as_atom().map(mapwright_etf::Atom::name).as_deref() {
            Some("locked") => ObjectState::Locked,
            Some("hidden") => ObjectState::Hidden,
            Some("hidden_locked") => ObjectState::HiddenLocked,
            _ => ObjectState::Normal,
        }
    }

    /// Returns the folder of the object list that contains the object.
    pub fn folder(&self) -> Option<String> {
        let states = self.props.get("plugin_states")?.as_list()?;
        states
            .items()
            .filter_map(|item| item.term()?.as_property())
            .find(|(module, _)| *module == *"wings_shape")
            .and_then(|(_, folder)| folder.as_list()?.to_text())
    }

    /// Returns the display mode in files of 1.1.7 and before, such as `vertex` for vertex colours.
    pub fn mode(&self) -> Option<String> {
        Some(self.props.get("mode")?.as_atom()?.name().into_owned())
    }

    /// Moves the object to a folder, or out of all folders. Data of other plug-ins is preserved.
    ///
    /// # Errors
    /// None: any text can be encoded.
    pub fn set_folder(&mut self, folder: Option<&str>) -> Result<(), WriteError> {
        let data = build(|term| match folder {
            Some(folder) => term.text(folder),
            None => term.atom("no_folder"),
        })?;
        let states = with_wings_shape(self.props.get("plugin_states"), &data)?;
        self.props.set("plugin_states", &states)
    }

    /// Sets the number of hidden faces and the holes among them. 0 removes both properties.
    ///
    /// # Errors
    /// None: any number can be encoded.
    pub fn set_hidden_faces(&mut self, count: u32, holes: &[u32]) -> Result<(), WriteError> {
        self.props.remove("holes");
        self.props.remove("num_hidden_faces");
        if !holes.is_empty() {
            self.props.set(
                "holes",
                &build(|term| {
                    term.begin_list();
                    for &hole in holes {
                        term.integer(hole.into());
                    }
                    term.end_list();
                })?,
            )?;
        }
        if count > 0 {
            self.props.set("num_hidden_faces", &build(|term| term.integer(count.into()))?)?;
        }
        Ok(())
    }

    /// Sets or removes the face of the virtual mirror.
    ///
    /// # Errors
    /// None: any number can be encoded.
    pub fn set_mirror_face(&mut self, face: Option<u32>) -> Result<(), WriteError> {
        match face {
            Some(face) => self.props.set("mirror_face", &build(|term| term.integer(face.into()))?),
            None => {
                self.props.remove("mirror_face");
                Ok(())
            }
        }
    }

    /// Sets the visibility and lock of the object.
    ///
    /// # Errors
    /// If the selection mode cannot be encoded as an atom.
    pub fn set_state(&mut self, state: &ObjectState) -> Result<(), WriteError> {
        let atom = |name: &str| build(|term| term.atom(name));
        let value = match state {
            ObjectState::Normal => {
                self.props.remove("state");
                return Ok(());
            }
            ObjectState::Locked => atom("locked")?,
            ObjectState::Hidden => atom("hidden")?,
            ObjectState::HiddenLocked => atom("hidden_locked")?,
            ObjectState::HiddenSelected { mode, elements } => build(|term| {
                term.tuple(3);
                term.atom("hidden");
                term.atom(mode.name());
                term.begin_list();
                elements.iter().for_each(|&element| term.integer(element));
                term.end_list();
            })?,
        };
        self.props.set("state", &value)
    }
}

/// Returns a list of `{Module,Data}` with new data for `wings_shape`. The list is sorted by module: Wings cannot save a scene
/// with an unsorted one.
pub(crate) fn with_wings_shape(states: Option<Term<'_>>, data: &Tree) -> Result<Tree, WriteError> {
    const OURS: &str = "wings_shape";
    let states = states.and_then(Term::as_list).and_then(List::terms).unwrap_or_default();
    build(|term| {
        let emit = |term: &mut Builder| {
            term.tuple(2);
            term.atom(OURS);
            term.recode(data.root());
        };
        term.begin_list();
        let mut written = false;
        for state in states {
            let module = state.as_property().map(|(module, _)| module.name().into_owned());
            if !written && module.as_deref().is_none_or(|module| module >= OURS) {
                emit(term);
                written = true;
            }
            if module.as_deref() != Some(OURS) {
                term.recode(state);
            }
        }
        if !written {
            emit(term);
        }
        term.end_list();
    })
}
