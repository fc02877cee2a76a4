//! Findings about an archive.

use std::collections::HashSet;

use mapwright_io::{Finding, Findings, Position, Severity, escape_bytes, format_count};

use crate::document::Item;
use crate::regions::{Regions, block_range, is_contiguous, payload_range};
use crate::{Directory, Document, EntryKind, EntryRef, File, FileType, Packer, Title, safe_name};

/// Length in bytes of the longest name that WapMap can read.
const WAPMAP_NAME: usize = 127;

/// Offsets and meanings of the header fields with the largest sizes.
const HEADER_FIELDS: [(u64, &str); 4] =
    [(0x97, "number of keys"), (0x9B, "directory name"), (0x9F, "file name"), (0xA3, "description")];

impl Document {
    /// Validates the archive.
    ///
    /// | code | severity | when |
    /// |---|---|---|
    /// | `directory-outside`, `directory-cycle`, `directory-overlap`, `directory-depth`, `entry-cut` | error | entries of the directory could not be read |
    /// | `file-outside` | error | the payload of a file is outside the archive |
    /// | `banner` | warning | the title or a line break differs from all known archives |
    /// | `kind` | warning | the kind of an entry is unknown; it is read as a file |
    /// | `duplicate-name` | warning | a directory has two entries with the same name, of which look-ups find the first |
    /// | `overlap` | warning | a payload or directory block shares bytes with another part |
    /// | `largest-size` | warning | an entry exceeds a largest size of the header, on which programs rely |
    /// | `next-write-position` | warning | a payload is after the position where Monolith's tools write the next one |
    /// | `not-sorted` | warning | the header promises contiguous directories, but the payloads of one are not |
    /// | `description`, `keys` | warning | OpenClaw and ClawJS cannot read archives with descriptions or keys |
    /// | `lower-case` | warning | a name has lower-case letters: image names are case-sensitive, and lower-case types are never found |
    /// | `long-name` | warning | a name is longer than 127 bytes, which WapMap cannot read |
    /// | `unsafe-name` | warning | a name is no valid file name on all systems, or is `..` or a path |
    /// | `large-archive` | warning | the archive is larger than 2 GiB, which some readers cannot use |
    /// | `packer` | note | the program that wrote the directories, inferred from their layout |
    /// | `unused-bytes` | note | the archive has bytes that nothing uses |
    /// | `leftover` | note | a file of an authoring tool, which the games do not read |
    ///
    /// Positions refer to the archive that was read, so findings about added entries have none. At most 100 findings per code are listed
    /// individually.
    pub fn validate(&self) -> Vec<Finding> {
        let mut checker = Checker { document: self, findings: Findings::default() };
        checker.check_damage();
        checker.check_header();
        checker.check_entries();
        checker.check_regions();
        checker.findings.finish()
    }
}

struct Checker<'a> {
    document: &'a Document,
    findings: Findings,
}

