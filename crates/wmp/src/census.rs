//! Statistics of a map: blocks and faces, entities by kind, textures and files by use, the tree, the size of the world.
//!
//! ```
//! use mapwright_wmp::{Dialect, Document};
//!
//! let map = Document::new(Dialect::A7);
//! assert_eq!(map.census().to_string(), "710 map of WMPIO V 1.30: 0 blocks with 0 faces, 0 groups, depth 0\n1 level\n");
//! ```

use std::fmt;
use std::hash::Hash;

use hashbrown::HashMap;

use crate::tree::{PartIndex, Tree};
use crate::{BlockFlags, Dialect, Document, EntityKind, FileKind, MemberKind, Name, Shape};

/// Statistics of a map. Prints as a few lines and lists.
#[derive(Debug, Clone, PartialEq)]
pub struct Census {
    /// The dialect.
    pub dialect: Dialect,
    /// The program that wrote the file.
    pub generator: Name,
    /// Number of blocks.
    pub blocks: usize,
    /// Number of blocks marked as meshes, which need not be convex.
    pub meshes: usize,
    /// Number of blocks with locked textures.
    pub locked: usize,
    /// Number of faces of all blocks.
    pub faces: usize,
    /// Number of faces without a texture.
    pub bare: usize,
    /// Number of vertices of all blocks. A4 stores none.
    pub vertices: usize,
    /// Number of entities of each kind that occurs.
    pub entities: Vec<(MemberKind, usize)>,
    /// Number of groups below the root. Resolved maps have none.
    pub groups: usize,
    /// Nesting depth of objects: 0 if there is only the root.
    pub depth: usize,
    /// Minimum and maximum of all blocks and entities in world space, if there are any.
    pub extent: Option<[[f64; 3]; 2]>,
    /// Textures with the number of faces that use them, the most frequent first.
    pub textures: Vec<(Name, usize)>,
    /// Files of models and sounds and the script, with the number of uses, the most frequent first.
    pub files: Vec<(FileKind, Name, usize)>,
    /// Files of textures.
    pub wads: Vec<Name>,
    /// Folders of textures.
    pub folders: Vec<Name>,
}

impl Document {
    /// Counts the contents of the map.
    pub fn census(&self) -> Census {
        let tree = Tree::new(self);
        let mut entities: HashMap<MemberKind, usize> = HashMap::new();
        let mut files: HashMap<(FileKind, &Name), usize> = HashMap::new();
        for entity in &self.entities {
            count(&mut entities, entity.member_kind());
            let file = match &entity.kind {
                EntityKind::Model(model) => (FileKind::Model, &model.file),
                EntityKind::Sound(sound) => (FileKind::Sound, &sound.file),
                EntityKind::Level(level) => (FileKind::Script, &level.script),
                _ => continue,
            };
            if !file.1.is_empty() {
                count(&mut files, file);
            }
        }
        let mut census = Census {
            dialect: self.dialect,
            generator: self.header.generator.clone(),
            blocks: self.blocks.len(),
            meshes: self.blocks.iter().filter(|block| block.flags.has(BlockFlags::CONCAVE)).count(),
            locked: self.blocks.iter().filter(|block| block.flags.has(BlockFlags::TEXTURE_LOCK)).count(),
            faces: 0,
            bare: 0,
            vertices: 0,
            entities: entities.into_iter().collect(),
            groups: tree.order.iter().skip(1).filter(|&&object| self.is_group(object)).count(),
            depth: depth(&tree),
            extent: self.extent(),
            textures: Vec::new(),
            files: files.into_iter().map(|((kind, name), count)| (kind, name.clone(), count)).collect(),
            wads: self.wed.iter().flat_map(|wed| &wed.wads).map(|source| source.path.clone()).collect(),
            folders: self.wed.iter().flat_map(|wed| &wed.folders).map(|source| source.path.clone()).collect(),
        };
        let mut textures: HashMap<&Name, usize> = HashMap::new();
        let mut bare = 0_usize;
        for block in &self.blocks {
            let (faces, vertices) = match &block.shape {
                Shape::Planes(faces) => {
                    faces.iter().for_each(|face| count(&mut textures, &face.texture));
                    (faces.len(), 0)
                }
                Shape::Mesh(mesh) => {
                    for face in &mesh.faces {
                        if face.bare {
                            bare = bare.saturating_add(1);
                        } else {
                            count(&mut textures, &face.texture);
                        }
                    }
                    (mesh.faces.len(), mesh.vertices.len())
                }
            };
            census.faces = census.faces.saturating_add(faces);
            census.vertices = census.vertices.saturating_add(vertices);
        }
        census.bare = bare;
        census.textures = textures.into_iter().map(|(name, count)| (name.clone(), count)).collect();
        census.entities.sort_unstable();
        census.textures.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        census.files.sort_unstable_by(|a, b| (a.0, b.2).cmp(&(b.0, a.2)).then_with(|| a.1.cmp(&b.1)));
        census
    }

