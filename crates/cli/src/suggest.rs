//! Suggestions for mistyped words: commands, formats and files.

use std::path::Path;

use crate::failure::Failure;

/// Returns the candidate that is most similar to a word, ignoring case, if one is similar enough to be meant.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let distance = |candidate: &str| strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
    let nearest =
        candidates.into_iter().map(|candidate| (distance(candidate), candidate)).min_by_key(|found| found.0)?;
    // A third of the characters may differ; a word of three letters has one that does.
    (nearest.0 <= (word.chars().count() / 3).max(1)).then_some(nearest.1)
}

/// Returns the name of a file in the same folder that is most similar to that of a missing file.
pub(crate) fn nearest_file(missing: &Path) -> Option<String> {
    let name = missing.file_name()?.to_str()?;
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Folders with very many files are not searched to the end.
    let entries = std::fs::read_dir(folder).ok()?.take(10_000).filter_map(Result::ok);
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let found = nearest(name, names.iter().map(String::as_str))?;
    Some(missing.with_file_name(found).display().to_string())
}

/// Commands of earlier versions, with what does their work now.
const REPLACED: [(&str, &str); 3] = [
    ("list", "`mapwright info --table` lists files"),
    ("objects", "`mapwright query FILE --as csv` lists objects"),
    ("set", "`mapwright edit FILE 'set QUERY: FIELD=VALUE'` sets fields"),
];

/// A first argument that is neither a command nor the name of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnknownCommand {
    word: String,
    /// The command that was probably meant.
    pub(crate) suggestion: Option<String>,
}

impl UnknownCommand {
    /// Returns the failure to print.
    pub(crate) fn failure(&self) -> Box<Failure> {
        let message = format!("unknown command `{}`, and there is no such file", self.word);
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
    let suggestion = nearest(word, command.get_subcommands().map(clap::Command::get_name)).map(str::to_owned);
    let is_word = !word.contains(['.', '/', '\\', '*', '?', '[']);
    match is_word || (suggestion.is_some() && following > 0) {
        true => Err(UnknownCommand { word: word.to_owned(), suggestion }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_words_are_found() {
        let commands = ["convert", "check", "info", "render"];
        for (word, found) in [("covert", "convert"), ("CHEKC", "check"), ("inof", "info"), ("rnder", "render")] {
            assert_eq!(nearest(word, commands), Some(found));
        }
        assert_eq!(nearest("export", commands), None);
        assert_eq!(nearest("x", []), None);
    }

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
