//! Collision shapes of tiles: rectangles that show the collision attributes in Tiled and in other programs.

use mapwright_scene::Collision;

use crate::build::Element;

/// Names of the attributes from 0 on in levels of Claw and Gruntz. Others are shown as numbers.
const NAMES: [&str; 5] = ["clear", "solid", "ground", "climb", "death"];
/// The attribute of places without collision.
const CLEAR: u32 = 0;

/// A rectangle of a tile in pixels.
#[derive(Debug)]
pub(super) struct Rectangle {
    /// The name or number of its attribute.
    pub(super) class: String,
    /// Left, top, width and height.
    pub(super) bounds: [f64; 4],
}

/// Returns the rectangles for the collision of a tile. Masks have none.
pub(super) fn rectangles(collision: &Collision, size: [u32; 2]) -> Vec<Rectangle> {
    let rectangle = |attribute: u32, bounds: [f64; 4]| {
        let name = usize::try_from(attribute).ok().and_then(|place| NAMES.get(place));
        Rectangle { class: name.map_or_else(|| attribute.to_string(), |name| (*name).to_owned()), bounds }
    };
    let [width, height] = size.map(f64::from);
    let whole = |attribute: u32| (attribute != CLEAR).then(|| rectangle(attribute, [0.0, 0.0, width, height]));
    match collision {
        Collision::Unknown | Collision::Mask { .. } => Vec::new(),
        Collision::Uniform(attribute) => whole(*attribute).into_iter().collect(),
        Collision::Rectangle { outside, inside, bounds } => {
            let [left, top, right, bottom] = bounds.map(f64::from);
            let [width, height] = [right - left + 1.0, bottom - top + 1.0];
            // A part without collision is only a shape if it is cut out of another one.
            let is_shown = inside != outside && width > 0.0 && height > 0.0;
            let inner = is_shown.then(|| rectangle(*inside, [left, top, width, height]));
            whole(*outside).into_iter().chain(inner).collect()
        }
    }
}

/// Returns the layer with the shapes for the collision of a tile.
pub(super) fn layer(collision: &Collision, size: [u32; 2]) -> Option<Element<'static>> {
    let shapes = rectangles(collision, size);
    let mut layer = Element::new("objectgroup").with("draworder", "index").with("id", 2);
    for (Rectangle { class, bounds: [x, y, width, height] }, id) in shapes.into_iter().zip(1_u32..) {
        let object = Element::new("object").with("id", id).with("type", class).with("x", x).with("y", y);
        layer.children.push(object.with("width", width).with("height", height));
    }
    (!layer.children.is_empty()).then_some(layer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_shown_as_rectangles() {
        let shown = |collision: &Collision| {
            let shapes = rectangles(collision, [64, 32]);
            shapes.into_iter().map(|it| (it.class, it.bounds)).collect::<Vec<_>>()
        };
        let whole = [0.0, 0.0, 64.0, 32.0];
        let inner = |outside, inside, bounds| Collision::Rectangle { outside, inside, bounds };
        let named = |name: &str, bounds| (name.to_owned(), bounds);
        assert_eq!(shown(&Collision::Uniform(0)), []);
        assert_eq!(shown(&Collision::Uniform(3)), [named("climb", whole)]);
        assert_eq!(shown(&Collision::Uniform(10)), [named("10", whole)]);
        assert_eq!(shown(&inner(0, 2, [4, 8, 19, 8])), [named("ground", [4.0, 8.0, 16.0, 1.0])]);
        let cut = [named("solid", whole), named("clear", [0.0, 0.0, 1.0, 1.0])];
        assert_eq!(shown(&inner(1, 0, [0, 0, 0, 0])), cut);
        // A rectangle without an area covers nothing.
        assert_eq!(shown(&inner(0, 1, [9, 9, 8, 20])), []);
        assert_eq!(shown(&inner(0, 1, [i32::MIN, 0, i32::MAX, 0])).len(), 1);
        assert_eq!(shown(&Collision::Mask { width: 1, height: 1, attributes: vec![1] }), []);
    }
}
