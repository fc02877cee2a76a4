//! Renamed textures, materials and files.

use hashbrown::HashMap;
use mapwright_query::Glob;

use super::EditError;
use crate::write::text::{file_problem, line_problem, word_problem};
use crate::{Dialect, Document, EntityKind, Name};

/// Old and new names. The first pattern that matches a name counts, so that names can be swapped.
pub(super) type Table = [(Glob, Vec<u8>)];

/// A use of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileUse {
    Model,
    Sound,
    Script,
    Palette,
}

impl FileUse {
    /// All uses, with their words in edits.
    pub(super) const ALL: [(&'static str, Self); 4] =
        [("model", Self::Model), ("sound", Self::Sound), ("script", Self::Script), ("palette", Self::Palette)];
}

/// Returns the files of an entity, with their uses.
fn files_of(kind: &EntityKind) -> [Option<(FileUse, &Name)>; 2] {
    match kind {
        EntityKind::Model(model) => [Some((FileUse::Model, &model.file)), None],
        EntityKind::Sound(sound) => [Some((FileUse::Sound, &sound.file)), None],
        EntityKind::Level(level) => [Some((FileUse::Script, &level.script)), Some((FileUse::Palette, &level.palette))],
        _ => [None, None],
    }
}

/// Returns mutable references to the file names of an entity.
fn files_of_mut(kind: &mut EntityKind) -> [Option<(FileUse, &mut Name)>; 2] {
    match kind {
        EntityKind::Model(model) => [Some((FileUse::Model, &mut model.file)), None],
        EntityKind::Sound(sound) => [Some((FileUse::Sound, &mut sound.file)), None],
        EntityKind::Level(level) => {
            [Some((FileUse::Script, &mut level.script)), Some((FileUse::Palette, &mut level.palette))]
        }
        _ => [None, None],
    }
}

/// Renames by a table.
struct Renaming<'a> {
    table: &'a Table,
    names: Vec<Name>,
    /// The rows of names that were looked up.
    known: HashMap<Name, Option<usize>>,
    counts: Vec<usize>,
}

impl<'a> Renaming<'a> {
    fn new(table: &'a Table) -> Self {
        let names = table.iter().map(|(_, to)| to.as_slice().into()).collect();
        Self { table, names, known: HashMap::new(), counts: vec![0; table.len()] }
    }

    fn row(&mut self, name: &Name) -> Option<usize> {
        if let Some(row) = self.known.get(name) {
            return *row;
        }
        let row = self.table.iter().position(|(from, _)| !name.is_empty() && from.matches(name.as_bytes()));
        let row = row.filter(|row| self.names.get(*row) != Some(name));
        self.known.insert(name.clone(), row);
        row
    }

    /// Returns `true` if a name changes.
    fn changes(&mut self, name: &Name) -> bool {
        self.row(name).is_some()
    }

    /// Renames one use of a name.
    fn rename(&mut self, name: &mut Name) {
        if let Some(row) = self.row(name) {
            name.clone_from(&self.names[row]);
            self.counts[row] += 1;
        }
    }
}

impl Document {
    /// Renames textures of faces. Returns the number of faces.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot store.
    pub fn rename_textures(&mut self, from: &Glob, to: &[u8]) -> Result<usize, EditError> {
        self.rename_textures_by(&[(from.clone(), to.to_vec())]).map(|counts| counts.iter().sum())
    }

    /// Renames textures of faces by a table. The first pattern that matches counts, so that textures can be swapped. Returns the
    /// number of faces for each row.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot store. Nothing has changed then.
    pub fn rename_textures_by(&mut self, table: &[(Glob, Vec<u8>)]) -> Result<Vec<usize>, EditError> {
        for (_, to) in table {
            check_texture(self.dialect, to)?;
        }
        let mut renaming = Renaming::new(table);
        for block in &mut self.blocks {
            // Only blocks that change are borrowed mutably.
            if block.textures().any(|texture| renaming.changes(texture)) {
                block.surfaces_mut().for_each(|(texture, _)| renaming.rename(texture));
            }
        }
        Ok(renaming.counts)
    }

    /// Renames materials of blocks, faces and models. Returns the number of uses.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot store.
    pub fn rename_materials(&mut self, from: &Glob, to: &[u8]) -> Result<usize, EditError> {
        // Materials of faces are words, as textures are.
        check_texture(self.dialect, to)?;
        let table = [(from.clone(), to.to_vec())];
        let mut renaming = Renaming::new(&table);
        for block in &mut self.blocks {
            let (planes, faces) = block.faces();
            let materials = planes.iter().map(|face| &face.material).chain(faces.iter().map(|face| &face.material));
            if materials.chain([&block.material]).any(|material| renaming.changes(material)) {
                let block = &mut **block;
                renaming.rename(&mut block.material);
                block.surfaces_mut().for_each(|(_, material)| renaming.rename(material));
            }
        }
        for entity in &mut self.entities {
            let changes = matches!(&entity.kind, EntityKind::Model(model) if model.tail.get(2).is_some_and(|name| renaming.changes(name)));
            if let Some(EntityKind::Model(model)) = changes.then(|| &mut entity.kind) {
                renaming.rename(&mut model.tail[2]);
            }
        }
        Ok(renaming.counts.iter().sum())
    }

