//! Options for inputs that are not trusted: limits, and the files that inputs may refer to.

use clap::{Args, ValueEnum};
use mapwright::ConvertOptions;
use mapwright::io::Limits;

/// Options for inputs that are not trusted.
#[derive(Debug, Clone, Args)]
pub(crate) struct LimitArgs {
    /// Read only these files that an input refers to, such as textures and material libraries [default: beside; none for standard
    /// input].
    #[arg(long, value_enum, value_name = "FILES", global = true)]
    pub(crate) external: Option<ExternalFiles>,
    /// Maximum size of an input in bytes [default: 4G].
    #[arg(long, value_name = "SIZE", global = true, value_parser = number::<u64>)]
    pub(crate) limit_input: Option<u64>,
    /// Maximum decompressed size of an input in bytes [default: 1G].
    #[arg(long, value_name = "SIZE", global = true, value_parser = number::<u64>)]
    pub(crate) limit_inflated: Option<u64>,
    /// Maximum number of items in an input, and in a conversion after instances are expanded [default: 4G].
    #[arg(long, value_name = "COUNT", global = true, value_parser = number::<u64>)]
    pub(crate) limit_items: Option<u64>,
    /// Maximum nesting depth [default: 10000].
    #[arg(long, value_name = "LEVELS", global = true, value_parser = number::<u32>)]
    pub(crate) limit_depth: Option<u32>,
    /// Maximum size of an output in bytes, and of the memory to create it [default: 2G].
    #[arg(long, value_name = "SIZE", global = true, value_parser = number::<u64>)]
    pub(crate) limit_output: Option<u64>,
}

impl LimitArgs {
    /// Returns the limits for reading.
    pub(crate) fn reading(&self) -> Limits {
        let mut limits = Limits::default();
        limits.max_input = self.limit_input.unwrap_or(limits.max_input);
        limits.max_decompressed = self.limit_inflated.unwrap_or(limits.max_decompressed);
        limits.max_items = self.limit_items.unwrap_or(limits.max_items);
        limits.max_depth = self.limit_depth.unwrap_or(limits.max_depth);
        limits
    }

    /// Sets the limits of a conversion.
    pub(crate) fn limit_conversion(&self, options: &mut ConvertOptions) {
        options.max_output = self.limit_output.unwrap_or(options.max_output);
        options.max_items = self.limit_items.unwrap_or(options.max_items);
    }
}

/// A choice of the files outside of an input that may be read with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExternalFiles {
    /// No files.
    None,
    /// Files in the folder of the input and below, after resolving links.
    Beside,
    /// All files, also by absolute paths, in parent folders and in the current folder. For inputs that you trust.
    Any,
}

impl From<ExternalFiles> for mapwright::External {
    fn from(files: ExternalFiles) -> Self {
        match files {
            ExternalFiles::None => Self::None,
            ExternalFiles::Beside => Self::Beside,
            ExternalFiles::Any => Self::Any,
        }
    }
}

/// A number with an optional unit: 4096, 64k, 16M, 2G, also KiB and MB; all are powers of 1024.
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
    let value: u64 =
        digits.trim().parse().map_err(|_| "a number such as 4096, 64k, 16M or 2G is expected".to_owned())?;
    let value = value.checked_mul(1 << shift).and_then(|value| T::try_from(value).ok());
    value.ok_or_else(|| "the number is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Cli;
    use super::number;

    #[test]
    fn all_limits_take_units() {
        let limits =
            ["--limit-input=2k", "--limit-inflated=2k", "--limit-items=2k", "--limit-depth=2k", "--limit-output=2k"];
        let limits = Cli::parse_from(["mapwright", "formats"].into_iter().chain(limits)).global.limits;
        let depth = limits.limit_depth.map(u64::from);
        let all = [limits.limit_input, limits.limit_inflated, limits.limit_items, depth, limits.limit_output];
        assert_eq!(all, [Some(2048); 5]);
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
