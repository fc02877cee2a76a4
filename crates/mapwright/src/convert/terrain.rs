//! Terrains into other variants, without the way through a scene.

use mapwright_interchange::Files;
use mapwright_scene::Losses;
use mapwright_wrp::convert::ConvertOptions as Options;
use mapwright_wrp::scene::Variant;
use mapwright_wrp::{Document, Export};

use super::{Contents, Conversion, ConvertOptions};
use crate::Error;

/// The same terrain, as another variant if one is asked for.
pub(super) fn convert(terrain: &Document, options: &ConvertOptions) -> Result<Conversion, Error> {
    let (document, losses) = match options.variant {
        None => (terrain.to_bytes()?, Losses::default()),
        Some(Variant::Wvr4) => {
            let Export { document, losses } = terrain.to_wvr4(&Options::default());
            (Document::Wvr(document).to_bytes()?, losses)
        }
        Some(Variant::Wvr8) => {
            let Export { document, losses } = terrain.to_wvr8();
            (Document::Wvr8(document).to_bytes()?, losses)
        }
    };
    let source = Contents { nodes: 1, instances: terrain.objects().len(), ..Contents::default() };
    Ok(Conversion { files: Files { main: document, side: Vec::new() }, losses, source })
}
