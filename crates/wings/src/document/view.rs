//! Cameras.

use mapwright_etf::{List, Term};

use super::props::{build, number, numbers};
use super::{Model, Name, PropList};
use crate::WriteError;

/// A saved camera: `{view,[{name,_},{aim,_},…]}`. Since 2.0 the first is the live one.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// `name`, `aim`, `distance_to_aim`, `azimuth`, `elevation`, `tracking`, `fov`, `hither`, `yon`. Any may be missing; any
    /// other crashes Wings.
    pub props: PropList,
}

impl View {
    /// The name; `current_view` is the live camera.
    pub fn name(&self) -> Option<Name> {
        Some(Name::from_string(self.props.get("name")?))
    }

    /// A number: `distance_to_aim`, `azimuth`, `elevation`, `fov` (vertical), all angles in degrees, `hither`, `yon`.
    /// Wings' preset where the file does not say.
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

    /// The point that is looked at, **negated**, as the file has it.
    pub fn aim(&self) -> [f64; 3] {
        self.props.get("aim").and_then(numbers).unwrap_or_default()
    }

    /// How far the camera is moved sideways and up.
    pub fn tracking(&self) -> [f64; 2] {
        self.props.get("tracking").and_then(numbers).unwrap_or_default()
    }
}

impl Model {
    /// The saved cameras. Entries that are no `{view,Properties}` are left out.
    pub fn views(&self) -> Vec<View> {
        let list = self.props.get("views").and_then(Term::as_list).map(List::items);
        let views = list.into_iter().flatten().filter_map(|item| {
            let entry = item.term()?;
            let (kind, props) = entry.as_property()?;
            (kind == *"view").then(|| PropList::read(props.as_list()?)).flatten().map(|props| View { props })
        });
        views.collect()
    }

    /// Sets the saved cameras.
    ///
    /// # Errors
    /// None for views that were read or made.
    pub fn set_views(&mut self, views: &[View]) -> Result<(), WriteError> {
        let list = build(|term| {
            term.begin_list();
            for view in views {
                term.tuple(2);
                term.atom("view");
                view.props.emit(term);
            }
            term.end_list();
        })?;
        self.props.set("views", &list)
    }
}
