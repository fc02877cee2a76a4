//! Findings of the file and its header.

use mapwright_io::{FixedBytes, Frame, format_count};

use super::Report;
use crate::document::first_number;
use crate::{Checksum, Document, Header, HeaderFlags};

pub(super) fn check(document: &Document, report: &mut Report) {
    header(&document.header, report);
    stored(document, report);
    let mains: Vec<usize> =
        document.planes.iter().enumerate().filter(|(_, plane)| plane.is_main()).map(|(index, _)| index).collect();
    let planes = [Frame::Field("planes")];
    match mains.as_slice() {
        [_] => {}
        [] => report.error("main-plane", &planes, "no main plane: editors reject the level"),
        _ => report.error("main-plane", &planes, format_args!("several main planes: {mains:?}")),
    }
    if !document.planes.is_sorted_by_key(|plane| plane.z_coord) {
        let z: Vec<i32> = document.planes.iter().map(|plane| plane.z_coord).collect();
        report.note("plane-order", &planes, format_args!("planes are not in the order of their z: {z:?}"));
    }
    if let Some(layout) = &document.layout {
        let residue: usize = layout.residue.iter().map(|residue| residue.bytes.len()).fold(0, usize::saturating_add);
        let message = format_args!(
            "unusual order of sections; {residue} bytes outside all sections; sections move to the usual order when \
             their size changes"
        );
        report.warning("layout", &[Frame::Field("layout")], message);
    }
}

fn header(header: &Header, report: &mut Report) {
    let place = [Frame::Field("header")];
    if header.header_size != 1524 {
        let message = format_args!(
            "header size {}: the engine rejects more than 1524 bytes, editors all other sizes",
            header.header_size
        );
        report.error("header-size", &place, message);
    }
    for (name, word) in [
        ("reserved_004", header.reserved_004),
        ("reserved_00c", header.reserved_00c),
        ("reserved_2f0", header.reserved_2f0),
    ] {
        report.reserved(&place, name, word);
    }
    if header.flags.unknown() != 0 {
        report.warning("flags", &place, format_args!("unknown flags {:#x}", header.flags.unknown()));
    }
    if header.word_2d8 != 0 {
        report.note("word-2d8", &place, format_args!("word at 0x2d8 is {}: 0 in most levels", header.word_2d8));
    }
    macro_rules! slots {
        ($($name:ident),* $(,)?) => { $( slot(&place, stringify!($name), &header.$name, report); )* };
    }
    slots!(
        name,
        author,
        birth,
        rez_file,
        image_dir,
        pal_rez,
        launch_app,
        image_set_1,
        image_set_2,
        image_set_3,
        image_set_4,
        prefix_1,
        prefix_2,
        prefix_3,
        prefix_4,
    );
    level_number(header, &place, report);
}

fn slot<const N: usize>(place: &[Frame], name: &'static str, slot: &FixedBytes<N>, report: &mut Report) {
    report.slot(place, name, &slot.raw, slot.text(), slot.residue());
}

/// Checks the number in the name, by which the games choose images. An area of Gruntz has four levels.
fn level_number(header: &Header, place: &[Frame], report: &mut Report) {
    let folder = header.image_dir.text().to_ascii_uppercase();
    let Some(level) = header.level_number() else {
        report.warning("level-number", place, "the name contains no number: the games take the level number from it");
        return;
    };
    let of = |prefix: &[u8]| {
        let at = folder.windows(prefix.len()).position(|part| part == prefix)?;
        first_number(folder.get(at.saturating_add(prefix.len())..)?.split(|byte| !byte.is_ascii_digit()).next()?)
    };
    let expected = match (of(b"LEVEL"), of(b"AREA")) {
        (Some(number), _) => Some((number, level)),
        (None, Some(area)) if (1..=32).contains(&level) => Some((area, level.div_ceil(4))),
        _ => None,
    };
    if let Some((folder, _)) = expected.filter(|(folder, named)| folder != named) {
        let message = format_args!("the name has the number {level}, the image folder is that of {folder}");
        report.warning("level-number", place, message);
    }
}

fn stored(document: &Document, report: &mut Report) {
    let place = [Frame::Field("header")];
    let compressed = document.header.flags.has(HeaderFlags::COMPRESS);
    let main = match document.main_block() {
        Ok(main) => main,
        Err(error) => {
            let path: Vec<Frame> = error.path().frames().cloned().collect();
            report.error("cannot-write", &path, error.kind());
            return;
        }
    };
    let declared = document.header.main_block_size;
    if !compressed && declared != 0 && u32::try_from(main.len()) != Ok(declared) {
        report.warning(
            "block-size",
            &place,
            format_args!("declared size of the main block is {declared}, expected {}", main.len()),
        );
    }
    trailer(document, compressed, report);
    let Some(stored) = document.stored_block() else { return };
    if compressed && stored.len() > main.len() {
        let message = format_args!(
            "stored block of {} bytes is longer than the main block of {}: Gruntz rejects the file; save it without compression",
            stored.len(),
            main.len()
        );
        report.error("block-longer", &place, message);
    }
    let sum = document.header.checksum;
    let matches = |checksum: &Checksum| checksum.compute(stored, &main, compressed) == sum;
    match Checksum::ALL.iter().find(|checksum| matches(checksum)) {
        Some(Checksum::Editor) => {}
        Some(Checksum::WapMap) => report.note("checksum", &place, format_args!("checksum {sum:#010x} is WapMap's")),
        Some(other @ Checksum::WithoutLastTerm) => {
            report.note("checksum", &place, format_args!("checksum {sum:#010x} is that of {}", other.name()));
        }
        Some(other) => {
            let message = format_args!("checksum {sum:#010x} is that of {}, not of an editor", other.name());
            report.warning("checksum", &place, message);
        }
        None => {
            report.warning("checksum", &place, format_args!("checksum {sum:#010x} is not that of a known program"));
        }
    }
}

fn trailer(document: &Document, compressed: bool, report: &mut Report) {
    let place = [Frame::Field("trailer")];
    let count = document.trailer.len();
    if count == 0 {
        return;
    }
    match document.notes() {
        Ok(None) => {
            report.warning(
                "trailer",
                &place,
                format_args!("{} after the stored block", format_count(count, "unknown byte")),
            );
        }
        Err(error) => report.warning("trailer", &place, format_args!("WapMap's notes: {error}")),
        Ok(Some(_)) if compressed => {
            report.note("trailer", &place, format_args!("{count} bytes of WapMap's notes after the stored block"));
        }
        Ok(Some(_)) => {
            let message = "WapMap's notes after an uncompressed block: some versions of WapMap reject that";
            report.warning("trailer", &place, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trailer_of_a_changed_level_is_checked() {
        let level = Document { trailer: b"odd".to_vec(), ..Document::new() };
        assert!(level.stored_block().is_none());
        assert!(level.validate().iter().any(|finding| finding.code == "trailer"));
    }
}
