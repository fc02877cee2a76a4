//! Invalid command lines in the style of all other failures.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use mapwright::query::suggestion;

use crate::args::Cli;
use crate::failure::Failure;

/// Returns the failure for an error of the parser. The message may repeat arguments, which [`Failure::text`] escapes.
pub(crate) fn usage_failure(args: &[OsString], error: &clap::Error) -> Box<Failure> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(option(word)),
        Some(ContextValue::Strings(words)) => {
            Some(words.iter().map(|word| option(word)).collect::<Vec<_>>().join(", "))
        }
        _ => None,
    };
    let named = word(ContextKind::InvalidArg).unwrap_or_default();
    let value = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => value.as_str(),
        _ => "",
    };
    match error.kind() {
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            // The parser of ranges repeats the value.
            let range = reason.split_once(" is not in ").and_then(|(_, range)| range.split_once("..="));
            let reason = range.map_or(reason.clone(), |(low, high)| format!("expected {low} to {high}"));
            let failure = |reason: &str| Failure::usage(format!("invalid value `{value}` for {named}: {reason}"));
            match reason.rsplit_once("; did you mean ") {
                Some((reason, similar)) => failure(reason).with_help(&format!("did you mean {similar}")),
                None => failure(match reason.as_str() {
                    "invalid float literal" => "expected a number",
                    "invalid digit found in string" => "expected a whole number",
                    reason => reason,
                })
                .with_help(&more(args)),
            }
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            Failure::usage(format!("{named} needs a value")).with_help(&more(args))
        }
        ErrorKind::InvalidValue => {
            let known = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(known)) => known.as_slice(),
                _ => &[],
            };
            let message = format!("invalid value `{value}` for {named}: expected one of {}", known.join(", "));
            let help = suggestion(value, known.iter().map(String::as_str));
            Failure::usage(message)
                .with_help(&help.map_or_else(|| more(args), |known| format!("did you mean {known}?")))
        }
        ErrorKind::UnknownArgument if named.starts_with('-') => {
            let help = word(ContextKind::SuggestedArg).map(|similar| format!("did you mean {similar}?"));
            Failure::usage(format!("unknown option {named}")).with_help(&help.unwrap_or_else(|| more(args)))
        }
        ErrorKind::UnknownArgument => Failure::usage(format!("unexpected argument `{named}`")).with_help(&more(args)),
        ErrorKind::ArgumentConflict => {
            let other = word(ContextKind::PriorArg).unwrap_or_default();
            let message = match other == named || other.is_empty() {
                true => format!("{named} may be given only once"),
                false => format!("{named} and {other} cannot be used together"),
            };
            Failure::usage(message).with_help("leave one of them out")
        }
        ErrorKind::MissingRequiredArgument => {
            Failure::usage(format!("missing argument: expected {named}")).with_help(&more(args))
        }
        _ => {
            let text = error.render().to_string();
            let text = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
            Failure::usage(text.trim_end()).with_help(&more(args))
        }
    }
}

/// Returns the name of an option without the name of its value.
fn option(text: &str) -> String {
    if text.starts_with('-') { text.split([' ', '=', '[']).next().unwrap_or(text).to_owned() } else { text.to_owned() }
}

/// Returns the next step if there is no better one.
fn more(args: &[OsString]) -> String {
    let command = Cli::command();
    let known = args.iter().skip(1).find_map(|arg| command.find_subcommand(arg));
    let name = known.map(|known| format!(" {}", known.get_name())).unwrap_or_default();
    format!("`mapwright{name} -h` shows the arguments and options")
}
