//! Names of textures, of files, of the files and folders of textures.

use hashbrown::HashMap;

use super::{EditError, Pattern};
use crate::write::text::{file_problem, line_problem, word_problem};
use crate::{Dialect, Document, EntityKind, Name, Shape};

/// Old names and what becomes of them: the first row that a name is like counts, so that names can be swapped.
pub(super) type Table = [(Pattern, Vec<u8>)];

/// A table on its way through a map.
struct Renaming<'a> {
    table: &'a Table,
    names: Vec<Name>,
    /// The rows of names that were met.
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

    /// Whether a name gets another one.
    fn changes(&mut self, name: &Name) -> bool {
        self.row(name).is_some()
    }

    /// Gives a name its new one.
    fn rename(&mut self, name: &mut Name) {
        let Some(row) = self.row(name) else { return };
        if let (Some(new), Some(count)) = (self.names.get(row), self.counts.get_mut(row)) {
            name.clone_from(new);
            *count = count.saturating_add(1);
        }
    }
}

impl Document {
    /// Gives all faces whose texture is like a pattern another texture, and says how many there are.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot hold.
    pub fn rename_textures(&mut self, from: &Pattern, to: &[u8]) -> Result<usize, EditError> {
        self.rename_textures_by(&[(from.clone(), to.to_vec())]).map(|counts| counts.iter().sum())
    }

    /// Renames textures by a table: each by the first pattern that it is like, so that textures can be swapped. Says for each row how
    /// many faces show the new one.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot hold; then nothing has changed.
    pub fn rename_textures_by(&mut self, table: &[(Pattern, Vec<u8>)]) -> Result<Vec<usize>, EditError> {
        for (_, to) in table {
            check_texture(self.dialect, to)?;
        }
        let mut renaming = Renaming::new(table);
        for block in &mut self.blocks {
            // Only what changes is borrowed to be changed.
            let changes = match &block.shape {
                Shape::Planes(faces) => faces.iter().any(|face| renaming.changes(&face.texture)),
                Shape::Mesh(mesh) => mesh.faces.iter().any(|face| renaming.changes(&face.texture)),
            };
            if !changes {
                continue;
            }
            match &mut block.shape {
                Shape::Planes(faces) => faces.iter_mut().for_each(|face| renaming.rename(&mut face.texture)),
                Shape::Mesh(mesh) => mesh.faces.iter_mut().for_each(|face| renaming.rename(&mut face.texture)),
            }
        }
        Ok(renaming.counts)
    }

    /// Gives all files that are like a pattern another name where models, sounds and the level name them, the script among them, and
    /// says how often.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot hold.
    pub fn rename_files(&mut self, from: &Pattern, to: &[u8]) -> Result<usize, EditError> {
        self.rename_files_by(&[(from.clone(), to.to_vec())]).map(|counts| counts.iter().sum())
    }

    /// Renames files by a table, as [`rename_textures_by`](Self::rename_textures_by) does textures.
    ///
    /// # Errors
    /// [`EditError::Name`] for a name that the file cannot hold; then nothing has changed.
    pub fn rename_files_by(&mut self, table: &[(Pattern, Vec<u8>)]) -> Result<Vec<usize>, EditError> {
        for (_, to) in table {
            check_file(self.dialect, to)?;
        }
        let mut renaming = Renaming::new(table);
        for entity in &mut self.entities {
            let changes = match &entity.kind {
                EntityKind::Model(model) => renaming.changes(&model.file),
                EntityKind::Sound(sound) => renaming.changes(&sound.file),
                EntityKind::Level(level) => renaming.changes(&level.script) || renaming.changes(&level.palette),
                _ => false,
            };
            if !changes {
                continue;
            }
            match &mut entity.kind {
                EntityKind::Model(model) => renaming.rename(&mut model.file),
                EntityKind::Sound(sound) => renaming.rename(&mut sound.file),
                EntityKind::Level(level) => {
                    renaming.rename(&mut level.script);
                    renaming.rename(&mut level.palette);
                }
                _ => {}
            }
        }
        Ok(renaming.counts)
    }

    /// Gives all files and folders of textures that are like a pattern another path, and says how many there are.
    ///
    /// # Errors
    /// [`EditError::Name`] for a path that the file cannot hold.
    pub fn rename_wads(&mut self, from: &Pattern, to: &[u8]) -> Result<usize, EditError> {
        check_file(self.dialect, to)?;
        Ok(self.change_wads(|path| from.matches(path).then(|| to.to_vec())))
    }

    /// Gives all paths of files and folders of textures that begin with one another beginning, and says how many there are. Capitals
    /// and small letters, slashes and backslashes are the same; the beginning ends where a name does.
    ///
    /// # Errors
    /// [`EditError::Name`] for a path that the file cannot hold.
    pub fn shift_wads(&mut self, from: &[u8], to: &[u8]) -> Result<usize, EditError> {
        if !to.is_empty() {
            check_file(self.dialect, to)?;
        }
        let slash = |byte: &u8| matches!(byte, b'/' | b'\\');
        Ok(self.change_wads(|path| {
            let (start, rest) = path.split_at_checked(from.len())?;
            let same = start.iter().zip(from).all(|(a, b)| a.eq_ignore_ascii_case(b) || (slash(a) && slash(b)));
            let whole = rest.first().is_none_or(slash) || from.last().is_none_or(slash);
            // Without a folder before it, a slash would mean another place.
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

/// Refuses what no name can be in the file.
pub(super) fn check_name(dialect: Dialect, name: &[u8]) -> Result<(), EditError> {
    check(dialect, name, line_problem(name))
}

/// Refuses what no texture can be called.
pub(super) fn check_texture(dialect: Dialect, name: &[u8]) -> Result<(), EditError> {
    check_empty(name)?;
    check(dialect, name, word_problem(name))
}

/// Refuses what no file can be called.
pub(super) fn check_file(dialect: Dialect, name: &[u8]) -> Result<(), EditError> {
    check_empty(name)?;
    check(dialect, name, file_problem(dialect, name))
}

/// Refuses what is in the way of a name: `problem` where the file is text.
fn check(dialect: Dialect, name: &[u8], problem: Option<&'static str>) -> Result<(), EditError> {
    let is_text = dialect != Dialect::Binary;
    let problem = match problem.filter(|_| is_text) {
        _ if name.contains(&0) => "it has a NUL",
        _ if is_text && name.iter().any(|byte| matches!(byte, b'\r' | b'\n')) => "it has a line end",
        Some(problem) => problem,
        None => return Ok(()),
    };
    Err(EditError::Name { name: name.to_vec(), problem })
}

fn check_empty(name: &[u8]) -> Result<(), EditError> {
    if name.is_empty() { Err(EditError::Name { name: Vec::new(), problem: "it is empty" }) } else { Ok(()) }
}
