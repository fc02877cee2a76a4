//! The files that a document refers to.

use std::collections::HashSet;

use crate::Document;
use crate::view::{Image, Layer, Map, Object, Template, Tile, Tileset, World, WorldMap};

/// A file that a document refers to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Reference {
    /// The path as the document states it: relative to its folder, or absolute.
    pub path: String,
    /// The kind of the file.
    pub kind: ReferenceKind,
}

/// The kind of a file that a document refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReferenceKind {
    /// A tileset of a map or of a template.
    Tileset,
    /// The template of an object.
    Template,
    /// The image of a tileset, of a tile or of a layer.
    Image,
    /// A map of a world.
    Map,
}

impl Document {
    /// Lists the files that the document refers to, each once. Patterns of worlds and properties with paths are left out.
    pub fn references(&self) -> Vec<Reference> {
        let map = self.as_map();
        let layers = || map.into_iter().flat_map(Map::all_layers);
        let of_template = self.as_template().and_then(Template::tileset);
        let tilesets = || map.into_iter().flat_map(Map::tilesets).chain(self.as_tileset()).chain(of_template);
        let images = tilesets().filter_map(Tileset::image);
        let images = images.chain(tilesets().flat_map(Tileset::tiles).filter_map(Tile::image));
        let images = images.chain(layers().filter_map(Layer::image));
        let of_kind = |kind| move |path: std::borrow::Cow<'_, str>| Reference { path: path.into_owned(), kind };
        let all = tilesets().filter_map(Tileset::source).map(of_kind(ReferenceKind::Tileset));
        let templates = layers().flat_map(Layer::objects).filter_map(Object::template);
        let all = all.chain(templates.map(of_kind(ReferenceKind::Template)));
        let all = all.chain(images.filter_map(Image::source).map(of_kind(ReferenceKind::Image)));
        let maps = self.as_world().into_iter().flat_map(World::maps).map(WorldMap::file_name);
        let all = all.chain(maps.map(of_kind(ReferenceKind::Map)));
        let mut seen = HashSet::new();
        all.filter(|reference| seen.insert(reference.clone())).collect()
    }
}

/// Returns the path of a file to which another file refers, relative to the folder to which `referring` is relative.
pub fn resolve_path(referring: &str, file: &str) -> String {
    let folder = folder(referring);
    let is_absolute = file.starts_with(['/', '\\']) || file.get(1..2) == Some(":");
    if is_absolute || folder.is_empty() {
        return file.to_owned();
    }
    // Parts such as `..` lead to the same file as other paths, which name the same tileset.
    let path = [folder, file].concat().replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the folder of a path, with the separator at its end.
fn folder(path: &str) -> &str {
    path.rfind(['/', '\\']).and_then(|end| path.get(..=end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_file_that_contains_them() {
        assert_eq!(resolve_path("map.tmx", "a.png"), "a.png");
        assert_eq!(resolve_path("sets/a.tsx", "a.png"), "sets/a.png");
        assert_eq!(resolve_path("sets/a.tsx", "../a.png"), "a.png");
        assert_eq!(resolve_path("../sets/a.tsx", "../../a.png"), "../../a.png");
        assert_eq!(resolve_path("sets\\a.tsx", "x\\a.png"), "sets/x/a.png");
        assert_eq!(resolve_path("sets/a.tsx", "/a.png"), "/a.png");
        assert_eq!(resolve_path("sets/a.tsx", "C:\\a.png"), "C:\\a.png");
        assert_eq!([folder("a/b/c.tsx"), folder("c.tsx"), folder("a\\c.tsx")], ["a/b/", "", "a\\"]);
    }

    #[test]
    fn each_file_is_listed_once() {
        let map = br#"<map orientation="orthogonal" width="1" height="1" tilewidth="8" tileheight="8">
            <tileset firstgid="1" source="a.tsx"/><tileset firstgid="9" source="a.tsx"/>
            <imagelayer id="1" name=""><image source="sky.png"/></imagelayer>
            <objectgroup id="2"><object id="1" template="t.tx"/></objectgroup></map>"#;
        let world = br#"{"maps":[{"fileName":"a.tmx","x":0,"y":0}],"type":"world"}"#;
        let list = |bytes: &[u8]| {
            let references = Document::from_bytes(bytes).unwrap().references();
            references.into_iter().map(|it| (it.path, it.kind)).collect::<Vec<_>>()
        };
        let expected =
            [("a.tsx", ReferenceKind::Tileset), ("t.tx", ReferenceKind::Template), ("sky.png", ReferenceKind::Image)];
        assert_eq!(list(map), expected.map(|(path, kind)| (path.to_owned(), kind)));
        assert_eq!(list(world), [("a.tmx".to_owned(), ReferenceKind::Map)]);
    }
}
