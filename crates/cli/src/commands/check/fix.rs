//! `mapwright check --fix`

use std::path::PathBuf;

use mapwright::wwd::{Fix, FixOptions};
use mapwright::{AnyDocument, Error};

use crate::args::{Check, Output, TextOutput};
use crate::commands::output::{places, save_document, wrong};
use crate::failure::Failure;
use crate::inputs::Item;

/// The plan of a repair: its options and outputs.
pub(super) struct Plan {
    options: FixOptions,
    output: Output,
    /// For each input; `None` without a place to write to.
    places: Vec<Option<PathBuf>>,
}

impl Plan {
    /// # Errors
    /// If there is no output.
    pub(super) fn new(args: &Check, items: &[Item]) -> Result<Self, Box<Failure>> {
        let options =
            FixOptions::default().with_dropped_objects(args.drop_objects).with_missing_properties(args.add_properties);
        let TextOutput { output, force } = args.output.clone();
        let output = Output { output, dir: args.dir.clone(), force, skip_existing: false };
        let places = match (&output.output, &output.dir) {
            _ if args.dry_run => vec![None; items.len()],
            (Some(path), _) if path.as_os_str() == "-" => {
                return Err(wrong("standard output is used for the findings").with_help("write to a file with -o FILE"));
            }
            (None, None) if !force => {
                let failure = wrong("no output given");
                return Err(failure.with_help("-o FILE, -d DIR, --force to replace the inputs, or --dry-run"));
            }
            (None, None) if items.iter().any(Item::is_stdin) => {
                return Err(wrong("standard input cannot be replaced").with_help("write to a file with -o FILE"));
            }
            (None, None) => items.iter().map(|item| Some(item.path.clone())).collect(),
            _ => places(&output, items, |_| None, |_| true)?,
        };
        Ok(Self { options, output, places })
    }

    /// Repairs a document and writes it. Returns the fixes and the path of the output.
    pub(super) fn apply(
        &self,
        index: usize,
        item: &Item,
        document: &mut AnyDocument,
    ) -> Result<(Vec<Fix>, Option<PathBuf>), Box<Failure>> {
        let format = document.format();
        let Some(level) = document.as_wwd_mut() else {
            let error = Error::Unsupported { format, what: "repaired; supported: wwd" };
            return Err(Failure::new(&item.name(), &error));
        };
        let fixes = level.fix(&self.options);
        let place = self.places.get(index).cloned().flatten();
        // An input that is right stays as it is.
        let Some(place) = place.filter(|place| !fixes.is_empty() || *place != item.path) else {
            return Ok((fixes, None));
        };
        let bytes = level.to_bytes().map_err(|error| Failure::new(&item.name(), &error.into()))?;
        save_document(item, Some(&place), format, bytes, &self.output)?;
        Ok((fixes, Some(place)))
    }
}
