//! Processes many files in parallel, with results in the order of the files.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

use crate::args::Global;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::out::{self, Color, Out, paint, print_message};
use crate::progress::Progress;
use crate::text::clean;

/// The outcome of one file.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// Data for standard output.
    pub(crate) data: Vec<u8>,
    /// The JSON line of a conversion or failure: goes to standard output with --json, and into reports.
    pub(crate) line: String,
    /// Messages for standard error.
    pub(crate) messages: String,
    pub(crate) sort: Sort,
}

/// A kind of outcome, by which files are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Done,
    /// Converted, with losses.
    WithLosses,
    /// Checked or compared, with findings or differences.
    WithFindings,
    Failed(Exit),
    /// Found in a folder, of no known format.
    Unknown,
    /// Found in a folder, of a format that the command does not support.
    Unsupported,
    /// Found in a folder, and an image: most of these are textures.
    Image,
    /// Found in a folder, and the output of an earlier run.
    Output,
    /// The output file exists, and --skip-existing is given.
    Existing,
}

impl Outcome {
    pub(crate) fn done(data: String) -> Self {
        Self { data: data.into_bytes(), ..Self::silent(Sort::Done) }
    }

    /// Returns an outcome without output.
    pub(crate) fn silent(sort: Sort) -> Self {
        Self { data: Vec::new(), line: String::new(), messages: String::new(), sort }
    }

    pub(crate) fn failed(failure: &Failure) -> Self {
        Self { line: failure.json(), messages: failure.text(), ..Self::silent(Sort::Failed(failure.exit)) }
    }
}

/// Numbers of files by their outcomes.
#[derive(Debug, Default)]
struct Tally {
    done: usize,
    with_losses: usize,
    found: usize,
    failed: usize,
    unknown: usize,
    unsupported: usize,
    images: usize,
    outputs: usize,
    existing: usize,
    worst: Option<Exit>,
}

impl Tally {
    fn add(&mut self, sort: Sort) {
        match sort {
            Sort::Done => self.done += 1,
            Sort::WithLosses => self.with_losses += 1,
            Sort::WithFindings => self.found += 1,
            Sort::Unknown => self.unknown += 1,
            Sort::Unsupported => self.unsupported += 1,
            Sort::Image => self.images += 1,
            Sort::Output => self.outputs += 1,
            Sort::Existing => self.existing += 1,
            Sort::Failed(exit) => {
                self.failed += 1;
                self.worst = self.worst.max(Some(exit));
            }
        }
    }

    fn exit(&self, is_batch: bool) -> Exit {
        match self.worst {
            Some(Exit::Bug) => Exit::Bug,
            Some(_) if is_batch => Exit::Batch,
            Some(exit) => exit,
            None if self.found > 0 => Exit::Found,
            None => Exit::Ok,
        }
    }

    fn summary(&self, found: Option<&str>) -> String {
        let counts = [
            (self.done, "ok"),
            (self.with_losses, "with losses"),
            (self.found, found.unwrap_or_default()),
            (self.failed, "failed"),
            (self.unknown, "skipped (no known format)"),
            (self.unsupported, "skipped (not supported by this command)"),
            (self.images, "skipped (images, probably textures; --from reads them)"),
            (self.outputs, "skipped (in the output folder)"),
            (self.existing, "skipped (output exists)"),
        ];
        let counts = counts.into_iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = counts.map(|(number, what)| format!("{number} {what}")).collect();
        if parts.is_empty() { "0 ok".to_owned() } else { parts.join(", ") }
    }
}

/// Processes all items, given with their indices, and prints the results in order. `found` names [`Sort::WithFindings`] in the summary
/// of commands that have this outcome.
///
/// # Errors
/// Errors of standard output.
pub(crate) fn run(
    items: &[Item],
    global: &Global,
    found: Option<&str>,
    work: impl Fn(usize, &Item) -> Outcome + Sync,
) -> io::Result<Exit> {
    run_in_turn(items, global, found, work, |_, _, outcome, _| Ok(outcome))
}

/// Processes all items as [`run`] does, and finishes them one after the other in their order. `finish` is for work that depends on other
/// items, or whose result is too large to wait in memory.
///
/// # Errors
/// Errors of standard output.
pub(crate) fn run_in_turn<T: Send>(
    items: &[Item],
    global: &Global,
    found: Option<&str>,
    work: impl Fn(usize, &Item) -> T + Sync,
    finish: impl FnMut(usize, &Item, T, &mut Out) -> io::Result<Outcome>,
) -> io::Result<Exit> {
    process(items, global, work, finish)?.report(global, found)
}

/// The outcomes of all items, before their summary is printed.
pub(crate) struct Processed<'a> {
    items: &'a [Item],
    is_batch: bool,
    tally: Tally,
    /// The file of each failure.
    failed: Vec<String>,
}

