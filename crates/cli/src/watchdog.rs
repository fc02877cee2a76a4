//! Limits of memory and time for the whole command. They hold where no other limit does, so that a service need not watch over it.

use std::fmt::Display;
use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::exit::Exit;
use crate::out::{Color, paint, say};

/// What the process may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ProcessLimits {
    /// Bytes of memory.
    pub(crate) memory: Option<u64>,
    /// Time from the start.
    pub(crate) time: Option<Duration>,
}

/// How often memory is measured. A process cannot take much more in that time: the system hands out some gigabytes in a second.
const INTERVAL: Duration = Duration::from_millis(5);
/// How long to wait for somebody who does not read standard error.
const PATIENCE: Duration = Duration::from_secs(1);

impl ProcessLimits {
    /// Low limits for services.
    pub(crate) const fn service() -> Self {
        Self { memory: Some(1 << 30), time: Some(Duration::from_secs(30)) }
    }

    /// Ends the process once it exceeds a limit. Without limits this does nothing.
    ///
    /// # Errors
    /// That of the system, if it starts no thread.
    pub(crate) fn watch(self) -> io::Result<()> {
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
                stop(format_args!("the command uses more than {limit} bytes of memory"), "--limit-memory");
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if let (Some(Duration::ZERO), Some(time)) = (left, self.time) {
                stop(format_args!("the command takes more than {} s", time.as_secs()), "--limit-time");
            }
            thread::sleep(match (left, self.memory) {
                (Some(left), None) => left,
                (left, _) => left.unwrap_or(INTERVAL).min(INTERVAL),
            });
        }
    }
}

/// The bytes of memory that the process uses, where the system tells.
pub(crate) fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim_end().parse::<u64>().ok()?.checked_mul(1024)
}

/// Says which limit was exceeded, removes what is half-written, and ends the process.
fn stop(message: impl Display, option: &str) -> ! {
    mapwright::abandon_saves();
    let (error, help) = (paint("error[limit]", Color::Red), paint("help", Color::Cyan));
    let text = format!("{error}: {message}\n{help}: raise it with {option} if the input is trusted\n");
    // Another thread may hold standard error for as long as nobody reads it.
    let (said, wait) = mpsc::channel();
    thread::spawn(move || {
        say(text);
        let _ = said.send(());
    });
    let _ = wait.recv_timeout(PATIENCE);
    std::process::exit(Exit::Limit.code().into());
}
