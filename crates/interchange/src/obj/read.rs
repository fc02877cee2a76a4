//! OBJ to scene.

mod build;
mod mtl;
mod statements;

use mapwright_scene::Import;

use super::ImportOptions;
use crate::{Error, FileSource};

/// Reads a scene from an OBJ file. `files` gives the material libraries and images that it names.
///
/// # Errors
/// With the line: numbers that are none or not finite, indices that point to nothing, statements with too few
/// numbers. Missing and damaged libraries and images are losses.
pub fn to_scene(data: &[u8], files: &(impl FileSource + ?Sized), options: &ImportOptions) -> Result<Import, Error> {
    let statements = statements::read(data)?;
    build::build(&statements, &|name: &str| files.load(name), options)
}
