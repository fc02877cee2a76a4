//! Classes and properties of the scene entities that models and regions become.

/// The class of models.
pub(super) const MODEL: &str = "model";

/// The class of regions.
pub(super) const REGION: &str = "region";

/// The properties for the names at the end of a model.
pub(super) const TAIL: [&str; 5] = ["path", "target", "material", "string_1", "string_2"];
