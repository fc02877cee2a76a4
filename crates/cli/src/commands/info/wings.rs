//! A Wings 3D scene in words.

use mapwright::info::{
    ImageInfo, LightInfo, MapInfo, MaterialInfo, ObjectInfo, SelectionInfo, Totals, ViewInfo, WingsInfo,
};
use mapwright::io::escape;

use super::{line, list, names, used};
use crate::text::{count, quoted};

pub(super) fn text(out: &mut String, wings: &WingsInfo) {
    let Totals { objects, vertices, edges, faces, bounds } = wings.totals;
    let totals = [count(objects, "object"), count(vertices, "vertex"), count(edges, "edge"), count(faces, "face")];
    line(out, "totals", &totals.join(", "));
    if let Some([low, high]) = bounds {
        line(out, "bounds", &format!("{} to {}", point(low), point(high)));
    }
    if wings.other_shapes > 0 {
        line(out, "other", &format!("{} that are no objects", count(wings.other_shapes, "shape")));
    }
    fn lines<T>(items: &[T], line: fn(&T) -> String) -> Vec<String> {
        items.iter().map(line).collect()
    }
    list(out, "objects", &lines(&wings.objects, object));
    list(out, "materials", &lines(&wings.materials, material));
    list(out, "images", &lines(&wings.images, image));
    list(out, "lights", &lines(&wings.lights, light));
    list(out, "views", &lines(&wings.views, view));
    list(out, "selections", &lines(&wings.selections, selection));
    if !wings.plugins.is_empty() {
        line(out, "plug-ins", &names(&wings.plugins));
    }
    if !wings.other_properties.is_empty() {
        line(out, "properties", &names(&wings.other_properties));
    }
}

pub(super) fn point([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {})", number(x), number(y), number(z))
}

/// Up to six digits behind the point, without zeros at the end.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn object(object: &ObjectInfo) -> String {
    let size = [count(object.vertices, "vertex"), count(object.edges, "edge"), count(object.faces, "face")];
    let mut parts = vec![size.join(", ")];
    parts.extend(used(&object.materials));
    let mut say = |told: bool, text: String| {
        if told {
            parts.push(text);
        }
    };
    say(object.hard_edges > 0, count(object.hard_edges, "hard edge"));
    say(object.uvs, "UVs".to_owned());
    say(object.colors, "vertex colours".to_owned());
    say(object.hidden_faces > 0, format!("{} hidden faces", object.hidden_faces));
    say(object.holes > 0, count(object.holes, "hole"));
    if let Some(face) = object.mirror_face {
        say(true, format!("mirror at face {face}"));
    }
    say(!object.visible, "hidden".to_owned());
    say(object.locked, "locked".to_owned());
    if let Some(folder) = &object.folder {
        say(true, format!("in folder {}", quoted(folder)));
    }
    format!("{}: {}", quoted(&object.name), parts.join("; "))
}

fn material(material: &MaterialInfo) -> String {
    let mut text = format!("{}: {}", quoted(&material.name), material.kind);
    if let Some([r, g, b, a]) = material.diffuse {
        text += &format!("; diffuse {}, opacity {}", point([r, g, b]), number(a));
    }
    if !material.maps.is_empty() {
        let map = |MapInfo { kind, image }: &MapInfo| format!("{} image {image}", escape(kind.as_bytes()));
        text += &format!("; {}", material.maps.iter().map(map).collect::<Vec<_>>().join(", "));
    }
    if material.vertex_colors {
        text += "; shows vertex colours";
    }
    if !material.plugins.is_empty() {
        text += &format!("; data of {}", names(&material.plugins));
    }
    text
}

fn image(image: &ImageInfo) -> String {
    let place = match (&image.path, &image.found, image.size) {
        (Some(path), Some(found), _) => {
            format!("elsewhere: {}, found as {}", quoted(path), escape(found.as_bytes()))
        }
        (Some(path), None, _) => format!("elsewhere: {}, not found", quoted(path)),
        (None, _, Some([width, height])) => {
            let samples = image.samples.unwrap_or_default();
            format!("in the file: {width} × {height}, {} per pixel", count(samples.into(), "byte"))
        }
        _ => "neither in the file nor elsewhere".to_owned(),
    };
    format!("{} {}: {place}", image.id, quoted(&image.name))
}

fn light(light: &LightInfo) -> String {
    let hidden = if light.visible { "" } else { ", hidden" };
    format!("{}: {} at {}{hidden}", quoted(&light.name), escape(light.kind.as_bytes()), point(light.position))
}

fn view(view: &ViewInfo) -> String {
    format!("{}: field of view {}°", quoted(view.name.as_deref().unwrap_or_default()), number(view.fov))
}

fn selection(selection: &SelectionInfo) -> String {
    let name = selection.name.as_deref().map_or("live selection".to_owned(), |name| format!("group {}", quoted(name)));
    let SelectionInfo { mode, objects, elements, .. } = selection;
    format!("{name}: {mode}, {} of {}", count(*elements, "element"), count(*objects, "object"))
}
