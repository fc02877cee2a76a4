//! Limits for files that are not trusted.

use clap::Args;
use mapwright::ConvertOptions;
use mapwright::io::Limits;

use super::number;

/// Limits of what is read and made.
#[derive(Debug, Clone, Args)]
pub(crate) struct LimitArgs {
    /// Bytes that an input may have [default: 4G].
    #[arg(long, value_name = "SIZE", global = true, value_parser = number::<u64>)]
    pub(crate) limit_input: Option<u64>,
    /// Bytes that all that is packed in an input may have when unpacked [default: 1G].
    #[arg(long, value_name = "SIZE", global = true, value_parser = number::<u64>)]
    pub(crate) limit_inflated: Option<u64>,
    /// Items that an input may have, and a conversion after instances are expanded [default: 4G].
    #[arg(long, value_name = "COUNT", global = true, value_parser = number::<u64>)]
    pub(crate) limit_items: Option<u64>,
    /// Levels that items may be nested [default: 10000].
    #[arg(long, value_name = "LEVELS", global = true, value_parser = number::<u32>)]
    pub(crate) limit_depth: Option<u32>,
    /// Bytes that an output may take, and the memory to make it [default: 2G].
    #[arg(long, value_name = "SIZE", global = true, value_parser = number::<u64>)]
    pub(crate) limit_output: Option<u64>,
}

impl LimitArgs {
    /// The limits of reading.
    pub(crate) fn reading(&self) -> Limits {
        let mut limits = Limits::default();
        limits.max_input = self.limit_input.unwrap_or(limits.max_input);
        limits.max_decompressed = self.limit_inflated.unwrap_or(limits.max_decompressed);
        limits.max_items = self.limit_items.unwrap_or(limits.max_items);
        limits.max_depth = self.limit_depth.unwrap_or(limits.max_depth);
        limits
    }

    /// Applies the limits to a conversion.
    pub(crate) fn limit_conversion(&self, options: &mut ConvertOptions) {
        options.max_output = self.limit_output.unwrap_or(options.max_output);
        options.max_items = self.limit_items.unwrap_or(options.max_items);
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Cli;

    #[test]
    fn all_limits_take_units() {
        let limits =
            ["--limit-input=2k", "--limit-inflated=2k", "--limit-items=2k", "--limit-depth=2k", "--limit-output=2k"];
        let limits = Cli::parse_from(["mapwright", "formats"].into_iter().chain(limits)).global.limits;
        let depth = limits.limit_depth.map(u64::from);
        let all = [limits.limit_input, limits.limit_inflated, limits.limit_items, depth, limits.limit_output];
        assert_eq!(all, [Some(2048); 5]);
    }
}
