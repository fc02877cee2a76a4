//! Limits of memory and time for the whole command. They apply when no other limit does. A service then needs no monitor of its own.

use std::fmt::Display;
use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::exit::Exit;
use crate::out::{Color, paint, print_message};

/// Limits of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ProcessLimits {
    /// Bytes of memory.
    pub(crate) memory: Option<u64>,
    /// Time from the start.
    pub(crate) time: Option<Duration>,
}

/// Interval between measurements of memory. In this time, a process can take only some megabytes more.
const INTERVAL: Duration = Duration::from_millis(5);
/// Time for the message and for removing incomplete files.
const GRACE_PERIOD: Duration = Duration::from_secs(2);

impl ProcessLimits {
    /// Returns low limits for services.
    pub(crate) const fn service() -> Self {
        Self { memory: Some(1 << 30), time: Some(Duration::from_secs(30)) }
    }

    /// Ends the process once it exceeds a limit. Without limits this does nothing.
    ///
    /// A limit of memory has no effect on systems where memory cannot be measured.
    ///
    /// # Errors
    /// Fails if the system cannot start a thread.
    pub(crate) fn watch(mut self) -> io::Result<()> {
        self.memory = self.memory.filter(|_| memory().is_some());
        if self != Self::default() {
            thread::Builder::new().spawn(move || self.wait())?;
        }
        Ok(())
    }

    fn wait(self) {
        let end = self.time.and_then(|time| Instant::now().checked_add(time));
        loop {
            if let Some(limit) = self.memory
                && memory().is_some_and(|used| used > limit)
            {
                stop(format_args!("memory limit exceeded: {limit} bytes"), "--limit-memory");
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if let (Some(Duration::ZERO), Some(time)) = (left, self.time) {
                stop(format_args!("time limit exceeded: {} s", time.as_secs()), "--limit-time");
            }
            let pause = self.memory.map_or(Duration::MAX, |_| INTERVAL);
            thread::sleep(left.unwrap_or(pause).min(pause));
        }
    }
}

/// Removes incomplete files when the process is ended by a limit of its processor time (`ulimit -t`) or by `SIGQUIT`.
#[cfg(unix)]
pub(crate) fn remove_incomplete_files_on_signals() {
    use signal_hook::{
        consts::{SIGQUIT, SIGXCPU},
        iterator::Signals,
    };

    let Ok(mut signals) = Signals::new([SIGQUIT, SIGXCPU]) else { return };
    // Without a thread, incomplete files remain as they do after SIGKILL.
    let _ = thread::Builder::new().spawn(move || match signals.forever().next() {
        Some(SIGXCPU) => stop("limit of processor time exceeded", "ulimit -t"),
        _ => {
            mapwright::abandon_saves();
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
}

/// Returns the memory of the process in bytes, with swapped memory, or `None` if the system does not report it.
pub(crate) fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim_end().parse::<u64>().ok()?.checked_mul(1024)
    };
    bytes("VmRSS:")?.checked_add(bytes("VmSwap:").unwrap_or(0))
}

/// Reports the exceeded limit, removes incomplete files, and ends the process.
fn stop(message: impl Display, option: &str) -> ! {
    let (error, help) = (paint("error[limit]", Color::Red), paint("help", Color::Cyan));
    let text = format!("{error}: {message}\n{help}: raise it with {option} if the input is trusted\n");
    // Nobody may read standard error, and a network folder may not answer: neither may keep the process running.
    let (sender, done) = mpsc::channel();
    let tasks: [Box<dyn FnOnce() + Send>; 2] =
        [Box::new(mapwright::abandon_saves), Box::new(move || print_message(text))];
    for task in tasks {
        let sender = sender.clone();
        thread::spawn(move || {
            task();
            let _ = sender.send(());
        });
    }
    let deadline = Instant::now() + GRACE_PERIOD;
    for _ in 0..2 {
        let _ = done.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }
    std::process::exit(Exit::Limit.code().into());
}
