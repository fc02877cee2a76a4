//! Settings of the scene: palette, preferences of plug-ins, current view.

use mapwright_etf::{List, Term};

use super::props::{build, item_tree, numbers};
use super::{Model, PropList};
use crate::WriteError;

impl Model {
    /// Returns the colours of the palette as sRGB. Entries without a colour, or with an unknown form, are `None`. Without a palette
    /// in the file, Wings shows its own 39 colours.
    pub fn palette(&self) -> Option<Vec<Option<[f64; 3]>>> {
        let list = self.props.get("palette")?.as_list()?;
        Some(list.items().map(|item| item.term().and_then(numbers)).collect())
    }

    /// Sets the palette, or removes it. Unchanged entries keep their encoding.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_palette(&mut self, colors: Option<&[Option<[f64; 3]>]>) -> Result<(), WriteError> {
        if self.palette().as_deref() == colors {
            return Ok(());
        }
        let Some(colors) = colors else {
            self.props.remove("palette");
            return Ok(());
        };
        let mut old = self.props.get("palette").and_then(Term::as_list).map(List::items).into_iter().flatten();
        let list = build(|term| {
            term.begin_list();
            for color in colors {
                let old = old.next().map(item_tree);
                match color {
                    color if old.as_ref().is_some_and(|old| numbers(old.root()) == *color) => {
                        old.iter().for_each(|old| term.recode(old.root()));
                    }
                    Some(channels) => {
                        term.tuple(3);
                        channels.iter().for_each(|&channel| term.float(channel));
                    }
                    None => term.atom("none"),
                }
            }
            term.end_list();
        })?;
        self.props.set("palette", &list)
    }

    /// Returns the preferences of the scene: settings of renderers, mostly with keys `{Module,Name}`.
    pub fn scene_prefs(&self) -> PropList {
        self.props.get("scene_prefs").and_then(Term::as_list).and_then(PropList::read).unwrap_or_default()
    }

    /// Sets the preferences of the scene. Wings crashes on an item that is not a pair.
    ///
    /// # Errors
    /// None for items that were read or built.
    pub fn set_scene_prefs(&mut self, prefs: &PropList) -> Result<(), WriteError> {
        if self.scene_prefs() == *prefs { Ok(()) } else { self.props.set("scene_prefs", &prefs.to_tree()?) }
    }

    /// Returns the number of the current view, counted from 1. `None` if it is missing or out of range.
    pub fn current_view(&self) -> Option<u32> {
        let number = self.props.get("current_view")?.as_i64()?;
        u32::try_from(number).ok().filter(|&number| number > 0 && number as usize <= self.views().len())
    }

    /// Sets the number of the current view, counted from 1. The range is not checked.
    ///
    /// # Errors
    /// None: any number can be encoded.
    pub fn set_current_view(&mut self, number: Option<u32>) -> Result<(), WriteError> {
        if self.current_view() == number {
            return Ok(());
        }
        self.props.set("current_view", &build(|term| term.integer(number.unwrap_or(0).into()))?)
    }
}