impl Processed<'_> {
    /// Returns the exit status by the items alone.
    pub(crate) fn exit(&self) -> Exit {
        self.tally.exit(self.is_batch)
    }

    /// Prints the summary of several items, and returns the exit status.
    ///
    /// # Errors
    /// Errors of standard output.
    pub(crate) fn report(&self, global: &Global, found: Option<&str>) -> io::Result<Exit> {
        let Self { items, is_batch, tally, failed } = self;
        let is_empty = items.iter().all(Item::is_empty_folder);
        if *is_batch && !is_empty && !global.quiet {
            print_message(list_failures(failed, items.len()));
            print_message(format_args!("{}\n", tally.summary(found)));
        }
        if *is_batch && tally.unknown + tally.unsupported + tally.images == items.len() {
            return nothing_to_do(items, tally).print(global);
        }
        Ok(self.exit())
    }
}

/// Processes all items as [`run_in_turn`] does, without a summary.
///
/// # Errors
/// Errors of standard output.
pub(crate) fn process<'a, T: Send>(
    items: &'a [Item],
    global: &Global,
    work: impl Fn(usize, &Item) -> T + Sync,
    mut finish: impl FnMut(usize, &Item, T, &mut Out) -> io::Result<Outcome>,
) -> io::Result<Processed<'a>> {
    // A folder that cannot be read is one item.
    let is_in_folder = |item: &Item| item.folder.as_ref().is_some_and(|folder| *folder != item.path);
    let is_batch = items.len() != 1 || items.iter().any(|item| is_in_folder(item) || item.is_empty_folder());
    let mut out = Out::new();
    let mut tally = Tally::default();
    let mut failed = Vec::new();
    let mut helps = BTreeSet::new();
    let progress = Progress::new(items.len(), global.quiet);
    let mut broken = Ok(());
    process_in_order(items, global, &work, |index, item, made| {
        let print = || {
            let finished = made.and_then(|made| guarded(|| finish(index, item, made, &mut out)));
            // A bug that one file brings out does not stop the others.
            let mut outcome = finished.unwrap_or_else(|| Ok(bug(item)))?;
            if out::is_terminal() && out::is_binary(&outcome.data) {
                outcome = Outcome::failed(&binary_to_terminal(item));
            }
            tally.add(outcome.sort);
            if let Sort::Failed(_) = outcome.sort {
                failed.push(item.name());
                outcome.messages = without_repeated_help(&outcome.messages, &mut helps);
            }
            out.write_all(&outcome.data)?;
            if global.json {
                out.write_all(outcome.line.as_bytes())?;
            }
            // Messages follow the data of the same file.
            if !outcome.messages.is_empty() {
                out.flush()?;
                print_message(&outcome.messages);
            }
            Ok(outcome.sort)
        };
        match progress.step(print) {
            Ok(Sort::Failed(_)) if global.fail_fast => ControlFlow::Break(()),
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                broken = Err(error);
                ControlFlow::Break(())
            }
        }
    });
    progress.finish();
    broken.and_then(|()| out.flush())?;
    Ok(Processed { items, is_batch, tally, failed })
}

/// Returns the failure of an item whose result a terminal must not show.
pub(crate) fn binary_to_terminal(item: &Item) -> Box<Failure> {
    let message = "the output is binary, and standard output is a terminal".to_owned();
    let failure = Failure::other(&item.name(), "usage", Exit::Usage, message);
    failure.with_help("use -o FILE, or redirect standard output")
}

/// Removes the lines with a next step that an earlier failure has named already.
fn without_repeated_help(messages: &str, helps: &mut BTreeSet<String>) -> String {
    let help = format!("{}: ", paint("help", Color::Cyan));
    let is_new = |line: &&str| !line.starts_with(&help) || helps.insert((*line).to_owned());
    messages.split_inclusive('\n').filter(is_new).collect()
}

/// Lists the names of the failed files again, so that nobody has to search for them above. Few files need no such list.
fn list_failures(failed: &[String], files: usize) -> String {
    const MAX_LISTED: usize = 20;
    const FEW_FILES: usize = 5;
    if failed.is_empty() || files <= FEW_FILES {
        return String::new();
    }
    let names: Vec<String> = failed.iter().take(MAX_LISTED).map(|name| clean(name)).collect();
    let more = failed.len() - names.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("failed files: {}{more}\n", names.join(", "))
}

fn bug(item: &Item) -> Outcome {
    let message = "this file triggers a bug in mapwright; please report it".to_owned();
    Outcome::failed(&Failure::other(&item.name(), "bug", Exit::Bug, message))
}