    /// Renames files of models, sounds and the level, including the script. Returns the number of uses.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot store.
    pub fn rename_files(&mut self, from: &Glob, to: &[u8]) -> Result<usize, EditError> {
        self.rename_files_by(&[(from.clone(), to.to_vec())]).map(|counts| counts.iter().sum())
    }

    /// Renames files by a table, as [`rename_textures_by`](Self::rename_textures_by) does textures.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot store. Nothing has changed then.
    pub fn rename_files_by(&mut self, table: &[(Glob, Vec<u8>)]) -> Result<Vec<usize>, EditError> {
        self.rename_uses(&FileUse::ALL.map(|(_, of)| of), table)
    }

    /// Renames files of some uses by a table.
    pub(super) fn rename_uses(&mut self, uses: &[FileUse], table: &Table) -> Result<Vec<usize>, EditError> {
        for (_, to) in table {
            check_file(self.dialect, to)?;
        }
        let mut renaming = Renaming::new(table);
        for entity in &mut self.entities {
            let files = files_of(&entity.kind).into_iter().flatten().filter(|(of, _)| uses.contains(of));
            // Only entities that change are borrowed mutably.
            if files.into_iter().any(|(_, name)| renaming.changes(name)) {
                let files = files_of_mut(&mut entity.kind).into_iter().flatten().filter(|(of, _)| uses.contains(of));
                files.for_each(|(_, name)| renaming.rename(name));
            }
        }
        Ok(renaming.counts)
    }

    /// Replaces paths of texture files and folders. Returns their number.
    ///
    /// # Errors
    /// [`EditError::Name`] for a path that the file cannot store.
    pub fn rename_wads(&mut self, from: &Glob, to: &[u8]) -> Result<usize, EditError> {
        check_file(self.dialect, to)?;
        Ok(self.change_wads(|path| from.matches(path).then(|| to.to_vec())))
    }

    /// Replaces the start of paths of texture files and folders. Returns their number. Letter case and the kind of slash do not matter.
    /// The start must end where a name ends.
    ///
    /// # Errors
    /// [`EditError::Name`] for a path that the file cannot store.
    pub fn shift_wads(&mut self, from: &[u8], to: &[u8]) -> Result<usize, EditError> {
        if !to.is_empty() {
            check_file(self.dialect, to)?;
        }
        let slash = |byte: &u8| matches!(byte, b'/' | b'\\');
        Ok(self.change_wads(|path| {
            let (start, rest) = path.split_at_checked(from.len())?;
            let same = start.iter().zip(from).all(|(a, b)| a.eq_ignore_ascii_case(b) || (slash(a) && slash(b)));
            let whole = rest.first().is_none_or(slash) || from.last().is_none_or(slash);
            // Without a folder before it, a slash would refer to the root.
            let rest = if to.is_empty() && rest.first().is_some_and(slash) { rest.get(1..)? } else { rest };
            let new = [to, rest].concat();
            (same && whole && !new.is_empty()).then_some(new)
        }))
    }

    fn change_wads(&mut self, new: impl Fn(&[u8]) -> Option<Vec<u8>>) -> usize {
        let Some(wed) = &mut self.wed else { return 0 };
        let changed = |path: &Name| new(path.as_bytes()).filter(|new| new != path.as_bytes());
        let count = wed.wads.iter().chain(&wed.folders).filter(|source| changed(&source.path).is_some()).count();
        if count > 0 {
            let wed = &mut **wed;
            for source in wed.wads.iter_mut().chain(&mut wed.folders) {
                if let Some(new) = changed(&source.path) {
                    source.path = new.as_slice().into();
                }
            }
        }
        count
    }
}

/// Rejects names that the file cannot store.
pub(super) fn check_name(dialect: Dialect, name: &[u8]) -> Result<(), EditError> {
    check(dialect, name, line_problem(name))
}

/// Rejects names of textures that the file cannot store.
pub(super) fn check_texture(dialect: Dialect, name: &[u8]) -> Result<(), EditError> {
    check_empty(name)?;
    check(dialect, name, word_problem(name))
}

/// Rejects names of files that the file cannot store.
pub(super) fn check_file(dialect: Dialect, name: &[u8]) -> Result<(), EditError> {
    check_empty(name)?;
    check(dialect, name, file_problem(dialect, name))
}

/// Rejects a name. `problem` applies to text only.
fn check(dialect: Dialect, name: &[u8], problem: Option<&'static str>) -> Result<(), EditError> {
    let is_text = dialect != Dialect::Binary;
    let problem = match problem.filter(|_| is_text) {
        _ if name.contains(&0) => "it contains a NUL",
        _ if is_text && name.iter().any(|byte| matches!(byte, b'\r' | b'\n')) => "it contains a line end",
        Some(problem) => problem,
        None => return Ok(()),
    };
    Err(EditError::Name { name: name.to_vec(), problem })
}

fn check_empty(name: &[u8]) -> Result<(), EditError> {
    if name.is_empty() { Err(EditError::Name { name: Vec::new(), problem: "it is empty" }) } else { Ok(()) }
}
