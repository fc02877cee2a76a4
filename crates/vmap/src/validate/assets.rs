//! The list of assets.

use super::report::{Place, Report, lossy};
use crate::AssetKind;

pub(super) fn check(report: &mut Report<'_>) {
    let map = report.map;
    // Maps of formats 16 and 18 have no list.
    if map.graph().prefix_value("map_asset_references").is_none() {
        return;
    }
    for asset in map.assets() {
        let path = lossy(asset.path);
        match asset.uses.first() {
            None => {
                let message = format!("{path} is listed, but nothing in the map names it");
                report.note("asset-unused", Place::Root("map_asset_references"), message);
            }
            Some(first) if !asset.listed => {
                if matches!(asset.kind, AssetKind::Material | AssetKind::Model | AssetKind::Map) {
                    let message = format!("{path} is not in map_asset_references");
                    report.warn("asset-unlisted", Place::Named(first.element, first.attribute), message);
                }
            }
            Some(_) => {}
        }
    }
}
