//! Work on many files at once, with results in the order of the files.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use crate::args::Global;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::out::{Out, say};
use crate::progress::Progress;

/// What became of one file.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// What goes to standard output.
    pub(crate) data: Vec<u8>,
    /// What goes to standard error.
    pub(crate) talk: String,
    pub(crate) sort: Sort,
}

/// How a file is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Done,
    /// Converted, but not everything could be kept.
    WithLosses,
    /// Checked or compared, and something was found.
    Found,
    Failed(Exit),
    /// Found in a folder, of no known format.
    Skipped,
}

impl Outcome {
    pub(crate) fn done(data: String) -> Self {
        Self { data: data.into_bytes(), talk: String::new(), sort: Sort::Done }
    }

    pub(crate) fn skipped() -> Self {
        Self { data: Vec::new(), talk: String::new(), sort: Sort::Skipped }
    }

    pub(crate) fn failed(failure: &Failure, json: bool) -> Self {
        let data = if json { failure.json() } else { String::new() };
        Self { data: data.into_bytes(), talk: failure.text(), sort: Sort::Failed(failure.exit) }
    }
}

/// Numbers of files by what became of them.
#[derive(Debug, Default)]
struct Tally {
    done: usize,
    with_losses: usize,
    found: usize,
    failed: usize,
    skipped: usize,
    worst: Option<Exit>,
}

impl Tally {
    fn add(&mut self, sort: Sort) {
        match sort {
            Sort::Done => self.done += 1,
            Sort::WithLosses => self.with_losses += 1,
            Sort::Found => self.found += 1,
            Sort::Skipped => self.skipped += 1,
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

    fn summary(&self, found: &str) -> String {
        let mut text = format!("{} ok", self.done);
        for (number, what) in [
            (self.with_losses, "with losses"),
            (self.found, found),
            (self.failed, "failed"),
            (self.skipped, "skipped (no known format)"),
        ] {
            if number > 0 {
                text.push_str(&format!(", {number} {what}"));
            }
        }
        text
    }
}

/// Works on all items, given with their numbers, and prints what comes of them in their order. `found` says what [`Sort::Found`] is.
///
/// # Errors
/// Those of standard output.
pub(crate) fn run(
    items: &[Item],
    global: &Global,
    found: &str,
    work: impl Fn(usize, &Item) -> Outcome + Sync,
) -> io::Result<Exit> {
    let is_batch = items.len() != 1 || items.iter().any(|item| item.folder.is_some());
    let mut out = Out::new();
    let mut tally = Tally::default();
    let progress = Progress::new(items.len(), global.quiet);
    let mut broken = Ok(());
    each(items, global, &work, |outcome| {
        tally.add(outcome.sort);
        progress.step(|| {
            broken = out.write_all(&outcome.data).and_then(|()| {
                // Talk comes where it belongs, behind the data before it.
                if outcome.talk.is_empty() { Ok(()) } else { out.flush() }
            });
            say(&outcome.talk);
        });
        let failed = matches!(outcome.sort, Sort::Failed(_));
        if broken.is_err() || failed && global.fail_fast { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.finish();
    broken.and_then(|()| out.flush())?;
    if is_batch && !global.quiet {
        say(format_args!("{}\n", tally.summary(found)));
    }
    if is_batch && tally.skipped == items.len() {
        let failure = Failure::other(
            &items.first().and_then(|item| item.folder.as_deref()).unwrap_or("folder".as_ref()).display().to_string(),
            "unknown-format",
            Exit::UnknownFormat,
            "there is no file of a known format".to_owned(),
        );
        say(failure.text());
        return Ok(Exit::UnknownFormat);
    }
    Ok(tally.exit(is_batch))
}

/// Works on all items at once and hands out the results in order, until told to stop.
fn each(
    items: &[Item],
    global: &Global,
    work: &(impl Fn(usize, &Item) -> Outcome + Sync),
    mut hand_out: impl FnMut(Outcome) -> ControlFlow<()>,
) {
    let threads = global.jobs.map_or(0, usize::from).min(items.len());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let Ok(pool) = pool.ok().filter(|_| items.len() > 1).ok_or(()) else {
        // One file, or a system that gives no threads.
        for (index, item) in items.iter().enumerate() {
            if hand_out(guarded(item, global, || work(index, item))).is_break() {
                return;
            }
        }
        return;
    };
    let stop = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    pool.in_place_scope_fifo(|scope| {
        for (index, item) in items.iter().enumerate() {
            let (send, stop) = (send.clone(), &stop);
            scope.spawn_fifo(move |_| {
                if !stop.load(Ordering::Relaxed) {
                    let _ = send.send((index, guarded(item, global, || work(index, item))));
                }
            });
        }
        drop(send);
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        for (index, outcome) in receive {
            waiting.insert(index, outcome);
            while let Some(outcome) = waiting.remove(&next) {
                next += 1;
                if !stop.load(Ordering::Relaxed) && hand_out(outcome).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}

/// A bug that one file brings out does not stop the others.
fn guarded(item: &Item, global: &Global, work: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = "this file brings out a bug in mapwright; please report it".to_owned();
        let failure = Failure::other(&item.name(), "bug", Exit::Bug, message);
        Outcome::failed(&failure, global.json)
    })
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
        assert_eq!(tally(&[Sort::Done, Sort::WithLosses, Sort::Skipped]).exit(true), Exit::Ok);
        assert_eq!(tally(&[damaged]).exit(false), Exit::Malformed);
        assert_eq!(tally(&[damaged]).exit(true), Exit::Batch);
        assert_eq!(tally(&[Sort::Done, Sort::Found]).exit(true), Exit::Found);
        assert_eq!(tally(&[damaged, Sort::Found]).exit(true), Exit::Batch);
        assert_eq!(tally(&[damaged, Sort::Failed(Exit::Bug)]).exit(true), Exit::Bug);
    }

    #[test]
    fn the_summary_counts_what_there_is() {
        let sorts = [Sort::Done, Sort::Done, Sort::WithLosses, Sort::Failed(Exit::Io)];
        assert_eq!(tally(&sorts).summary("odd"), "2 ok, 1 with losses, 1 failed");
        assert_eq!(tally(&[Sort::Found]).summary("different"), "0 ok, 1 different");
    }

    #[test]
    fn a_bug_is_one_failed_file() {
        let global = <crate::args::Cli as clap::Parser>::parse_from(["mapwright", "formats"]).global;
        let items = ["a", "b", "c"].map(|name| Item { path: name.into(), folder: None });
        let mut outcomes = Vec::new();
        let work = |index: usize, item: &Item| {
            assert_ne!(index, 1, "the bug");
            Outcome::done(item.name())
        };
        each(&items, &global, &work, |outcome| {
            outcomes.push((String::from_utf8_lossy(&outcome.data).into_owned(), outcome.sort));
            ControlFlow::Continue(())
        });
        let expected = [("a", Sort::Done), ("", Sort::Failed(Exit::Bug)), ("c", Sort::Done)];
        assert_eq!(outcomes, expected.map(|(data, sort)| (data.to_owned(), sort)));
    }
}
