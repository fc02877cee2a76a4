//! Checks the list of assets.

use super::report::{Location, Report, lossy};
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
                let message = format!("{path} is listed but not used");
                report.note("asset-unused", Location::Root("map_asset_references"), message);
            }
            Some(first) if !asset.listed => {
                if matches!(asset.kind, AssetKind::Material | AssetKind::Model | AssetKind::Map) {
                    let message = format!("{path} is missing from map_asset_references");
                    // Hammer's own lists are incomplete: 10 assets in 6 real maps.
                    report.note("asset-unlisted", Location::Named(first.element, first.attribute), message);
                }
            }
            Some(_) => {}
        }
    }
}
