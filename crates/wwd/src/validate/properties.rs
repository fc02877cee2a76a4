//! Findings of tile properties.

use mapwright_io::Frame;

use super::Report;
use crate::{Document, Shape, TileProperty};

pub(super) fn check(document: &Document, report: &mut Report) {
    let place = [Frame::Field("tile_properties")];
    let Some(table) = &document.tile_properties else {
        report.warning("no-properties", &place, "no tile properties: nothing is solid, and Claw may crash");
        return;
    };
    if table.size != 32 {
        report.warning("reserved", &place, format_args!("header size {}: expected 32", table.size));
    }
    for word in [table.reserved_04].into_iter().chain(table.reserved_0c) {
        report.reserved(&place, "reserved", word);
    }
    for (index, item) in table.items.iter().enumerate() {
        let place = [Frame::Field("tile_properties"), Frame::Field("items"), Frame::Index(index)];
        check_item(item, &place, report);
    }
}

fn check_item(item: &TileProperty, place: &[Frame], report: &mut Report) {
    report.reserved(place, "reserved_04", item.reserved_04);
    let attributes = match &item.shape {
        Shape::Single(attribute) => vec![*attribute],
        Shape::Double { outside, inside, .. } => vec![*outside, *inside],
        Shape::Mask(_) => {
            let power = item.height.checked_ilog2().map(|log| 1_u32 << log);
            if power != Some(item.width) {
                let message = format_args!(
                    "invalid mask size {}×{}: the width must be the largest power of two up to the height",
                    item.width, item.height
                );
                report.warning("mask-size", place, message);
            }
            Vec::new()
        }
    };
    for attribute in attributes {
        // Claw defines 0 to 4, Gruntz 0 to 154 with gaps.
        if !(0..=0x9A).contains(&attribute) {
            report.warning("attribute", place, format_args!("attribute {attribute} is not defined by the games"));
        }
    }
}
