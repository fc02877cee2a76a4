//! Workflows of GitHub: every action is pinned to a commit, and every job has as few rights as possible and a time limit.
//!
//! The workflows are short and only use block style, so looking at lines is enough.

use std::path::{Path, PathBuf};

use super::{Breach, text};

/// Returns the breaches in all workflows and actions of the repository.
pub(super) fn check(files: &[PathBuf]) -> Vec<Breach> {
    let is_yaml = |file: &&PathBuf| file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml");
    let files = files.iter().filter(|file| file.starts_with(".github")).filter(is_yaml);
    files.flat_map(|file| check_text(file, &text(file), file.starts_with(".github/workflows"))).collect()
}

/// Checks one file. An action has steps, but neither permissions nor jobs, which only a workflow has.
fn check_text(file: &Path, text: &str, is_workflow: bool) -> Vec<Breach> {
    let lines: Vec<&str> = text.lines().collect();
    let mut breaches = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(action) = value(line, "uses") else { continue };
        if !action.starts_with("./") && !is_pinned(action) {
            let wanted = format!(
                "{action:?} is not pinned: write OWNER/NAME@COMMIT # VERSION with all 40 digits of the commit, as a tag can be moved"
            );
            breaches.push(Breach::new(file, index + 1, "pinned", wanted));
        }
        let keeps_token = || !step(&lines, index).any(|line| value(line, "persist-credentials") == Some("false"));
        if action.starts_with("actions/checkout@") && keeps_token() {
            let wanted = "leaves the token in .git/config for all later steps: add persist-credentials: false";
            breaches.push(Breach::new(file, index + 1, "credentials", wanted));
        }
    }
    if is_workflow {
        breaches.extend(check_permissions(file, &lines));
        breaches.extend(check_jobs(file, &lines));
    }
    breaches
}

/// The default rights of all jobs: reading the repository, or none. A job that needs more declares it.
fn check_permissions(file: &Path, lines: &[&str]) -> Option<Breach> {
    let wanted = "write permissions: {}, or permissions: with only contents: read below it, at the top; a job that needs more asks for it";
    let Some(at) = lines.iter().position(|line| line.starts_with("permissions:")) else {
        return Some(Breach::new(file, 0, "permissions", format!("has the default rights: {wanted}")));
    };
    let rights: Vec<&str> = block(lines, at).map(str::trim).collect();
    let is_least = match lines.get(at) {
        Some(&"permissions: {}") => true,
        Some(&"permissions:") => rights == ["contents: read"],
        _ => false,
    };
    (!is_least).then(|| Breach::new(file, at + 1, "permissions", format!("has other rights: {wanted}")))
}

/// Checks that every job has a time limit.
fn check_jobs(file: &Path, lines: &[&str]) -> Vec<Breach> {
    let Some(jobs) = lines.iter().position(|line| *line == "jobs:") else { return Vec::new() };
    let end = lines.iter().skip(jobs + 1).position(|line| indent(line) == Some(0));
    let end = end.map_or(lines.len(), |count| jobs + 1 + count);
    let is_job = |index: &usize| lines.get(*index).is_some_and(|line| indent(line) == Some(2) && line.ends_with(':'));
    // Steps may have time limits of their own, which do not count.
    let has_limit = |index: &usize| block_keys(lines, *index).any(|line| line.trim().starts_with("timeout-minutes:"));
    let unlimited = (jobs + 1..end).filter(is_job).filter(|index| !has_limit(index));
    unlimited
        .map(|index| Breach::new(file, index + 1, "timeout", "the job has no time limit: add timeout-minutes"))
        .collect()
}

/// Returns the value of a key, with or without the dash of a list before it.
fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let line = line.trim_start();
    let line = line.strip_prefix("- ").unwrap_or(line).trim_start();
    Some(line.strip_prefix(key)?.strip_prefix(':')?.trim())
}

/// Returns `true` for `owner/name@` and a full commit, followed by the version as a comment.
fn is_pinned(action: &str) -> bool {
    let Some((name, rest)) = action.split_once('@') else { return false };
    let Some((commit, version)) = rest.split_once(" # ") else { return false };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    name.contains('/') && commit.len() == 40 && commit.bytes().all(is_digit) && !version.trim().is_empty()
}

