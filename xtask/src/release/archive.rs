//! Archives with the same bytes for the same contents: in the given order, with one time and without owners.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use super::contents::Entry;

/// Returns a compressed tar archive of the entries in a folder.
pub(super) fn tar_gz(folder: &str, entries: &[Entry], time: u64, level: u32) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| format!("the archive {folder} cannot be made: {error}");
    // The header of gzip has no time and no name.
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::new(level)));
    for entry in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(entry.mode());
        header.set_mtime(time);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, format!("{folder}/{}", entry.path), entry.bytes.as_slice()).map_err(failed)?;
    }
    archive.into_inner().and_then(GzEncoder::finish).map_err(failed)
}

/// Returns a zip archive of the entries in a folder.
pub(super) fn zip(folder: &str, entries: &[Entry], time: u64, level: u32) -> Result<Vec<u8>, String> {
    let failed = |error: rawzip::Error| format!("the archive {folder} cannot be made: {error}");
    let time = UtcDateTime::from_unix(i64::try_from(time).unwrap_or(i64::MAX));
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for entry in entries {
        let path = format!("{folder}/{}", entry.path);
        let file = archive.new_file(path.as_str()).compression_method(CompressionMethod::DEFLATE);
        let (mut file, config) =
            file.last_modified(time).unix_permissions(0o100_000 | entry.mode()).start().map_err(failed)?;
        let mut writer = config.wrap(DeflateEncoder::new(&mut file, Compression::new(level)));
        writer.write_all(&entry.bytes).map_err(|error| failed(error.into()))?;
        let (encoder, descriptor) = writer.finish().map_err(failed)?;
        encoder.finish().map_err(|error| failed(error.into()))?;
        file.finish(descriptor).map_err(failed)?;
    }
    archive.finish().map_err(failed)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn entries() -> Vec<Entry> {
        vec![Entry::program("tool", b"\x7fELF".repeat(99)), Entry::text("man/tool.1", b".TH".to_vec())]
    }

    #[test]
    fn tar_archives_have_fixed_bytes() {
        let made = tar_gz("tool-1", &entries(), 1_700_000_000, 9).unwrap();
        assert_eq!(made, tar_gz("tool-1", &entries(), 1_700_000_000, 9).unwrap());
        assert_ne!(made, tar_gz("tool-1", &entries(), 1_700_000_001, 9).unwrap());
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(made.as_slice()).read_to_end(&mut unpacked).unwrap();
        let mut archive = tar::Archive::new(unpacked.as_slice());
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let header = entry.header();
            assert_eq!((header.uid().unwrap(), header.gid().unwrap(), header.mtime().unwrap()), (0, 0, 1_700_000_000));
            let mode = header.mode().unwrap();
            let path = entry.path().unwrap().display().to_string();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            found.push((path, mode, bytes));
        }
        assert_eq!(
            found,
            [
                ("tool-1/tool".to_owned(), 0o755, b"\x7fELF".repeat(99)),
                ("tool-1/man/tool.1".to_owned(), 0o644, b".TH".to_vec()),
            ]
        );
    }

    #[test]
    fn zip_archives_have_fixed_bytes() {
        let made = zip("tool-1", &entries(), 1_700_000_000, 9).unwrap();
        assert_eq!(made, zip("tool-1", &entries(), 1_700_000_000, 9).unwrap());
        let archive = rawzip::ZipArchive::from_slice(&made).unwrap();
        let mut found = Vec::new();
        let mut files = archive.entries();
        while let Some(file) = files.next_entry().unwrap() {
            let path = file.file_path().try_normalize().unwrap().as_ref().to_owned();
            let mode = file.mode().value() & 0o777;
            let data = archive.get_entry(file.wayfinder()).unwrap();
            let mut bytes = Vec::new();
            let decoder = flate2::bufread::DeflateDecoder::new(data.data());
            data.verifying_reader(decoder).read_to_end(&mut bytes).unwrap();
            found.push((path, mode, bytes));
        }
        assert_eq!(
            found,
            [
                ("tool-1/tool".to_owned(), 0o755, b"\x7fELF".repeat(99)),
                ("tool-1/man/tool.1".to_owned(), 0o644, b".TH".to_vec()),
            ]
        );
    }
}
