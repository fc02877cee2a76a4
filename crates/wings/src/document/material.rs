//! Materials.

use mapwright_etf::{List, Term, Tree};

use super::props::{build, floats, number, numbers};
use super::{Name, PropList, value_tree};
use crate::WriteError;

/// A material: `{Name,[{opengl,…},{maps,…},…]}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// The name, which is an atom. Faces refer to it.
    pub name: Name,
    /// `opengl`, `maps`, and settings of plug-ins.
    pub props: PropList,
}

/// Location of the image of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MapSource {
    /// An image of the scene, by its id.
    Image(Tree),
    /// Any other form that Wings accepts: a file name, an embedded image, `none`.
    Other(Tree),
}

impl Material {
    /// Creates a material without properties.
    pub fn new(name: impl Into<Name>) -> Self {
        Self { name: name.into(), props: PropList::default() }
    }

    /// Returns the `opengl` list. It is empty if the material has none, as in files up to 0.94.02.
    pub fn opengl(&self) -> PropList {
        self.props.get("opengl").and_then(Term::as_list).and_then(PropList::read).unwrap_or_default()
    }

    /// Returns a colour of the `opengl` list: `diffuse`, `emission`, `ambient` or `specular`, as sRGB with alpha. Without an alpha
    /// in the file, it is 1.
    pub fn color(&self, key: &str) -> Option<[f64; 4]> {
        let opengl = self.opengl();
        let term = opengl.get(key)?;
        numbers(term).or_else(|| numbers(term).map(|[r, g, b]| [r, g, b, 1.0]))
    }

    /// Returns a number of the `opengl` list: `shininess`, `metallic` or `roughness`, 0..=1.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.opengl().get(key).and_then(number)
    }

    /// Returns `true` if vertex colours multiply the diffuse colour (`vertex_colors` is `set` or `multiply`).
    pub fn shows_vertex_colors(&self) -> bool {
        self.opengl().get("vertex_colors").is_some_and(|value| value.is_atom("set") || value.is_atom("multiply"))
    }

    /// Returns the maps with their types: `diffuse`, `normal`, `metallic`, …
    pub fn maps(&self) -> Vec<(String, MapSource)> {
        let maps = self.props.get("maps").and_then(Term::as_list).map(List::items);
        let pairs = maps.into_iter().flatten().filter_map(|item| item.term()?.as_property()).map(|(kind, source)| {
            let tree = value_tree(source);
            let is_id = source.as_i64().is_some();
            (kind.name().into_owned(), if is_id { MapSource::Image(tree) } else { MapSource::Other(tree) })
        });
        pairs.collect()
    }

    /// Sets one value of the `opengl` list. Adds the list if there is none.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_opengl(&mut self, key: &str, value: &Tree) -> Result<(), WriteError> {
        let mut opengl = self.opengl();
        opengl.set(key, value)?;
        self.props.set("opengl", &opengl.to_tree()?)
    }

    /// Sets a colour of the `opengl` list.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_color(&mut self, key: &str, color: [f64; 4]) -> Result<(), WriteError> {
        self.set_opengl(key, &floats(&color)?)
    }

    /// Sets a number of the `opengl` list. It is always written as a float: Wings crashes on an integer.
    ///
    /// # Errors
    /// If the number is not finite.
    pub fn set_number(&mut self, key: &str, value: f64) -> Result<(), WriteError> {
        self.set_opengl(key, &build(|term| term.float(value))?)
    }

    /// Sets the maps: types, and ids of images.
    ///
    /// # Errors
    /// If a type cannot be encoded as an atom.
    pub fn set_maps(&mut self, maps: &[(&str, i64)]) -> Result<(), WriteError> {
        self.props.set_entries("maps", maps, |term, &(kind, image)| {
            term.tuple(2);
            term.atom(kind);
            term.integer(image);
        })
    }
}
