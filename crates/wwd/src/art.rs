//! Images of tiles and objects. Levels do not contain them: they are files in folders unpacked from the archive of the game.
//!
//! The header of a level names the folders. [`Assets`] finds the files in a list of paths. This module opens and decodes no files: the
//! caller passes paths, and decodes images with `mapwright-wapart`.
//!
//! ```
//! use mapwright_wwd::art::Assets;
//! use mapwright_wwd::io::FixedBytes;
//! use mapwright_wwd::Header;
//!
//! let header = Header { image_dir: FixedBytes::from_text(br"\LEVEL1\TILES").unwrap(), ..Header::default() };
//! let assets = Assets::new(["LEVEL1/TILES/ACTION/012.PID", "LEVEL1/PALETTES/MAIN.PAL"], &header);
//! assert_eq!(assets.tile(b"ACTION", 12), Some("LEVEL1/TILES/ACTION/012.PID"));
//! assert_eq!(assets.palette(), Some("LEVEL1/PALETTES/MAIN.PAL"));
//! ```

mod index;
#[cfg(feature = "scene")]
mod scene;

pub use index::Assets;
#[cfg(feature = "scene")]
pub use scene::{AttachOptions, DecodedImage, attach_images};

/// The file formats of images, in order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extension {
    Pid,
    Pcx,
}

pub(crate) fn extension(path: &str) -> Option<Extension> {
    let (_, extension) = path.rsplit_once('.')?;
    match extension {
        _ if extension.eq_ignore_ascii_case("pid") => Some(Extension::Pid),
        _ if extension.eq_ignore_ascii_case("pcx") => Some(Extension::Pcx),
        _ => None,
    }
}
