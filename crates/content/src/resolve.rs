//! Resolves references of a scene to models, images, prefabs and sounds in other files.

#[cfg(feature = "wmp")]
mod acknex;
mod cache;
mod decode;
mod entity_names;
mod flatten;
mod interchange;
mod loader;
mod memory;
mod merge;
#[cfg(any(feature = "vmap", feature = "vmf"))]
mod own_parts;
mod read_log;
#[cfg(feature = "vmf")]
mod source1;
#[cfg(feature = "vmap")]
mod source2;
#[cfg(any(feature = "vmap", feature = "vmf"))]
mod variants;

use std::collections::{HashMap, HashSet};

use mapwright_io::format_size;
use mapwright_scene::{Content, InstanceSetId, Losses, MeshId, Model, Node, NodeId, Scene};

#[cfg(feature = "wmp")]
pub use self::acknex::Gamestudio;
pub use self::entity_names::NameAffixes;
pub use self::interchange::Interchange;
pub use self::loader::{LoadContext, Loader, Request, TextureContext, find_by_name};
#[cfg(feature = "vmf")]
pub use self::source1::Source1;
#[cfg(feature = "vmap")]
pub use self::source2::{MapAsset, MapAssets, Source2, list_map_assets};

pub(crate) use self::cache::{BEYOND_LIMIT, image_memory};
use self::cache::{Cache, FileKey, Loaded};
pub(crate) use self::decode::decode_within;
pub(crate) use self::read_log::ReadLog;
pub use crate::report::{Outcome, Reference, ReferenceKind, ResolveReport};

#[cfg(doc)]
use crate::attach_textures;
use crate::textures::attach_logged_textures;
use crate::{ContentSource, path_key};

/// The property of nodes that [`resolve`] adds, of meshes that it puts into instance sets, and of the materials of files.
pub(crate) const RESOLVED_FROM: &str = Node::RESOLVED_FROM;

mapwright_io::options! {
    /// Options of [`resolve`].
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ResolveOptions {
        /// Maximum bytes of decoded models and images together, and of the nodes of their uses. Files beyond it are reported as not
        /// decodable. Up to 16 files are decoded at a time. Images, and files of a loader that
        /// [fails beyond the limit](Loader::fails_beyond_limit), share the bytes that are left; other files take at most all of them
        /// each. Default: 1 GiB.
        pub max_bytes: usize = 1 << 30, with_max_bytes;
        /// Maximum number of nodes that are added. Uses of models beyond it are reported. Default: 2¹⁹.
        pub max_nodes: usize = 1 << 19, with_max_nodes;
        /// The path of the level below a root of the content. Uses of it are reported instead of its nodes. `None`: elsewhere.
        pub level: Option<String> = None, with_level;
        /// The index of the root that contains the level. Default: the first.
        pub level_root: usize = 0, with_level_root;
        /// Maximum depth of files that refer to other files. Default: 8.
        pub max_depth: usize = 8, with_max_depth;
        /// `true` if only prefabs are resolved, and neither models, images and sounds nor the maps of 3D skyboxes. Default: `false`.
        pub only_prefabs: bool = false, with_only_prefabs;
    }
}