    /// Returns minimum and maximum of all blocks and entities in world space.
    fn extent(&self) -> Option<[[f64; 3]; 2]> {
        let resolved = self.resolve();
        let blocks = resolved.blocks.iter().flat_map(|block| block.vertices.iter().copied());
        let entities = resolved.entities.iter().map(|entity| entity.position);
        let points = blocks.chain(entities).filter(|point| point.iter().all(|part| part.is_finite()));
        points.fold(None, |extent: Option<[[f64; 3]; 2]>, [x, y, z]| {
            let Some([[a, b, c], [d, e, f]]) = extent else { return Some([[x, y, z]; 2]) };
            Some([[a.min(x), b.min(y), c.min(z)], [d.max(x), e.max(y), f.max(z)]])
        })
    }
}

fn count<K: Hash + Eq>(counts: &mut HashMap<K, usize>, key: K) {
    let count = counts.entry(key).or_default();
    *count = count.saturating_add(1);
}

/// Returns the depth of objects below the root.
fn depth(tree: &Tree) -> usize {
    let mut depths = vec![0_usize; tree.members.len()];
    let mut deepest = 0;
    // Parents come before their members.
    for &object in tree.order.iter().take(tree.rooted) {
        let around = tree.holder(PartIndex::Object(object)).and_then(|around| depths.get(around));
        let depth = around.map_or(0, |depth| depth.saturating_add(1));
        if let Some(place) = depths.get_mut(object) {
            *place = depth;
        }
        deepest = deepest.max(depth);
    }
    deepest
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} map", self.dialect.name())?;
        if !self.generator.is_empty() {
            write!(f, " of {}", self.generator)?;
        }
        write!(f, ": {} blocks with {} faces", self.blocks, self.faces)?;
        for (count, what) in [(self.meshes, "meshes"), (self.locked, "locked"), (self.bare, "faces without a texture")]
        {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        writeln!(f, ", {} groups, depth {}", self.groups, self.depth)?;
        for (kind, count) in &self.entities {
            writeln!(f, "{count} {}{}", kind.word(), if *count == 1 { "" } else { "s" })?;
        }
        if let Some([[a, b, c], [x, y, z]]) = self.extent {
            writeln!(f, "from {a:.0}, {b:.0}, {c:.0} to {x:.0}, {y:.0}, {z:.0} quants")?;
        }
        for (name, count) in &self.textures {
            writeln!(f, "texture {name}: {count} faces")?;
        }
        for (kind, name, count) in &self.files {
            writeln!(f, "{} {name}: {count}", kind.word())?;
        }
        let sources = [(FileKind::Wad, &self.wads), (FileKind::Folder, &self.folders)];
        for (kind, path) in sources.into_iter().flat_map(|(kind, paths)| paths.iter().map(move |path| (kind, path))) {
            writeln!(f, "{} {path}", kind.word())?;
        }
        Ok(())
    }
}