/// Counts the spaces before the text of a line. `None` for an empty line or a comment.
fn indent(line: &str) -> Option<usize> {
    let text = line.trim_start();
    (!text.is_empty() && !text.starts_with('#')).then(|| line.len() - text.len())
}

/// Returns the following lines that are indented more than a line.
fn block<'a>(lines: &'a [&str], at: usize) -> impl Iterator<Item = &'a str> {
    let outer = lines.get(at).and_then(|line| indent(line)).unwrap_or(0);
    let below = lines.iter().skip(at + 1).filter(|line| indent(line).is_some());
    below.take_while(move |line| indent(line) > Some(outer)).copied()
}

/// Returns the lines of a block that are one level deeper than the line above it.
fn block_keys<'a>(lines: &'a [&str], at: usize) -> impl Iterator<Item = &'a str> {
    let level = block(lines, at).next().and_then(indent);
    block(lines, at).filter(move |line| indent(line) == level)
}

/// Returns the lines of a step after its first.
fn step<'a>(lines: &'a [&str], at: usize) -> impl Iterator<Item = &'a str> {
    // `uses` may follow a name: the dash is then in a line above.
    let start = (0..=at).rev().find(|&index| lines.get(index).is_some_and(|line| line.trim_start().starts_with("- ")));
    block(lines, start.unwrap_or(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
name: ci
permissions:
  contents: read
jobs:
  test:
    timeout-minutes: 5
    steps:
      - name: sources
        uses: actions/checkout@0123456789abcdef0123456789abcdef01234567 # v1.2.3
        with:
          # The token is not needed.
          persist-credentials: false
      - uses: ./.github/actions/own
      - run: cargo test
";

    fn rules(text: &str) -> Vec<(usize, &'static str)> {
        let found = check_text(Path::new(".github/workflows/ci.yml"), text, true);
        found.iter().map(|breach| (breach.line, breach.rule)).collect()
    }

    #[test]
    fn good_workflows_pass() {
        assert_eq!(rules(GOOD), []);
    }

    #[test]
    fn actions_are_pinned_to_commits() {
        for wrong in ["@v4", "@0123456 # v1.2.3", "@0123456789abcdef0123456789abcdef01234567", "", "@main # v1"] {
            let text = GOOD.replace("@0123456789abcdef0123456789abcdef01234567 # v1.2.3", wrong);
            assert!(rules(&text).contains(&(9, "pinned")), "{wrong}");
        }
    }

    #[test]
    fn checkouts_leave_no_token() {
        let kept = GOOD.replace("persist-credentials: false", "persist-credentials: true");
        assert_eq!(rules(&kept), [(9, "credentials")]);
        // What another step has does not count.
        let other = GOOD.replace("        with:\n", "      - with:\n");
        assert_eq!(rules(&other), [(9, "credentials")]);
    }

    #[test]
    fn workflows_have_few_rights() {
        assert_eq!(rules(&GOOD.replace("permissions:\n  contents: read\n", "")), [(0, "permissions")]);
        for wrong in ["permissions: write-all\n", "permissions:\n  contents: write\n"] {
            assert_eq!(
                rules(&GOOD.replace("permissions:\n  contents: read\n", wrong)),
                [(2, "permissions")],
                "{wrong}"
            );
        }
        assert_eq!(rules(&GOOD.replace("permissions:\n  contents: read\n", "permissions: {}\n")), []);
        let more = GOOD.replace("  contents: read\n", "  contents: read\n  packages: write\n");
        assert_eq!(rules(&more), [(2, "permissions")]);
    }

    #[test]
    fn jobs_have_time_limits() {
        let second = GOOD.replace("jobs:\n", "jobs:\n  first:\n    steps:\n      - run: true\n\n");
        assert_eq!(rules(&second), [(5, "timeout")]);
        // The limit of a step does not count.
        let step = GOOD
            .replace("    timeout-minutes: 5\n", "")
            .replace("cargo test\n", "cargo test\n        timeout-minutes: 5\n");
        assert_eq!(rules(&step), [(5, "timeout")]);
    }

    #[test]
    fn actions_need_no_permissions() {
        let action = "runs:\n  steps:\n    - uses: a/b@v1\n";
        let found = check_text(Path::new(".github/actions/own/action.yml"), action, false);
        assert_eq!(found.iter().map(|breach| breach.rule).collect::<Vec<_>>(), ["pinned"]);
    }
}
