//! Models in interchange formats: glTF and OBJ.

use mapwright_interchange::{gltf, obj};
use mapwright_io::unescape_bytes;
use mapwright_scene::{FileError, FileKind, FileSource, Import, Losses, NoFiles, Scene};

use super::loader::{LoadContext, Loader, Request, TextureContext, find_by_name};
use crate::report::{ReferenceKind, ResolveReport};
use crate::textures::attach_logged_textures;
use crate::{ContentFile, ContentSource, path_key};

/// Extensions of models, the best first.
const MODELS: [&str; 3] = ["glb", "gltf", "obj"];

/// Finds glTF and OBJ files instead of the models of a game: `data3d/tree.glb` for `data3d\tree.p3d`. Paths are escaped as by
/// [`escape_bytes`](mapwright_io::escape_bytes); files for paths that are not UTF-8 are not found.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Interchange {}

impl Loader for Interchange {
    fn find<'a>(&self, request: &Request<'_>, content: &'a ContentSource) -> Option<ContentFile<'a>> {
        let path = &unescape_path(request.path);
        match request.kind {
            ReferenceKind::Model | ReferenceKind::Prefab => find_model(path, content),
            _ => find_by_name(&Request { path, ..*request }, content),
        }
    }

    fn load(&self, bytes: &[u8], context: &LoadContext<'_>) -> Result<Import, String> {
        load_model(bytes, context)
    }

    fn attach_textures(&self, scene: &mut Scene, context: &TextureContext<'_>, report: &mut ResolveReport) -> Losses {
        let key_of_name = |name: &str| path_key(&unescape_path(name));
        let attached = attach_logged_textures(scene, context.content, context.max_bytes, context.log, key_of_name);
        attached.add_shown_to_report(scene, report)
    }
}

/// Returns the text of an escaped path. Bytes that are not UTF-8 become U+FFFD.
fn unescape_path(path: &str) -> String {
    String::from_utf8_lossy(&unescape_bytes(path)).into_owned()
}

/// Finds a glTF or OBJ file with the path of a model and another extension.
pub(super) fn find_model<'a>(path: &str, content: &'a ContentSource) -> Option<ContentFile<'a>> {
    let name_start = path.rfind(['/', '\\']).map_or(0, |slash| slash.saturating_add(1));
    let stem = match path.get(name_start..)?.rfind('.') {
        Some(dot) => path.get(..name_start.saturating_add(dot))?,
        None => path,
    };
    MODELS.iter().find_map(|extension| content.find(&format!("{stem}.{extension}")))
}

/// Reads a glTF or OBJ file.
pub(super) fn load_model(bytes: &[u8], context: &LoadContext<'_>) -> Result<Import, String> {
    let files = Beside { context };
    let is_obj = context.file.path().rsplit('.').next().is_some_and(|it| it.eq_ignore_ascii_case("obj"));
    let import = if is_obj {
        let options = obj::ImportOptions::default().with_max_image_bytes(context.max_bytes);
        obj::to_scene(bytes, &files, &options)
    } else {
        let options = gltf::ImportOptions::default().with_max_bytes(context.max_bytes as u64);
        gltf::to_scene(bytes, &files, &options)
    };
    import.map_err(|error| error.to_string())
}

/// The files in the folder of a model and below, in its root.
struct Beside<'a> {
    context: &'a LoadContext<'a>,
}

impl FileSource for Beside<'_> {
    fn load(&self, name: &str, kind: FileKind) -> Result<Vec<u8>, FileError> {
        let LoadContext { file, content, max_bytes, .. } = *self.context;
        let found = match kind {
            // Images are found and decoded later.
            FileKind::Image => return NoFiles.load(name, kind),
            _ => {
                let folder = file.path().rfind('/').and_then(|slash| file.path().get(..=slash)).unwrap_or_default();
                content.find_in_root(file.root(), &format!("{folder}{name}"))
            }
        };
        let bytes = self.context.read(&found.ok_or(FileError::NotFound)?).map_err(|_| FileError::Unreadable)?;
        if bytes.len() > max_bytes { Err(FileError::TooLarge) } else { Ok(bytes) }
    }
}