impl Checker<'_> {
    fn check_damage(&mut self) {
        for (item, damage, at) in self.document.damaged_items() {
            if let Some(finding) = self.findings.add(damage.code(), Severity::Error, damage) {
                finding.path = item.error_path();
                finding.at = Some(at);
            }
        }
    }

    fn check_header(&mut self) {
        let (document, header) = (self.document, &self.document.header);
        if header.line_breaks != [*b"\r\n"; 3] || !header.title.0.starts_with(Title::REZ_MANAGER) {
            let message = format!(
                "title or line breaks differ from all known archives: title \"{}\"",
                escape_bytes(header.title.text())
            );
            self.warn_at("banner", 2, &message);
        }
        let Some(stored) = document.stored_header() else { return };
        let truth = document.largest();
        let declared = [
            (stored.largest_keys, truth.largest_keys),
            (stored.largest_directory_name, truth.largest_directory_name),
            (stored.largest_file_name, truth.largest_file_name),
            (stored.largest_description, truth.largest_description),
        ];
        for ((declared, found), (at, name)) in declared.into_iter().zip(HEADER_FIELDS) {
            if declared < found {
                let message = format!("header declares {declared} as the largest {name}: found {found}");
                self.warn_at("largest-size", at, &message);
            }
        }
        let end = document.files().filter_map(|(_, file)| payload_range(file)).map(|range| range.end).max();
        if end.is_some_and(|end| u64::from(stored.next_write_position) < end) {
            let message = format!(
                "next write position {} is before the end of the payloads at {}: Monolith's tools would overwrite them",
                stored.next_write_position,
                end.unwrap_or_default()
            );
            self.warn_at("next-write-position", 0x8F, &message);
        }
        if stored.is_sorted != 0 {
            self.check_sorted();
        }
        let length = document.original_bytes().map_or(0, <[u8]>::len);
        if length > 0x7FFF_FFFF {
            self.warn_at(
                "large-archive",
                0,
                &format!("archive has {length} bytes: some readers stop at 2,147,483,647"),
            );
        }
    }

    /// Checks the promise that the payloads of each directory are contiguous.
    fn check_sorted(&mut self) {
        for item in self.document.walk_with_root() {
            let EntryRef::Directory(directory) = item.entry else { continue };
            let mut ranges: Vec<_> = directory.files().filter_map(payload_range).collect();
            if !is_contiguous(&mut ranges) {
                let message = "payloads of the directory are not contiguous, but the header promises it";
                self.warn("not-sorted", &item, message);
            }
        }
    }

    fn check_entries(&mut self) {
        let document = self.document;
        for item in document.walk_with_root() {
            match item.entry {
                EntryRef::Directory(directory) => {
                    self.check_name(&item, &directory.name);
                    self.check_duplicates(&item, directory);
                }
                EntryRef::File(file) => {
                    self.check_name(&item, &file.full_name());
                    self.check_file(&item, file);
                }
            }
        }
    }

    fn check_name(&mut self, item: &Item<'_>, name: &[u8]) {
        if name.iter().any(u8::is_ascii_lowercase) {
            self.warn("lower-case", item, "name has lower-case letters: the games may not find it");
        }
        // The root has no name.
        let safe = safe_name(name);
        if !name.is_empty() && safe.as_bytes() != name {
            let message = format!("name is no valid file name on all systems: it is extracted as {safe:.100}");
            self.warn("unsafe-name", item, &message);
        }
        if name.len() > WAPMAP_NAME {
            self.warn("long-name", item, &format!("name has {} bytes: WapMap reads at most {WAPMAP_NAME}", name.len()));
        }
    }

    fn check_duplicates(&mut self, item: &Item<'_>, directory: &Directory) {
        // `None` is the type of directories, so a file may have the name of a directory.
        let mut names: HashSet<(Option<FileType>, Vec<u8>)> = HashSet::new();
        for entry in &directory.entries {
            let (file_type, name) = match entry.as_ref() {
                EntryRef::Directory(child) => (None, &child.name),
                EntryRef::File(file) => (Some(file.file_type), &file.name),
            };
            if !names.insert((file_type, name.to_ascii_uppercase())) {
                let mut parents = item.parents.clone();
                if !std::ptr::eq(directory, self.document.root()) {
                    parents.push(directory);
                }
                let duplicate = Item { parents, entry: entry.as_ref() };
                self.warn("duplicate-name", &duplicate, "name occurs twice in the directory; look-ups find the first");
            }
        }
    }

    fn check_file(&mut self, item: &Item<'_>, file: &File) {
        if file.kind != EntryKind::FILE {
            self.warn("kind", item, &format!("unknown kind {}, read as a file", file.kind.0));
        }
        if !file.description.is_empty() {
            self.warn("description", item, "file has a description: OpenClaw and ClawJS cannot read the archive");
        }
        if !file.keys.is_empty() {
            self.warn("keys", item, "file has keys: OpenClaw and ClawJS cannot read the archive");
        }
        if FileType::LEFTOVERS.contains(&file.file_type) {
            self.add("leftover", Severity::Note, item, "file of an authoring tool, which the games do not read");
        }
    }

    /// Checks the use of the bytes of the archive.
    fn check_regions(&mut self) {
        let document = self.document;
        if document.original.is_none() {
            return;
        }
        let regions = Regions::from_document(document);
        for item in document.walk_with_root() {
            let range = match item.entry {
                EntryRef::Directory(directory) => block_range(directory),
                EntryRef::File(file) => payload_range(file),
            };
            if let Some(range) = range.filter(|range| regions.count(range) > 1) {
                let message = format!("bytes {} to {} are also used by another entry", range.start, range.end);
                self.warn("overlap", &item, &message);
            }
        }
        let packer = match document.packer() {
            Packer::Monolith => "directories were written by Monolith's packer",
            Packer::Other => "directories were not written by Monolith's packer",
            Packer::Unknown => "archive has too few directories to identify its packer",
        };
        self.findings.add("packer", Severity::Note, packer);
        let gaps = regions.gaps().map(|gap| gap.end.saturating_sub(gap.start));
        let (ranges, bytes) =
            gaps.fold((0_usize, 0_u64), |(ranges, bytes), gap| (ranges.saturating_add(1), bytes.saturating_add(gap)));
        if ranges > 0 {
            let (bytes, ranges) = (format_count(bytes, "unused byte"), format_count(ranges as u64, "range"));
            self.findings.add("unused-bytes", Severity::Note, format_args!("{bytes} in {ranges}"));
        }
    }

    fn warn(&mut self, code: &'static str, item: &Item<'_>, message: &str) {
        self.add(code, Severity::Warning, item, message);
    }

    fn add(&mut self, code: &'static str, severity: Severity, item: &Item<'_>, message: &str) {
        if let Some(finding) = self.findings.add(code, severity, message) {
            finding.path = item.error_path();
            finding.at = position(item);
        }
    }

    fn warn_at(&mut self, code: &'static str, offset: u64, message: &str) {
        if let Some(finding) = self.findings.add(code, Severity::Warning, message) {
            finding.at = self.document.original.is_some().then(|| Position::file(offset));
        }
    }
}

/// Returns the offset of an entry in the archive that was read.
fn position(item: &Item<'_>) -> Option<Position> {
    let at = match item.entry {
        EntryRef::Directory(directory) => directory.stored?.at,
        EntryRef::File(file) => file.stored?.at,
    };
    Some(Position::file(at.into()))
}
