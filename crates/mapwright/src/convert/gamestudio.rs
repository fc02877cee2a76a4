//! Gamestudio maps into other dialects, without the way through a scene, and of scenes.

use mapwright_interchange::Files;
use mapwright_scene::{Losses, Scene};
use mapwright_wmp::scene::{ExportOptions, Form};
use mapwright_wmp::{Dialect, Document, Export};

use super::{Contents, Conversion, ConvertOptions};
use crate::Error;

/// The same map, in another dialect if one is asked for.
pub(super) fn convert(map: &Document, options: &ConvertOptions) -> Result<Conversion, Error> {
    let (main, losses) = match options.dialect {
        None => (map.to_bytes()?, Losses::default()),
        Some(dialect) => {
            let Export { document, losses } = map.convert(dialect);
            (document.to_bytes()?, losses)
        }
    };
    let source = Contents { nodes: map.objects.len(), meshes: map.blocks.len(), ..Contents::default() };
    Ok(Conversion { files: Files { main, side: Vec::new() }, losses, source })
}

/// A map of a scene. Dialects but 710 and WMPB are converted from the first.
pub(super) fn from_scene(scene: &Scene, options: &ConvertOptions) -> Result<(Files, Losses), Error> {
    let form = if options.dialect == Some(Dialect::Binary) { Form::Binary } else { Form::Text };
    let writing = ExportOptions::default().with_form(form).with_max_bytes(options.max_output);
    let export = mapwright_wmp::scene::from_scene(scene, &writing)?;
    let (mut map, mut losses) = (export.document, export.losses);
    if let Some(dialect) = options.dialect {
        let converted = map.convert(dialect);
        map = converted.document;
        losses.append(converted.losses);
    }
    Ok((Files { main: map.to_bytes()?, side: Vec::new() }, losses))
}
