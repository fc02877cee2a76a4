//! Images of the scene.

use std::collections::HashMap;

use mapwright_etf::{ListItem, Term, Value};

use super::prop::{Found, integral, is_deep, is_file_name, look_up, pair, proper};
use super::report::{Fate, Place, Report};

/// The images by their ids, and whether a map can use them.
pub(super) type Images<'d> = HashMap<Id<'d>, bool>;

/// An id: any term, and equal numbers are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Id<'d> {
    Integer(i64),
    Term(&'d [u8]),
}

impl<'d> Id<'d> {
    pub(super) fn new(term: Term<'d>) -> Self {
        integral(ListItem::Term(term)).map_or_else(|| Self::Term(term.as_bytes()), Self::Integer)
    }
}

/// Checks the first `images` among the scene properties; Wings looks at no other.
pub(super) fn check<'d>(report: &mut Report<'d>, props: &Place<'_, 'd>) -> Images<'d> {
    let mut images = Images::new();
    let place = match look_up(props.term, "images").map(Found::defined) {
        Some(Found::Value(list)) => props.field("images", list),
        Some(Found::Bare) => {
            report.add(props, "image-shape", Fate::Load, "images stands alone, without a list");
            return images;
        }
        _ => return images,
    };
    let Some(list) = proper(place.term) else {
        report.add(&place, "image-shape", Fate::Load, "the images are no proper list");
        return images;
    };
    for (index, item) in list.enumerate() {
        let pair = pair(item);
        let place = place.index(index, item.term().unwrap_or(place.term));
        let Some([id, image]) = pair else {
            report.add(&place, "image-shape", Fate::Load, "an image is a pair {Id,Properties}");
            continue;
        };
        let usable = one(report, &place, image);
        if images.insert(Id::new(id), usable).is_some() {
            report.add(&place, "image-duplicate", Fate::Load, "an image before this one has the same id");
        }
    }
    images
}

/// Checks an image; says whether a map can use it.
fn one<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, image: Term<'d>) -> bool {
    let (Some(name), Some(file)) = (look_up(image, "name"), look_up(image, "filename").map(Found::defined)) else {
        report.add(place, "image-shape", Fate::Load, "the properties of an image are no proper list");
        return true;
    };
    if let Found::Value(path) = file {
        external(report, place, path, name);
        return true;
    }
    if matches!(file, Found::Bare) {
        return true;
    }
    let lacks = |keys: &[&str]| keys.iter().any(|key| look_up(image, key).is_none());
    if lacks(&["width", "height", "samples_per_pixel", "pixels"]) {
        report.add(place, "image-shape", Fate::Load, "the properties of an image are no proper list");
        return true;
    }
    let number = |key: &str| match look_up(image, key) {
        Some(Found::Value(value)) => value.as_i64(),
        Some(Found::Missing) => Some(0),
        _ => None,
    };
    let samples = number("samples_per_pixel");
    let size = (|| {
        let (width, height) = (i128::from(number("width")?), i128::from(number("height")?));
        // Nothing of it all is large when it is right.
        width.checked_mul(height)?.checked_mul(samples?.into())
    })();
    let pixels = look_up(image, "pixels").and_then(Found::value).and_then(Term::as_binary);
    if size.is_none() || size != pixels.and_then(|pixels| i128::try_from(pixels.len()).ok()) {
        let found = pixels.map_or(0, <[u8]>::len);
        let what = format!(
            "width, height and samples_per_pixel do not make the {found} bytes of pixels; Wings 3D puts a black pixel in the \
             place of the image"
        );
        report.add(place, "image-size", Fate::Lost, what);
        check_name(report, place, name);
        return true;
    }
    if lacks(&["mask_size"]) {
        report.add(place, "image-shape", Fate::Load, "the properties of an image are no proper list");
    } else if !matches!(samples, Some(1..=4)) {
        let what = format!("samples_per_pixel is {} and not 1 to 4", samples.unwrap_or_default());
        report.add(place, "image-samples", Fate::Load, what);
    }
    samples != Some(2)
}

fn external<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, path: Term<'d>, name: Found<'d>) {
    let text = match path.value() {
        Value::List(list) if is_file_name(list) => {
            list.items().filter_map(ListItem::as_i64).take(3).collect::<Vec<_>>()
        }
        Value::Binary(bytes) => bytes.iter().take(3).map(|&byte| byte.into()).collect(),
        Value::Atom(_) => Vec::new(),
        _ => {
            report.add(place, "image-shape", Fate::Load, "the filename of an image is no name of a file");
            return;
        }
    };
    let slash = |point: &i64| *point == i64::from(b'/') || *point == i64::from(b'\\');
    let drive = text.get(1) == Some(&i64::from(b':')) && text.get(2).is_some_and(slash);
    if drive || text.first().is_some_and(slash) {
        let what = "the picture is in another file, by its absolute path on the author's machine; where it is not found, \
                    Wings 3D shows a black pixel, and the next save loses the path";
        report.add(place, "image-absolute", Fate::Note, what);
    }
    check_name(report, place, name);
}

/// Of a picture that cannot be shown Wings prints the name, as text.
fn check_name<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, name: Found<'d>) {
    let Found::Value(name) = name else { return };
    let is_binary = |term: Term<'_>| matches!(term.value(), Value::Binary(_));
    let is_point = |term: Term<'_>| term.as_integer().is_some_and(|point| !point.negative);
    let fine = match name.value() {
        Value::Atom(_) | Value::Binary(_) => true,
        Value::List(list) => is_deep(list, |term| is_point(term) || is_binary(term), is_binary),
        _ => false,
    };
    if !fine {
        let what = "the name of an image that cannot be shown is no text, and Wings 3D wants to print it";
        report.add(place, "image-name", Fate::Load, what);
    }
}
