//! Parts of tile layers that images show differently.

use mapwright_scene::{CellLayout, Content, Losses, Properties, Scene, TileLayer};

/// Properties of layers and groups that change the colours of their tiles in Tiled.
const COLORS: [&str; 3] = ["opacity", "tintcolor", "mode"];

/// Returns the parts of tile layers that images show differently from Tiled: colours of layers, layers in other layouts that repeat, and
/// hexagons that Tiled moves by rounding.
pub fn approximations(scene: &Scene) -> Losses {
    let mut losses = Losses::new();
    if scene.tile_layers.is_empty() {
        return losses;
    }
    for visit in scene.walk() {
        match visit.node.content {
            Content::TileLayer(id) => {
                let Some(layer) = scene.tile_layers.get(id) else { continue };
                let path = format!("tile_layers[{}]", id.index());
                add_colors(&layer.properties, &path, &mut losses);
                if layer.layout != CellLayout::Orthogonal && layer.wrap.contains(&true) {
                    losses.approximated(path.as_str(), format!("repeated {} cells: drawn once", layer.layout.name()));
                }
                if let Some(distance) = rounded_distance(layer) {
                    let text = format!(
                        "hexagons of an odd width without the side: up to {distance} pixels left of those in Tiled"
                    );
                    losses.approximated(path.as_str(), text);
                }
            }
            Content::Group => {
                add_colors(&visit.node.properties, &format!("nodes[{}]", visit.id.index()), &mut losses);
            }
            _ => {}
        }
    }
    losses
}

fn add_colors(properties: &Properties, path: &str, losses: &mut Losses) {
    for name in COLORS.iter().filter(|name| properties.get(name).is_some()) {
        losses.approximated(path, format!("{name} of a layer: drawn without it"));
    }
}

/// Returns the largest distance of columns from their place in Tiled, if it moves them. It adds half of a pixel for each column, if half of
/// a diagonal side is half of a pixel. The first column that it draws depends on the visible area.
fn rounded_distance(layer: &TileLayer) -> Option<u32> {
    match layer.layout {
        CellLayout::Hexagonal { stagger, side } if stagger.columns && side % 2 == 1 => {
            Some(layer.size[0] / 2).filter(|distance| *distance > 0).map(|distance| distance.saturating_add(1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mapwright_scene::{Node, Stagger};

    use super::*;

    fn texts(layer: TileLayer) -> Vec<String> {
        let mut scene = Scene::default();
        let layer = scene.tile_layers.push(layer);
        scene.add_node(None, Node::new("", Content::TileLayer(layer)));
        approximations(&scene).iter().map(|loss| loss.text.to_string()).collect()
    }

    #[test]
    fn colours_repetition_and_rounding_are_reported() {
        let plain = TileLayer { size: [4, 4], tile_size: [16; 2], wrap: [true; 2], ..TileLayer::default() };
        assert_eq!(texts(plain.clone()), [""; 0]);
        let isometric = TileLayer { layout: CellLayout::Isometric, ..plain.clone() };
        assert_eq!(texts(isometric), ["repeated isometric cells: drawn once"]);
        let stagger = Stagger { columns: true, even: false };
        for (side, count) in [(4, 0), (5, 1)] {
            let layer =
                TileLayer { layout: CellLayout::Hexagonal { stagger, side }, wrap: [false; 2], ..plain.clone() };
            assert_eq!(texts(layer).len(), count, "{side}");
        }
        let mut pale = plain;
        pale.properties.push("opacity", 0.5);
        assert_eq!(texts(pale), ["opacity of a layer: drawn without it"]);
    }
}
