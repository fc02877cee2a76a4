//! Options for inputs that are not trusted: limits, and the files that inputs may refer to.

use std::time::Duration;

use clap::{Args, ValueEnum};
use mapwright::io::Limits;
use mapwright::{ConvertOptions, External, ReadOptions};

use crate::watchdog::{self, ProcessLimits};

/// The heading of these options.
const LIMITS: &str = "Limits, for inputs that you do not trust";

/// Options for inputs that are not trusted.
#[derive(Debug, Clone, Args)]
pub(crate) struct LimitArgs {
    /// Use this set of limits; other options override individual limits
    #[arg(id = "limits", long, value_enum, value_name = "SET", default_value_t = LimitSet::Default)]
    #[arg(global = true, help_heading = LIMITS, hide_short_help = true)]
    set: LimitSet,
    /// Files to read if an input refers to them, such as textures and material libraries [default: beside; none for standard input
    /// and with --limits service]
    #[arg(long, value_enum, value_name = "FILES")]
    #[arg(global = true, help_heading = LIMITS, hide_short_help = true)]
    external: Option<ExternalFiles>,
    /// Maximum size of an input in bytes [default: 4G; service: 64M]
    #[arg(long, value_name = "SIZE", value_parser = number::<u64>)]
    #[arg(global = true, help_heading = LIMITS, hide_short_help = true)]
    limit_input: Option<u64>,
    /// Maximum decompressed size of an input in bytes [default: 1G; service: 256M]
    #[arg(long, value_name = "SIZE", value_parser = number::<u64>)]
    #[arg(global = true, help_heading = LIMITS, hide_short_help = true)]
    limit_inflated: Option<u64>,
    /// Maximum number of items in an input, and in a conversion after instances are expanded [default: 4G; service: 16M in an input, 1M in a conversion]
    #[arg(long, value_name = "COUNT", value_parser = number::<u64>)]
    #[arg(global = true, help_heading = LIMITS, hide_short_help = true)]
    limit_items: Option<u64>,
    /// Maximum nesting depth. VMF, Quake and Tiled files keep lower limits of their own [default: 10000; service: 1000]
    #[arg(long, value_name = "LEVELS", value_parser = number::<u32>)]
    #[arg(global = true, help_heading = LIMITS, hide_short_help = true)]
    limit_depth: Option<u32>,
    /// Maximum size of the result of a conversion in bytes, and of the memory to create it. An image needs 16 bytes per pixel
    /// [default: 2G; service: 256M]
    #[arg(long, value_name = "SIZE", value_parser = number::<u64>)]
    #[arg(global = true, help_heading = LIMITS, hide_short_help = true)]
    limit_output: Option<u64>,
    /// Maximum memory of the whole command in bytes [default: none; service: 1G]. Linux only.
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    #[arg(global = true, help_heading = LIMITS, hide_short_help = true)]
    limit_memory: Option<u64>,
    /// Maximum time of the whole command in seconds [default: none; service: 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(global = true, help_heading = LIMITS, hide_short_help = true)]
    limit_time: Option<u32>,
}

impl LimitArgs {
    /// Returns options for reading with its limits.
    pub(crate) fn reading(&self) -> ReadOptions {
        let service = if self.is_service() { ReadOptions::service() } else { ReadOptions::default() };
        let max_expanded = self.limit_inflated.or(service.max_expanded);
        service.with_limits(self.limits()).with_max_objects(self.limit_items).with_max_expanded(max_expanded)
    }

    fn limits(&self) -> Limits {
        let mut limits = if self.is_service() { Limits::service() } else { Limits::default() };
        limits.max_input = self.limit_input.unwrap_or(limits.max_input);
        limits.max_decompressed = self.limit_inflated.unwrap_or(limits.max_decompressed);
        limits.max_items = self.limit_items.unwrap_or(limits.max_items);
        limits.max_depth = self.limit_depth.unwrap_or(limits.max_depth);
        limits
    }

    /// Returns the files outside of an input that may be read with it.
    pub(crate) fn external(&self, is_stdin: bool) -> External {
        // A document from standard input has no folder of its own, and must not reach the current one.
        let default = if is_stdin || self.is_service() { External::None } else { External::Beside };
        self.external.map_or(default, Into::into)
    }

    /// Returns options of a conversion with its limits.
    pub(crate) fn conversion(&self) -> ConvertOptions {
        let mut options = if self.is_service() { ConvertOptions::service() } else { ConvertOptions::default() };
        options.max_pixel_bytes = usize::try_from(self.limits().max_decompressed).unwrap_or(usize::MAX);
        options.max_output = self.limit_output.unwrap_or(options.max_output);
        options.max_items = self.limit_items.unwrap_or(options.max_items);
        options
    }

    /// Returns the limits of the process.
    pub(crate) fn process(&self) -> ProcessLimits {
        let service = if self.is_service() { ProcessLimits::service() } else { ProcessLimits::default() };
        ProcessLimits {
            memory: self.limit_memory.or(service.memory),
            time: self.limit_time.map(|seconds| Duration::from_secs(seconds.into())).or(service.time),
        }
    }

    fn is_service(&self) -> bool {
        matches!(self.set, LimitSet::Service)
    }
}

/// A set of limits.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum LimitSet {
    /// Limits far above any real level.
    Default,
    /// Low limits for untrusted files, including limits of time and memory.
    Service,
}

/// A choice of the files outside of an input that may be read with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExternalFiles {
    /// No files.
    None,
    /// Files in the folder of the input and below, after resolving links.
    Beside,
    /// All files, including absolute paths, parent folders, the current folder and links out of content folders. Only for inputs that
    /// you trust.
    Any,
}

