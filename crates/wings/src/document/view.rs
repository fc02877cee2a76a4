//! Cameras.

use super::props::{number, numbers};
use super::{Model, Name, PropList};
use crate::WriteError;

/// A saved camera: `{view,[{name,_},{aim,_},…]}`. Since 2.0 the first one is the live camera.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// `name`, `aim`, `distance_to_aim`, `azimuth`, `elevation`, `tracking`, `fov`, `hither`, `yon`. Each may be missing. Wings
    /// crashes on any other key.
    pub props: PropList,
}

impl View {
    /// Returns the name. `current_view` is the live camera.
    pub fn name(&self) -> Option<Name> {
        Some(Name::from_string(self.props.get("name")?))
    }

    /// Returns a number: `distance_to_aim`, `azimuth`, `elevation`, `fov` (vertical), `hither` or `yon`. Angles are in degrees.
    /// Missing numbers have the default of Wings.
    pub fn number(&self, key: &str) -> f64 {
        self.props.get(key).and_then(number).unwrap_or_else(|| Self::default_number(key))
    }

    pub(crate) fn default_number(key: &str) -> f64 {
        match key {
            "distance_to_aim" => 8.0,
            "azimuth" => -45.0,
            "elevation" => 25.0,
            "fov" => 45.0,
            "hither" => 0.1,
            "yon" => 10_000.0,
            _ => 0.0,
        }
    }

    /// Returns the target of the camera, **negated**, as the file stores it.
    pub fn aim(&self) -> [f64; 3] {
        self.props.get("aim").and_then(numbers).unwrap_or_default()
    }

    /// Returns the offset of the camera to the side and up.
    pub fn tracking(&self) -> [f64; 2] {
        self.props.get("tracking").and_then(numbers).unwrap_or_default()
    }
}

impl Model {
    /// Returns the saved cameras. Entries that are not `{view,Properties}` are skipped.
    pub fn views(&self) -> Vec<View> {
        self.props.entries("views", |entry| {
            let (kind, props) = entry.as_property()?;
            (kind == *"view").then(|| PropList::read(props.as_list()?)).flatten().map(|props| View { props })
        })
    }

    /// Sets the saved cameras.
    ///
    /// # Errors
    /// None for views that were read or built with setters.
    pub fn set_views(&mut self, views: &[View]) -> Result<(), WriteError> {
        self.props.set_entries("views", views, |term, view| {
            term.tuple(2);
            term.atom("view");
            view.props.emit(term);
        })
    }
}
