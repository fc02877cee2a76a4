//! The README of the repository: two commands that work, and a list of the crates.

use std::path::Path;

use super::{Breach, text};
use crate::workspace::Package;

const README: &str = "README.md";

/// Returns the first block of commands in the README: the first use and the tests.
pub(crate) fn commands() -> Result<Vec<String>, String> {
    let commands = parse_commands(&text(Path::new(README)));
    if commands.len() < 2 {
        return Err(format!("{README} has no block of shell commands with the first use and the tests"));
    }
    Ok(commands)
}

fn parse_commands(text: &str) -> Vec<String> {
    let block = text.lines().skip_while(|line| *line != "```sh").skip(1).take_while(|line| *line != "```");
    block
        .map(|line| line.split(" # ").next().unwrap_or(line).trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

pub(super) fn check(packages: &[Package]) -> Vec<Breach> {
    let text = text(Path::new(README));
    let mut breaches: Vec<Breach> =
        commands().err().map(|error| Breach::new(README, 0, "readme", error)).into_iter().collect();
    breaches.extend(packages.iter().filter_map(|package| check_listed(package, &text)));
    breaches
}

fn check_listed(package: &Package, text: &str) -> Option<Breach> {
    // As a link to the folder: [`wings`](crates/wings).
    let link = format!("]({})", package.folder.display());
    let wanted = format!("does not list {}: add it to the table of crates with a link {link}", package.name);
    (!text.contains(&link)).then(|| Breach::new(README, 0, "readme", wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_those_of_the_first_block() {
        let text = "# x\n\n```rust\nno\n```\n\n```sh\ncargo run -- a b   # the main job\n\ncargo test\n```\n\n```sh\nlater\n```\n";
        assert_eq!(parse_commands(text), ["cargo run -- a b", "cargo test"]);
        assert_eq!(parse_commands("no block"), [""; 0]);
    }

    #[test]
    fn every_crate_is_listed() {
        let package =
            Package { name: "mapwright-wings".to_owned(), folder: "crates/wings".into(), ..Package::default() };
        assert!(check_listed(&package, "| [`wings`](crates/wings) | … |").is_none());
        assert!(check_listed(&package, "| wings |").is_some());
    }
}
