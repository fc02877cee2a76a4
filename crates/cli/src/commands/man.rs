//! `mapwright completions` and `mapwright man`: completion scripts and manual pages.

use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use mapwright::{Error, SaveOptions, save};

use crate::args::{Cli, with_own_options};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{Out, print_message};

pub(crate) fn completions(shell: Shell) -> io::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "mapwright", &mut script);
    print(&script)
}

pub(crate) fn run(folder: Option<&Path>, force: bool) -> io::Result<Exit> {
    let command = with_own_options();
    let Some(folder) = folder else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        return print(&page);
    };
    let failed = |path: &Path, error: &Error| {
        let failure = Failure::new(&path.display().to_string(), error);
        print_message(failure.text());
        failure.exit
    };
    if let Err(error) = std::fs::create_dir_all(folder) {
        return Ok(failed(folder, &Error::Io(error)));
    }
    let verbs: Vec<_> = command.get_subcommands().filter(|verb| verb.get_name() != "help").cloned().collect();
    for verb in std::iter::once(command).chain(verbs) {
        let name = verb.get_display_name().unwrap_or_else(|| verb.get_name()).to_owned();
        let mut page = Vec::new();
        Man::new(verb).render(&mut page)?;
        let path = folder.join(format!("{name}.1"));
        if let Err(error) = save(&path, &page, SaveOptions::default().with_overwrite(force)) {
            return Ok(failed(&path, &error));
        }
    }
    Ok(Exit::Ok)
}

fn print(bytes: &[u8]) -> io::Result<Exit> {
    let mut out = Out::new();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Exit::Ok)
}
