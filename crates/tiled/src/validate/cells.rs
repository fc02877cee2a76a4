//! Layers of cells.

use mapwright_io::{Budget, FaultKind, format_count};

use super::Report;
use super::maps::GlobalIds;
use crate::ReadErrorKind;
use crate::view::{Layer, Map};

pub(super) fn check(map: Map<'_>, layer: Layer<'_>, known: &GlobalIds, budget: &mut Budget, report: &mut Report) {
    let Some(cells) = layer.cells() else {
        return report.warning("cells-missing", layer.item(), "the layer has no cells");
    };
    if cells.has_chunks() && !map.infinite() {
        report.warning("chunks-unexpected", layer.item(), "the layer has chunks, but the map is not infinite");
    }
    let mut unknown = (0_usize, None);
    for chunk in cells.chunks() {
        match chunk.decode_at(budget) {
            Err((kind @ ReadErrorKind::Input(FaultKind::Limit { .. }), _)) => {
                report.note("cells-unchecked", chunk.item(), kind);
            }
            Err((kind, _)) => report.error("cells-invalid", chunk.item(), kind),
            Ok(gids) => {
                for gid in gids.into_iter().filter(|gid| !known.contains(*gid)) {
                    unknown.0 = unknown.0.saturating_add(1);
                    unknown.1.get_or_insert((gid, chunk.item()));
                }
            }
        }
    }
    if let (count, Some((gid, item))) = unknown {
        let count = format_count(count, "cell");
        report.warning("gid-unknown", item, format_args!("no tileset has the tiles of {count}, first {}", gid.id()));
    }
}