/// Resolves the references of a scene to files of the content.
///
/// | reference | result |
/// |---|---|
/// | model of an entity, prefab | child nodes with the nodes of the file |
/// | model of an instance set | the mesh of the file; several nodes of a file become one mesh |
/// | image of a resolved model | the decoded image, shared by all materials that use it |
/// | material of the level without a texture | the texture that [`Loader::attach_textures`] finds |
/// | sound | unchanged; the report states if the file exists |
///
/// Each file is decoded once, or once for each [variant](Loader::variant), and all uses share its meshes. Files that a resolved file
/// refers to are resolved, too. Lengths of models are converted to the unit of the scene if both units are known.
///
/// Added nodes have the property [`Node::RESOLVED_FROM`], as do the meshes that replace references of instance sets.
///
/// A file that is missing, damaged or beyond a limit is reported, and its uses keep their reference.
pub fn resolve(
    scene: &mut Scene,
    content: &ContentSource,
    loader: &dyn Loader,
    options: &ResolveOptions,
) -> ResolveReport {
    let log = ReadLog::default();
    let mut resolver = Resolver {
        content,
        loader,
        options,
        cache: Cache::new(content, loader, options.max_bytes, &log),
        log: &log,
        files: Vec::new(),
        left_nodes: options.max_nodes,
        refused_nodes: 0,
        node_limit: None,
        left_names: Some(options.max_bytes),
        name_losses: Losses::new(),
        report: ResolveReport::default(),
    };
    // References of nodes that an earlier call added are resolved already.
    let mut added: HashSet<NodeId> = HashSet::new();
    let mut stack: Vec<NodeId> = scene.nodes.iter().filter(|(_, node)| node.is_resolved()).map(|(id, _)| id).collect();
    while let Some(id) = stack.pop() {
        if added.insert(id) {
            stack.extend(scene.nodes.get(id).into_iter().flat_map(|node| &node.children));
        }
    }
    if !options.only_prefabs {
        loader.prepare(scene);
    }
    let mut nodes: Vec<NodeId> = scene.walk().map(|visit| visit.id).collect();
    // Nodes that only instances show follow those of the tree.
    let in_tree: HashSet<NodeId> = nodes.iter().copied().collect();
    let copies = scene.occurrences().nodes;
    let is_shown = |id: &NodeId| copies.get(id.index()).is_some_and(|copies| *copies > 0);
    nodes.extend(scene.nodes.ids().filter(|id| !in_tree.contains(id) && is_shown(id)));
    nodes.retain(|id| !added.contains(id));
    let first_added = scene.meshes.len();
    if !options.only_prefabs {
        resolver.report_sounds(scene, &nodes);
    }
    let mut pending = resolver.collect_uses(scene, &nodes, None);
    let mut depth = 0_usize;
    while !pending.is_empty() {
        if depth >= options.max_depth {
            for Use { path, kind, .. } in pending {
                let reason = format!("nested more than {} files deep", options.max_depth);
                resolver.report.add(kind, &path, Outcome::Undecodable(reason));
            }
            break;
        }
        pending = resolver.resolve_uses(scene, pending);
        depth = depth.saturating_add(1);
    }
    remove_unused_meshes(scene, first_added);
    let mut report = resolver.finish(scene);
    report.files = log.into_paths();
    report
}

/// Attaches textures as [`attach_textures`] does, and returns the losses, the files that were read, and the materials without an image as
/// missing.
pub fn resolve_textures(scene: &mut Scene, content: &ContentSource, max_bytes: usize) -> ResolveReport {
    let log = ReadLog::default();
    let attached = attach_logged_textures(scene, content, max_bytes, &log, path_key);
    let mut report = ResolveReport::default();
    report.losses = attached.losses();
    attached.add_shown_to_report(scene, &mut report);
    report.files = log.into_paths();
    report
}

/// Removes added meshes that nothing uses: the parts of merged meshes, and those of models beyond the limit of nodes.
fn remove_unused_meshes(scene: &mut Scene, first_added: usize) {
    let mut is_used = vec![false; scene.meshes.len()];
    let nodes = scene.nodes.items().iter().filter_map(|node| match node.content {
        Content::Mesh(id) => Some(id),
        _ => None,
    });
    let models = scene.instance_sets.items().iter().flat_map(|set| &set.models);
    let instances = models.filter_map(|model| match model {
        Model::Mesh(id) => Some(*id),
        Model::Reference(_) => None,
    });
    for id in nodes.chain(instances) {
        is_used.get_mut(id.index()).into_iter().for_each(|used| *used = true);
    }
    is_used.iter_mut().take(first_added).for_each(|used| *used = true);
    let meshes = std::mem::take(&mut scene.meshes).into_iter().zip(is_used);
    let moved: Vec<_> = meshes.map(|(mesh, is_used)| is_used.then(|| scene.meshes.push(mesh))).collect();
    let follow = |id: &mut MeshId| {
        if let Some(new) = moved.get(id.index()).copied().flatten() {
            *id = new;
        }
    };
    for (_, node) in scene.nodes.iter_mut() {
        if let Content::Mesh(id) = &mut node.content {
            follow(id);
        }
    }
    for model in scene.instance_sets.iter_mut().flat_map(|(_, set)| &mut set.models) {
        if let Model::Mesh(id) = model {
            follow(id);
        }
    }
}

/// A reference in the scene.
struct Use {
    place: Place,
    path: String,
    kind: ReferenceKind,
    variant: u32,
    /// Index in [`Resolver::files`] of the file that contains the reference. `None`: the level.
    parent: Option<usize>,
}

/// The part of the scene that refers to a file.
enum Place {
    /// The node of an entity or prefab.
    Node(NodeId),
    /// A model of an instance set.
    Model(InstanceSetId, usize),
}

/// A file whose nodes were added, for references inside it.
struct FileUse {
    key: FileKey,
    parent: Option<usize>,
    /// The texts around the names of its entities.
    affixes: NameAffixes,
}

