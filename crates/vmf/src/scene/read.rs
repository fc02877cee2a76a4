//! Document → scene.

mod context;
mod displacements;
mod editor;
mod entities;
mod projections;
mod settings;
mod solids;

use mapwright_scene::Import;

use self::context::Context;
use crate::Document;

/// Reads the scene of a document.
pub(super) fn read_scene(document: &Document) -> Import {
    let mut context = Context::new(document);
    settings::read_settings(&mut context);
    // Groups and visgroups first: their members refer to them.
    editor::read_visgroups(&mut context);
    entities::read_world(&mut context);
    editor::read_groups(&mut context);
    entities::read_entities(&mut context);
    editor::read_cameras(&mut context);
    context.report_counts();
    Import { scene: context.scene, losses: context.losses }
}
