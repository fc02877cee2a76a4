//! The interface between references and the formats of their files.

use std::io;

use mapwright_scene::{Image, ImageSource, Import, Losses, Material, NodeId, Properties, Scene};

use super::entity_names::NameAffixes;
use super::read_log::ReadLog;
use crate::images;
use crate::report::{ReferenceKind, ResolveReport};
use crate::textures::attach_logged_textures;
use crate::{ContentFile, ContentSource, path_key};

/// A reference that a [`Loader`] resolves.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The path as the file stores it.
    pub path: &'a str,
    /// The kind of the file.
    pub kind: ReferenceKind,
    /// The file that contains the reference. `None`: the level.
    pub from: Option<ContentFile<'a>>,
}

/// The surroundings of a file that is loaded.
#[derive(Debug, Clone, Copy)]
pub struct LoadContext<'a> {
    /// The file.
    pub file: ContentFile<'a>,
    /// All files.
    pub content: &'a ContentSource,
    /// The variant of the use.
    pub variant: u32,
    /// Maximum bytes of the decoded file.
    pub max_bytes: usize,
    pub(super) log: &'a ReadLog,
}

impl LoadContext<'_> {
    /// Reads another file that the file needs, so that the report contains its path.
    ///
    /// # Errors
    /// As for [`ContentFile::read`].
    pub fn read(&self, file: &ContentFile<'_>) -> io::Result<Vec<u8>> {
        self.log.read(file)
    }
}

/// The surroundings of textures that are attached to a level.
#[derive(Debug, Clone, Copy)]
pub struct TextureContext<'a> {
    /// All files.
    pub content: &'a ContentSource,
    /// Maximum bytes of the textures.
    pub max_bytes: usize,
    pub(super) log: &'a ReadLog,
}

impl TextureContext<'_> {
    /// Reads a file, so that the report contains its path.
    ///
    /// # Errors
    /// As for [`ContentFile::read`].
    pub fn read(&self, file: &ContentFile<'_>) -> io::Result<Vec<u8>> {
        self.log.read(file)
    }
}

/// The formats and search rules of a kind of game.
///
/// A loader is asked from several threads at once.
pub trait Loader: Sync {
    /// Adds nodes for references of the level that are neither models nor prefabs in the scene.
    fn prepare(&self, _scene: &mut Scene) {}

    /// Returns the file that a reference leads to.
    fn find<'a>(&self, request: &Request<'_>, content: &'a ContentSource) -> Option<ContentFile<'a>>;

    /// Returns a number for the settings of a node that change the content of its model. The file is loaded once for each number.
    fn variant(&self, _scene: &Scene, _node: NodeId) -> u32 {
        0
    }

    /// Returns the texts that the game puts around the names of entities in the file of a node. `file` contains the properties of the
    /// scene of the file.
    fn name_affixes(&self, _scene: &Scene, _node: NodeId, _file: &Properties) -> NameAffixes {
        NameAffixes::default()
    }

    /// Returns `false` if the game loads the model of a node but does not draw it.
    fn is_shown(&self, _scene: &Scene, _node: NodeId) -> bool {
        true
    }

    /// Returns `true` if the lights, sounds and paths of a file become part of the level. Those of models do not.
    fn keeps_lights(&self, _file: ContentFile<'_>) -> bool {
        false
    }

    /// Returns `true` if [`load`](Self::load) returns an error whenever the scene would take more than [`LoadContext::max_bytes`], instead
    /// of a scene with less content. Several files are then decoded at once with a part of the limit each, so that all of them together
    /// stay within the limit, and a file that needs more is decoded again.
    fn fails_beyond_limit(&self) -> bool {
        false
    }

    /// Converts a model or prefab to a scene. Images in other files are [`ImageSource::External`]; they are found and decoded later.
    ///
    /// # Errors
    /// The reason why the file cannot be decoded.
    fn load(&self, bytes: &[u8], context: &LoadContext<'_>) -> Result<Import, String>;

    /// Decodes an image of a model. PNG and JPEG files stay encoded by default.
    ///
    /// # Errors
    /// The reason why the file cannot be decoded.
    fn load_image(
        &self,
        bytes: Vec<u8>,
        context: &LoadContext<'_>,
        losses: &mut Losses,
    ) -> Result<ImageSource, String> {
        images::read(bytes, context.file.path(), context.max_bytes, losses).map(|(image, _)| image)
    }

    /// Adapts a material of a model to its base colour image, which was in another file.
    fn adapt_material(&self, _material: &mut Material, _image: &Image, _variant: u32) {}

    /// Attaches textures to materials of the level. Returns the losses that are not in the report.
    fn attach_textures(&self, scene: &mut Scene, context: &TextureContext<'_>, report: &mut ResolveReport) -> Losses {
        let attached = attach_logged_textures(scene, context.content, context.max_bytes, context.log, path_key);
        attached.add_shown_to_report(scene, report)
    }
}

/// Finds a file as most games do: beside the file that refers to it, at its path below a root, by its name in a root, and by its name in
/// any folder. Paths with a drive and paths that lead out of the root are found by their name only.
pub fn find_by_name<'a>(request: &Request<'_>, content: &'a ContentSource) -> Option<ContentFile<'a>> {
    let name = request.path.rsplit(['/', '\\']).next()?;
    let beside = request.from.and_then(|from| {
        let at = from.path().rfind('/').map_or(0, |slash| slash.saturating_add(1));
        let folder = from.path().get(..at)?;
        [request.path, name].iter().find_map(|path| content.find_in_root(from.root(), &format!("{folder}{path}")))
    });
    let by_path = || content.find(request.path);
    beside.or_else(by_path).or_else(|| content.find(name)).or_else(|| content.find_name(name))
}
