//! Checks of every import.

use mapwright_io::{Error, ErrorKind};
use mapwright_scene::Scene;
use mapwright_testkit::Refusal;

/// Panics if a part of an imported scene is broken.
pub(crate) fn check_whole(scene: &Scene) {
    if let Some(finding) = scene.first_error() {
        panic!("the imported scene is broken: {finding}");
    }
}

/// Turns an error of an import into the form that the laws check.
#[expect(clippy::needless_pass_by_value, reason = "used as `map_err(refusal)`")]
pub(crate) fn refusal<K: ErrorKind>(error: Error<K>) -> Refusal {
    // Positions in other files say nothing about this one.
    let offset = error.position().filter(|_| error.file().is_none()).map(|position| position.offset);
    Refusal::new(error.category().name(), offset, &error)
}
