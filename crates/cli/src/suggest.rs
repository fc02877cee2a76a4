//! Suggestions for mistyped words: commands, formats and files.

use std::path::Path;

use mapwright::query::suggestion;

use crate::failure::Failure;

/// Returns the name of a file in the same folder that is most similar to that of a missing file.
pub(crate) fn nearest_file(missing: &Path) -> Option<String> {
    let name = missing.file_name()?.to_str()?;
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Folders with very many files are not searched to the end.
    let entries = std::fs::read_dir(folder).ok()?.take(10_000).filter_map(Result::ok);
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let found = suggestion(name, names.iter().map(String::as_str))?;
    Some(missing.with_file_name(found).display().to_string())
}

/// Commands of earlier versions and of other programs, with what does their work.
const REPLACED: [(&str, &str); 10] = [
    ("list", "`mapwright info --table` lists files"),
    ("objects", "`mapwright query FILE --as csv` lists objects"),
    ("set", "`mapwright edit FILE 'set QUERY: FIELD=VALUE'` sets fields"),
    ("export", "`mapwright convert` writes other formats"),
    ("import", "`mapwright convert` reads other formats"),
    ("validate", "`mapwright check` validates files"),
    ("lint", "`mapwright check` validates files"),
    ("view", "`mapwright render` draws files, with --html as pages"),
    ("show", "`mapwright info` shows what a file contains"),
    ("compare", "`mapwright diff` compares two files"),
];

/// A first argument that is neither a command nor the name of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnknownCommand {
    word: String,
    /// `true` if the word follows `help`, so it does not name a file.
    is_help: bool,
    /// The command that was probably meant.
    pub(crate) suggestion: Option<String>,
}

impl UnknownCommand {
    /// Returns the error of `help WORD`.
    pub(crate) fn from_help(command: &clap::Command, word: &str) -> Self {
        Self { word: word.to_owned(), is_help: true, suggestion: similar_command(command, word) }
    }

    /// Returns the failure to print.
    pub(crate) fn failure(&self) -> Box<Failure> {
        let no_file = if self.is_help { "" } else { ", and there is no such file" };
        let message = format!("unknown command `{}`{no_file}", self.word);
        let failure = Failure::usage(message);
        if let Some((_, now)) = REPLACED.iter().find(|(old, _)| *old == self.word) {
            return failure.with_help(now);
        }
        match &self.suggestion {
            Some(command) => failure.with_help(&format!("did you mean `mapwright {command}`?")),
            None => failure.with_help("list the commands with `mapwright -h`"),
        }
    }
}

/// Checks a first argument that is not a command.
///
/// # Errors
/// If it cannot name a file: no file has this name, and either it looks like a word (without a dot or a path separator), or it is
/// similar to a command and more arguments follow.
pub(crate) fn check_file_or_command(
    command: &clap::Command,
    word: &str,
    following: usize,
) -> Result<(), UnknownCommand> {
    if word == "-" || Path::new(word).symlink_metadata().is_ok() {
        return Ok(());
    }
    let suggestion = similar_command(command, word);
    let is_word = !word.contains(['.', '/', '\\', '*', '?', '[']);
    match is_word || (suggestion.is_some() && following > 0) {
        true => Err(UnknownCommand { word: word.to_owned(), is_help: false, suggestion }),
        false => Ok(()),
    }
}

fn similar_command(command: &clap::Command, word: &str) -> Option<String> {
    suggestion(word, command.get_subcommands().map(clap::Command::get_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_files_are_found() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("castle.wings"), b"").unwrap();
        let missing = |name: &str| nearest_file(&folder.path().join(name));
        assert!(missing("castel.wings").unwrap().ends_with("castle.wings"));
        assert_eq!(missing("tower.vmap"), None);
        assert_eq!(nearest_file(Path::new("no/such/folder/a.wings")), None);
    }
}
