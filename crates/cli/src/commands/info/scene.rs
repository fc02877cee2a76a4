//! A scene of a format for interchange in words.

use mapwright::info::{SceneInfo, SceneMaterial, SceneObject};

use super::wings::{number, point};
use super::{line, list, used};
use crate::text::{contents_line, count, quoted};

pub(super) fn text(out: &mut String, scene: &SceneInfo) {
    line(out, "totals", &contents_line(&scene.totals));
    if let Some([low, high]) = scene.bounds {
        line(out, "bounds", &format!("{} to {}", point(low), point(high)));
    }
    list(out, "objects", &scene.objects.iter().map(object).collect::<Vec<_>>());
    list(out, "materials", &scene.materials.iter().map(material).collect::<Vec<_>>());
}

fn object(object: &SceneObject) -> String {
    let mut parts = vec![format!("{}, {}", count(object.vertices, "vertex"), count(object.faces, "face"))];
    parts.extend(used(&object.materials));
    if object.more_materials > 0 {
        parts.push(format!("{} more", count(object.more_materials, "material")));
    }
    if object.uv_sets > 0 {
        parts.push(count(object.uv_sets, "UV set"));
    }
    if object.color_sets > 0 {
        parts.push(count(object.color_sets, "colour set"));
    }
    if !object.visible {
        parts.push("hidden".to_owned());
    }
    format!("{}: {}", quoted(&object.name), parts.join("; "))
}

fn material(material: &SceneMaterial) -> String {
    let SceneMaterial { name, base_color: [r, g, b, a], metallic, roughness, textures } = material;
    let mut text = format!("{}: colour {}, opacity {}", quoted(name), point([*r, *g, *b]), number(*a));
    text += &format!("; metallic {}, roughness {}", number(*metallic), number(*roughness));
    if *textures > 0 {
        text += &format!("; {}", count(*textures, "texture"));
    }
    text
}