struct Resolver<'a> {
    content: &'a ContentSource,
    loader: &'a dyn Loader,
    options: &'a ResolveOptions,
    cache: Cache<'a>,
    log: &'a ReadLog,
    files: Vec<FileUse>,
    left_nodes: usize,
    /// Number of uses without nodes, because there are too many.
    refused_nodes: usize,
    /// The limit that the first of them exceeds.
    node_limit: Option<String>,
    /// Bytes that are left for changed names. `None` if they were not enough.
    left_names: Option<usize>,
    name_losses: Losses,
    report: ResolveReport,
}

impl Resolver<'_> {
    /// Reports the sounds of the level.
    fn report_sounds(&mut self, scene: &Scene, nodes: &[NodeId]) {
        let sounds = nodes.iter().filter_map(|id| match scene.nodes.get(*id)?.content {
            Content::Sound(sound) => scene.sounds.get(sound),
            _ => None,
        });
        for sound in sounds.filter(|sound| !sound.reference.is_empty()) {
            let request = Request { path: &sound.reference, kind: ReferenceKind::Sound, from: None };
            let file = self.loader.find(&request, self.content);
            file.iter().for_each(|file| self.log.add(file));
            let outcome = file.map_or(Outcome::Missing, |file| Outcome::Found(file.path().to_owned()));
            self.report.add(ReferenceKind::Sound, &sound.reference, outcome);
        }
    }

    /// Returns the references of nodes to models and prefabs.
    fn collect_uses(&self, scene: &Scene, nodes: &[NodeId], parent: Option<usize>) -> Vec<Use> {
        let mut uses = Vec::new();
        for &id in nodes {
            let Some(node) = scene.nodes.get(id) else { continue };
            let (path, kind) = match &node.content {
                Content::Prefab(prefab) => (prefab.reference.clone(), ReferenceKind::Prefab),
                _ if self.options.only_prefabs => continue,
                Content::Entity(entity) => match scene.entities.get(*entity).and_then(|it| it.model.clone()) {
                    Some(path) => (path, ReferenceKind::Model),
                    None => continue,
                },
                Content::InstanceSet(set) => {
                    let models = scene.instance_sets.get(*set).map_or(&[][..], |set| &set.models);
                    for (index, model) in models.iter().enumerate() {
                        if let Model::Reference(path) = model {
                            let place = Place::Model(*set, index);
                            uses.push(Use {
                                place,
                                path: path.clone(),
                                kind: ReferenceKind::Model,
                                variant: 0,
                                parent,
                            });
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            // A scene that was resolved before has the nodes already.
            let children = node.children.iter().filter_map(|child| scene.nodes.get(*child));
            if path.is_empty() || children.into_iter().any(Node::is_resolved) {
                continue;
            }
            let variant = self.loader.variant(scene, id);
            uses.push(Use { place: Place::Node(id), path, kind, variant, parent });
        }
        uses
    }

    /// Loads the files of references and adds their nodes. Returns the references of these nodes.
    fn resolve_uses(&mut self, scene: &mut Scene, uses: Vec<Use>) -> Vec<Use> {
        let keys: Vec<Option<FileKey>> = uses.iter().map(|it| self.find(it)).collect();
        self.cache.load(scene, keys.iter().flatten(), &mut self.report);
        let mut next = Vec::new();
        let mut flattened: HashMap<FileKey, Option<MeshId>> = HashMap::new();
        for (it, key) in uses.into_iter().zip(keys) {
            let instances = match it.place {
                Place::Node(_) => 1,
                Place::Model(set, model) => scene.instance_sets.get(set).map_or(0, |set| count_instances(set, model)),
            };
            let Some(key) = key else {
                self.report.add_uses(it.kind, &it.path, Outcome::Missing, instances);
                continue;
            };
            let outcome = match self.cache.get(&key) {
                _ if self.contains_itself(&key, it.parent) => Outcome::Undecodable("it contains itself".to_owned()),
                Some(Loaded::Failed(reason)) => Outcome::Undecodable(reason.clone()),
                Some(Loaded::Template(_)) => Outcome::Found(key.path.clone()),
                None => Outcome::Missing,
            };
            let is_found = matches!(outcome, Outcome::Found(_));
            self.report.add_uses(it.kind, &it.path, outcome, instances);
            let Some(Loaded::Template(template)) = self.cache.get(&key).filter(|_| is_found) else { continue };
            match it.place {
                Place::Node(node) => {
                    let memory = template.memory_of_use(&it.path);
                    let left = self.left_nodes.checked_sub(template.node_count());
                    let Some(left) = left.filter(|_| self.cache.take(memory)) else {
                        let ResolveOptions { max_nodes, max_bytes, .. } = self.options;
                        let limit = match left {
                            None => format!("{max_nodes} nodes"),
                            Some(_) => format!("{} for all models and images", format_size(*max_bytes as u64)),
                        };
                        let reason = format!("the nodes of some uses exceed the limit of {limit}");
                        self.node_limit.get_or_insert(limit);
                        self.refused_nodes = self.refused_nodes.saturating_add(1);
                        self.report.add_uses(it.kind, &it.path, Outcome::Undecodable(reason), 0);
                        continue;
                    };
                    self.left_nodes = left;
                    let Some(Loaded::Template(template)) = self.cache.get(&key) else { continue };
                    let is_shown = self.loader.is_shown(scene, node);
                    let own = self.loader.name_affixes(scene, node, template.properties());
                    let added = template.place(scene, node, &it.path, is_shown);
                    let affixes = self.rename_entities(scene, &added, it.parent, &own);
                    self.files.push(FileUse { key, parent: it.parent, affixes });
                    let file = self.files.len().checked_sub(1);
                    next.extend(self.collect_uses(scene, &added, file));
                }
                Place::Model(set, model) => {
                    let mesh = flattened.entry(key).or_insert_with(|| flatten::flatten(scene, template, &it.path));
                    if let (Some(mesh), Some(set)) = (*mesh, scene.instance_sets.get_mut(set))
                        && let Some(model) = set.models.get_mut(model)
                    {
                        *model = Model::Mesh(mesh);
                    }
                }
            }
        }
        next
    }

    /// Puts the texts of a file, inside those of the files that use it, around the names of its entities. Returns all texts together. Each
    /// use of a file keeps them, so they count towards the limit of memory, too.
    fn rename_entities(
        &mut self,
        scene: &mut Scene,
        added: &[NodeId],
        parent: Option<usize>,
        own: &NameAffixes,
    ) -> NameAffixes {
        let affixes = match parent.and_then(|parent| self.files.get(parent)) {
            Some(file) => file.affixes.for_nested(own),
            None => own.clone(),
        };
        let Some(left) = self.left_names.filter(|_| !affixes.is_empty()) else { return NameAffixes::default() };
        let left = left.checked_sub(affixes.len());
        self.left_names = left.and_then(|left| affixes.apply_to_nodes(scene, added, left, &mut self.name_losses));
        if self.left_names.is_some() {
            return affixes;
        }
        let text = "names of entities in several uses of a file stay equal: changed names exceed the limit of memory";
        self.name_losses.approximated("entities", text);
        NameAffixes::default()
    }

    fn find(&self, it: &Use) -> Option<FileKey> {
        let from = it.parent.and_then(|parent| self.files.get(parent));
        let from = from.and_then(|file| file.key.file(self.content));
        let file = self.loader.find(&Request { path: &it.path, kind: it.kind, from }, self.content)?;
        Some(FileKey::new(&file, it.variant))
    }

    /// Returns `true` if a file is among those that lead to a reference.
    fn contains_itself(&self, key: &FileKey, mut parent: Option<usize>) -> bool {
        while let Some(file) = parent.and_then(|parent| self.files.get(parent)) {
            if file.key.is_same_file(key) {
                return true;
            }
            parent = file.parent;
        }
        self.options.level.as_deref().is_some_and(|level| key.is_path(self.options.level_root, level))
    }

    /// Attaches textures to the materials of the level and completes the report.
    fn finish(mut self, scene: &mut Scene) -> ResolveReport {
        let context = TextureContext { content: self.content, max_bytes: self.cache.left(), log: self.log };
        let textures = match self.options.only_prefabs {
            true => Losses::new(),
            false => self.loader.attach_textures(scene, &context, &mut self.report),
        };
        let mut losses = Losses::new();
        // Summaries show the first of these losses, and this one concerns more than a file.
        if let Some(limit) = self.node_limit {
            let count = self.refused_nodes;
            let text = format!("models: their nodes exceed the limit of {limit}; uses without a model: {count}");
            losses.dropped("nodes", text);
        }
        self.report.report_losses(&mut losses);
        losses.append(self.cache.into_losses());
        losses.append(self.name_losses);
        losses.append(textures);
        self.report.losses = losses;
        self.report
    }
}

fn count_instances(set: &mapwright_scene::InstanceSet, model: usize) -> u64 {
    let rows = set.model.iter().take(set.transforms.len());
    rows.filter(|row| usize::try_from(**row) == Ok(model)).count() as u64
}

#[cfg(all(test, feature = "fs"))]
mod tests;
