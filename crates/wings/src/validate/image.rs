//! Images of the scene.

use std::collections::HashMap;

use mapwright_etf::{ListItem, Term, Value};

use super::lookup::{Lookup, find_key, integral, is_deep, is_file_name, pair, proper};
use super::report::LoadOutcome::{Accepted, CrashOnLoad, DataLoss};
use super::report::{Location, Report};

/// The images by id; `true` if maps can use the image.
pub(super) type Images<'d> = HashMap<Id<'d>, bool>;

/// An id. It may be any term, and equal numbers are equal ids.
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

/// Checks the first `images` of the scene properties. Wings ignores further ones.
pub(super) fn check<'d>(report: &mut Report<'d>, props: &Location<'_, 'd>) -> Images<'d> {
    let mut images = Images::new();
    let location = match find_key(props.term, "images").map(Lookup::defined) {
        Some(Lookup::Value(list)) => props.field("images", list),
        Some(Lookup::Bare) => {
            report.add(props, "image-shape", CrashOnLoad, "images has no list");
            return images;
        }
        _ => return images,
    };
    let Some(list) = proper(location.term) else {
        report.add(&location, "image-shape", CrashOnLoad, "the images are not a proper list");
        return images;
    };
    for (index, item) in list.enumerate() {
        let pair = pair(item);
        let location = location.index(index, item.term().unwrap_or(location.term));
        let Some([id, image]) = pair else {
            report.add(&location, "image-shape", CrashOnLoad, "an image is a pair {Id,Properties}");
            continue;
        };
        let usable = check_image(report, &location, image);
        if images.insert(Id::new(id), usable).is_some() {
            report.add(&location, "image-duplicate", CrashOnLoad, "an earlier image has the same id");
        }
    }
    images
}

/// Checks an image. Returns `true` if maps can use it.
fn check_image<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, image: Term<'d>) -> bool {
    let (Some(name), Some(file)) = (find_key(image, "name"), find_key(image, "filename").map(Lookup::defined)) else {
        report.add(location, "image-shape", CrashOnLoad, "the properties of an image are not a proper list");
        return true;
    };
    if let Lookup::Value(path) = file {
        check_external(report, location, path, name);
        return true;
    }
    if matches!(file, Lookup::Bare) {
        return true;
    }
    let lacks = |keys: &[&str]| keys.iter().any(|key| find_key(image, key).is_none());
    if lacks(&["width", "height", "samples_per_pixel", "pixels"]) {
        report.add(location, "image-shape", CrashOnLoad, "the properties of an image are not a proper list");
        return true;
    }
    let number = |key: &str| match find_key(image, key) {
        Some(Lookup::Value(value)) => value.as_i64(),
        Some(Lookup::Missing) => Some(0),
        _ => None,
    };
    let samples = number("samples_per_pixel");
    let size = (|| {
        let (width, height) = (i128::from(number("width")?), i128::from(number("height")?));
        // On overflow, the size cannot match the pixels.
        width.checked_mul(height)?.checked_mul(samples?.into())
    })();
    let pixels = find_key(image, "pixels").and_then(Lookup::value).and_then(Term::as_binary);
    if size.is_none() || size != pixels.and_then(|pixels| i128::try_from(pixels.len()).ok()) {
        let found = pixels.map_or(0, <[u8]>::len);
        let what = format!(
            "width, height and samples_per_pixel do not make the {found} bytes of pixels; Wings 3D puts a black pixel in the \
             place of the image"
        );
        report.add(location, "image-size", DataLoss, what);
        check_name(report, location, name);
        return true;
    }
    if lacks(&["mask_size"]) {
        report.add(location, "image-shape", CrashOnLoad, "the properties of an image are not a proper list");
    } else if !matches!(samples, Some(1..=4)) {
        let what = format!("samples_per_pixel is {}: expected 1 to 4", samples.unwrap_or_default());
        report.add(location, "image-samples", CrashOnLoad, what);
    }
    samples != Some(2)
}

fn check_external<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, path: Term<'d>, name: Lookup<'d>) {
    let text = match path.value() {
        Value::List(list) if is_file_name(list) => {
            list.items().filter_map(ListItem::as_i64).take(3).collect::<Vec<_>>()
        }
        Value::Binary(bytes) => bytes.iter().take(3).map(|&byte| byte.into()).collect(),
        Value::Atom(_) => Vec::new(),
        _ => {
            report.add(location, "image-shape", CrashOnLoad, "the filename of an image is not a file name");
            return;
        }
    };
    let slash = |point: &i64| *point == i64::from(b'/') || *point == i64::from(b'\\');
    let drive = text.get(1) == Some(&i64::from(b':')) && text.get(2).is_some_and(slash);
    if drive || text.first().is_some_and(slash) {
        let what = "the image is in another file with an absolute path on the author's machine; if it is missing, Wings 3D \
                    shows a black pixel and loses the path on the next save";
        report.add(location, "image-absolute", Accepted, what);
    }
    check_name(report, location, name);
}

/// Checks the name of an image that cannot be shown. Wings prints it as text.
fn check_name<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, name: Lookup<'d>) {
    let Lookup::Value(name) = name else { return };
    let is_binary = |term: Term<'_>| matches!(term.value(), Value::Binary(_));
    let is_point = |term: Term<'_>| term.as_integer().is_some_and(|point| !point.negative);
    let fine = match name.value() {
        Value::Atom(_) | Value::Binary(_) => true,
        Value::List(list) => is_deep(list, |term| is_point(term) || is_binary(term), is_binary),
        _ => false,
    };
    if !fine {
        let what = "the name of an image that cannot be shown is not text, and Wings 3D prints it";
        report.add(location, "image-name", CrashOnLoad, what);
    }
}