impl From<ExternalFiles> for External {
    fn from(files: ExternalFiles) -> Self {
        match files {
            ExternalFiles::None => Self::None,
            ExternalFiles::Beside => Self::Beside,
            ExternalFiles::Any => Self::Any,
        }
    }
}

/// Parses a limit of memory. Fails where memory cannot be measured.
fn memory(text: &str) -> Result<u64, String> {
    let size = number(text)?;
    watchdog::memory()
        .map(|_| size)
        .ok_or_else(|| "the memory of a process cannot be measured on this system".to_owned())
}

/// Parses a number with an optional unit: 4096, 64k, 16M, 2G. KiB and MB are accepted too. All units are powers of 1024.
pub(super) fn number<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let lower = text.to_ascii_lowercase();
    let unit = lower.trim_end_matches("ib").trim_end_matches('b');
    let (digits, shift) = match unit.char_indices().last() {
        Some((at, 'k')) => (&unit[..at], 10),
        Some((at, 'm')) => (&unit[..at], 20),
        Some((at, 'g')) => (&unit[..at], 30),
        Some((at, 't')) => (&unit[..at], 40),
        _ => (unit, 0),
    };
    let value: u64 = digits.trim().parse().map_err(|_| "expected a number such as 4096, 64k, 16M or 2G".to_owned())?;
    let value = value.checked_mul(1 << shift).and_then(|value| T::try_from(value).ok());
    value.ok_or_else(|| "the number is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::super::Cli;
    use super::*;

    fn parsed(args: &[&str]) -> LimitArgs {
        Cli::parse_from(["mapwright", "formats"].iter().chain(args)).global.limits
    }

    #[test]
    fn all_limits_take_units() {
        let limits = parsed(&["--limit-input=2k", "--limit-inflated=2k", "--limit-items=2k", "--limit-depth=2k"]);
        let all = Limits::default().with_max_input(2048).with_max_decompressed(2048);
        assert_eq!(limits.limits(), all.with_max_items(2048).with_max_depth(2048));
        assert_eq!((limits.reading().max_objects, limits.reading().max_expanded), (Some(2048), Some(2048)));
        assert_eq!(limits.conversion().max_pixel_bytes, 2048);
        assert_eq!((limits.conversion().max_items, limits.conversion().max_output), (2048, 2 << 30));
        assert_eq!(parsed(&["--limit-output=2k"]).conversion().max_output, 2048);
    }

    #[test]
    fn options_override_the_set() {
        let (service, usual) = (parsed(&["--limits=service"]), parsed(&[]));
        let expanded = [&service, &usual].map(|limits| limits.reading().max_expanded);
        assert_eq!(expanded, [ReadOptions::service().max_expanded, None]);
        assert_eq!((service.limits(), service.external(false)), (Limits::service(), External::None));
        assert_eq!((service.conversion(), service.process()), (ConvertOptions::service(), ProcessLimits::service()));
        assert_eq!((usual.limits(), usual.external(false)), (Limits::default(), External::Beside));
        assert_eq!((usual.conversion(), usual.process()), (ConvertOptions::default(), ProcessLimits::default()));
        assert_eq!(usual.external(true), External::None);
        let some = parsed(&["--limits=service", "--limit-depth=5", "--limit-time=7", "--external=beside"]);
        assert_eq!(some.limits(), Limits::service().with_max_depth(5));
        let process = ProcessLimits { time: Some(Duration::from_secs(7)), ..ProcessLimits::service() };
        assert_eq!((some.process(), some.external(true)), (process, External::Beside));
    }

    #[test]
    fn help_has_the_real_numbers() {
        let command = Cli::command();
        let help = |id: &str| {
            let arg = command.get_arguments().find(|arg| arg.get_id() == id).unwrap();
            let help = arg.get_help().unwrap().to_string();
            let numbers = help.split_once('[').unwrap().1.split([']', ';', ':', ' ']);
            numbers.filter_map(|word| number::<u64>(word).ok()).collect::<Vec<_>>()
        };
        let (usual, service) = (parsed(&[]), parsed(&["--limits=service"]));
        let both = |get: fn(&LimitArgs) -> u64| vec![get(&usual), get(&service)];
        assert_eq!(help("limit_input"), both(|limits| limits.limits().max_input));
        assert_eq!(help("limit_inflated"), both(|limits| limits.limits().max_decompressed));
        assert_eq!(help("limit_depth"), both(|limits| limits.limits().max_depth.into()));
        assert_eq!(help("limit_output"), both(|limits| limits.conversion().max_output));
        let mut items = both(|limits| limits.limits().max_items);
        items.push(service.conversion().max_items);
        assert_eq!(help("limit_items"), items);
        assert_eq!(help("limit_memory"), [service.process().memory.unwrap()]);
        assert_eq!(help("limit_time"), [service.process().time.unwrap().as_secs()]);
    }

    #[test]
    fn numbers_have_units() {
        let size = number::<u64>;
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!((size("64k"), size("16MiB"), size("2GB")), (Ok(64 << 10), Ok(16 << 20), Ok(2 << 30)));
        assert!(size("x").is_err() && size("").is_err() && size("-1").is_err() && size("99999999999T").is_err());
        assert_eq!((number::<u32>("200k"), number::<u32>("4194303K")), (Ok(200 << 10), Ok(4_194_303 << 10)));
        assert!(number::<u32>("4G").is_err());
    }
}
