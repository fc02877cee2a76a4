//! Document → scene.

mod blocks;
mod context;
mod entities;
mod settings;
mod tree;

use mapwright_scene::Import;

use self::context::Context;
use crate::Document;

pub(super) use self::settings::scene_properties;

/// Reads the scene of a document.
pub(super) fn read_scene(document: &Document) -> Import {
    let resolved = document.resolve();
    let mut context = Context::new(document, &resolved);
    // The lights of the level first: their nodes come before those of the map.
    context.scene.properties = scene_properties(document);
    settings::add_level_lights(&mut context);
    tree::add_nodes(&mut context);
    for gap in &resolved.gaps {
        context.losses.dropped("", gap.to_string());
    }
    if document.wed.as_ref().is_some_and(|wed| wed.views.is_some() || wed.bookmarks.is_some()) {
        context.losses.dropped("wed", "windows and bookmarks of the editor");
    }
    Import { scene: context.scene, losses: context.losses }
}