fn nothing_to_do(items: &[Item], tally: &Tally) -> Box<Failure> {
    let folder = items.first().and_then(|item| item.folder.as_deref()).unwrap_or("the command line".as_ref());
    let failure = |category, exit, message: &str| {
        Failure::other(&folder.display().to_string(), category, exit, message.to_owned())
    };
    if tally.unsupported > 0 {
        return failure("unsupported", Exit::Unsupported, "no file is in a format that this command supports")
            .with_help("`mapwright formats` lists what the formats support");
    }
    if items.iter().all(Item::is_empty_folder) {
        return failure("usage", Exit::Usage, "the folder contains no files")
            .with_help("name a folder with level files");
    }
    let message = match tally.images {
        0 => "there is no file of a known format",
        _ => "there is no file of a known format except images",
    };
    failure("unknown-format", Exit::UnknownFormat, message)
        .with_help("`mapwright formats` lists the formats; name a file, or its format with --from FORMAT")
}

/// Processes all items in parallel and hands out the results in order, until `hand_out` stops it. A panic gives `None`.
pub(crate) fn process_in_order<T: Send>(
    items: &[Item],
    global: &Global,
    work: &(impl Fn(usize, &Item) -> T + Sync),
    mut hand_out: impl FnMut(usize, &Item, Option<T>) -> ControlFlow<()>,
) {
    let threads = global.jobs.map_or(0, usize::from).min(items.len());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let Ok(pool) = pool.ok().filter(|_| items.len() > 1).ok_or(()) else {
        // There is one file, or the system provides no threads.
        for (index, item) in items.iter().enumerate() {
            if hand_out(index, item, guarded(|| work(index, item))).is_break() {
                return;
            }
        }
        return;
    };
    // This many items are in progress: no thread waits, and few results wait for a large file before them.
    let ahead = 2 * pool.current_num_threads();
    let (send, receive) = mpsc::channel();
    pool.in_place_scope_fifo(|scope| {
        let (mut coming, mut waiting) = (items.iter().enumerate(), BTreeMap::new());
        let mut start = |many| {
            for (index, item) in coming.by_ref().take(many) {
                let send = send.clone();
                scope.spawn_fifo(move |_| {
                    let _ = send.send((index, guarded(|| work(index, item))));
                });
            }
        };
        start(ahead);
        for (index, item) in items.iter().enumerate() {
            let made = loop {
                if let Some(made) = waiting.remove(&index) {
                    break made;
                }
                let Ok((index, made)) = receive.recv() else { return };
                waiting.insert(index, made);
            };
            start(1);
            if hand_out(index, item, made).is_break() {
                return;
            }
        }
    });
}

/// Runs a function and returns `None` if it panics.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(sorts: &[Sort]) -> Tally {
        let mut tally = Tally::default();
        sorts.iter().for_each(|&sort| tally.add(sort));
        tally
    }

    #[test]
    fn the_exit_code_follows_from_all_files() {
        let damaged = Sort::Failed(Exit::Malformed);
        assert_eq!(tally(&[Sort::Done, Sort::WithLosses, Sort::Unknown]).exit(true), Exit::Ok);
        assert_eq!(tally(&[damaged]).exit(false), Exit::Malformed);
        assert_eq!(tally(&[damaged]).exit(true), Exit::Batch);
        assert_eq!(tally(&[Sort::WithFindings]).exit(false), Exit::Found);
        assert_eq!(tally(&[Sort::Done, Sort::WithFindings]).exit(true), Exit::Found);
        assert_eq!(tally(&[damaged, Sort::WithFindings]).exit(true), Exit::Batch);
        assert_eq!(tally(&[damaged, Sort::Failed(Exit::Bug)]).exit(true), Exit::Bug);
    }

    #[test]
    fn the_summary_counts_what_there_is() {
        let sorts = [Sort::Done, Sort::Done, Sort::WithLosses, Sort::Failed(Exit::Io)];
        assert_eq!(tally(&sorts).summary(None), "2 ok, 1 with losses, 1 failed");
        assert_eq!(tally(&[Sort::WithFindings]).summary(Some("different")), "1 different");
        assert_eq!(tally(&[]).summary(None), "0 ok");
    }

    #[test]
    fn a_bug_is_one_failed_file() {
        let global = <crate::args::Cli as clap::Parser>::parse_from(["mapwright", "formats"]).global;
        let items = ["a", "b", "c"].map(Item::new);
        let mut outcomes = Vec::new();
        let work = |index: usize, item: &Item| {
            assert_ne!(index, 1, "the bug");
            item.name()
        };
        process_in_order(&items, &global, &work, |_, _, name| {
            outcomes.push(name);
            ControlFlow::Continue(())
        });
        assert_eq!(outcomes, [Some("a".to_owned()), None, Some("c".to_owned())]);
    }
}
