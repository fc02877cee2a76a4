//! Classes and properties of the scene entities that models and regions become.

/// The class of models.
pub(super) const MODEL: &str = "model";

/// The class of regions.
pub(super) const REGION: &str = "region";

/// Returns `true` for fields of models that are not properties: file and scale belong to the entity, skills are one list.
pub(super) fn is_no_property(field: &str) -> bool {
    matches!(field, "file" | "scale") || field.starts_with("skill")
}

/// Returns `true` for fields that scene sounds have.
pub(super) fn is_sound_field(field: &str) -> bool {
    matches!(field, "file" | "volume" | "range")
}
