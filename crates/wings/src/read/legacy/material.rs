//! Materials up to 0.94.02.

use mapwright_etf::{Builder, Term};

use crate::document::{build, number, numbers};
use crate::{Material, PropList};

impl Material {
    /// Upgrades a material of 0.94.02 or before to version 2. Such materials have no `opengl`, but plain colours, `opacity` and
    /// `diffuse_map`. Returns `None` for all others.
    ///
    /// The current Wings tries the same, but crashes on every such file with an `opacity`.
    pub fn upgraded(&self) -> Option<Self> {
        if self.props.get("opengl").is_some() || self.props.items.is_empty() {
            return None;
        }
        const COLORS: [&str; 3] = ["ambient", "diffuse", "specular"];
        let is_old = |(key, _): (Term<'_>, Term<'_>)| {
            COLORS.iter().chain(&["shininess", "opacity", "diffuse_map"]).any(|name| key.is_atom(name))
        };
        if !self.props.pairs().any(is_old) {
            return None;
        }
        let value = |key: &str| self.props.get(key).and_then(number);
        let opacity = value("opacity").unwrap_or(1.0);
        let opengl = build(|term| {
            term.begin_list();
            for key in COLORS {
                if let Some([r, g, b]) = self.props.get(key).and_then(numbers) {
                    term.tuple(2);
                    term.atom(key);
                    term.tuple(4);
                    [r, g, b, opacity].into_iter().for_each(|channel| term.float(channel));
                }
            }
            if let Some(shininess) = value("shininess") {
                term.tuple(2);
                term.atom("shininess");
                term.float(1.0 - shininess);
            }
            term.end_list();
        });
        let diffuse_map = self.props.get("diffuse_map").filter(|map| !map.is_atom("none"));
        let maps = build(|term: &mut Builder| {
            term.begin_list();
            if let Some(map) = diffuse_map {
                term.tuple(2);
                term.atom("diffuse");
                term.recode(map);
            }
            term.end_list();
        });
        let mut upgraded = Self { name: self.name.clone(), props: PropList::default() };
        // Only numbers that are not finite can fail. Those are left out.
        for (key, value) in [("opengl", opengl), ("maps", maps)] {
            let _ = value.and_then(|value| upgraded.props.set(key, &value));
        }
        Some(upgraded)
    }
}
