//! Collision of tiles.

use mapwright_scene::Collision;

use super::super::encode::Incoming;
use super::super::shapes::{Rectangle, rectangles};
use super::transform::exact;
use crate::view::{Layer, Object, Shape};

/// Takes the collision of a tile from its properties.
pub(super) fn collision(own: &mut Incoming) -> Collision {
    if let Some(attribute) = own.int("attribute") {
        return Collision::Uniform(attribute);
    }
    let (outside, inside) = (own.int("outside"), own.int("inside"));
    if outside.is_some() || inside.is_some() {
        let bounds = ["left", "top", "right", "bottom"].map(|name| own.int(name).unwrap_or(0));
        return Collision::Rectangle { outside: outside.unwrap_or(0), inside: inside.unwrap_or(0), bounds };
    }
    let (bytes, words) = (own.bytes("mask"), own.bytes("mask_words"));
    let attributes = match (bytes, words) {
        (Some(bytes), _) => bytes.into_iter().map(u32::from).collect(),
        (None, Some(words)) => words.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect(),
        (None, None) => return Collision::Unknown,
    };
    let [width, height] = ["mask_width", "mask_height"].map(|name| own.int(name).unwrap_or(0));
    Collision::Mask { width, height, attributes }
}

/// Returns `true` if the shapes of a tile are the rectangles for its collision, so that none is lost.
pub(super) fn follow_from(collision: &Collision, size: [u32; 2], shapes: Layer<'_>) -> bool {
    let is_shown = |object: Object<'_>, Rectangle { class, bounds }: &Rectangle| {
        let found = [object.x(), object.y(), object.width(), object.height()];
        object.shape() == Shape::Rectangle
            && object.class() == *class
            && object.rotation() == 0.0
            && object.name().is_empty()
            && object.template().is_none()
            && object.properties().iter().next().is_none()
            && found.into_iter().zip(bounds).all(|(found, bound)| exact(found, Some(*bound)) == *bound)
    };
    let expected = rectangles(collision, size);
    shapes.properties().iter().next().is_none()
        && shapes.objects().count() == expected.len()
        && shapes.objects().zip(&expected).all(|(object, rectangle)| is_shown(object, rectangle))
}
