//! Problems of maps: data that Hammer or the game would reject or lose, and dangling references.

mod assets;
mod nodes;
mod outputs;
mod parts;
mod report;
mod tree;
mod types;

use mapwright_io::Finding;

use crate::Document;
use report::Report;
#[cfg(feature = "scene")]
pub(crate) use report::lossy;

impl Document {
    /// Reports the problems of the map, the most severe first, each with its path: `nodes[17].targetMapPath` is an attribute of the
    /// node with number 17, `elements[12]` is an element that is not a node.
    ///
    /// | code | severity | problem |
    /// |---|---|---|
    /// | `world-missing` | error | the root has no world |
    /// | `mesh-unreadable` | error | an attribute of a mesh is missing or has the wrong type, or its data is shared with another mesh |
    /// | `mesh-…` | error, warning | see [`Mesh::check`](crate::Mesh::check) |
    /// | `node-id-missing`, `node-id-twice` | warning | a node has no number, or the number of another node |
    /// | `reference-id-twice` | warning | a node has the identity of another node |
    /// | `reference-id-missing` | note | a node has no identity (0 is none) |
    /// | `node-shared`, `node-cycle` | warning | a node is a child of two others, or of a descendant |
    /// | `node-stray` | warning | visibility manager or selection set refer to a node outside the world |
    /// | `visibility-missing`, `visibility-spelling` | warning | the visibility manager is missing, or its attribute is named `visibility` |
    /// | `visibility-lengths` | warning | `nodes` and `hiddenFlags` differ in length |
    /// | `visibility-flags` | note | an unknown reason for hiding a node |
    /// | `entity-class` | warning | an entity without `classname` |
    /// | `entity-keys` | warning | an entity without key values |
    /// | `output-target` | warning, note | no entity has the target of an output as its name or class. A note if a prefab was not read, or if no player starts in the map |
    /// | `output-type` | note | an output with a target type other than 7 |
    /// | `plug-lengths`, `binding-lengths`, `override-lengths`, `variable-lengths` | warning | parallel arrays differ in length |
    /// | `binding-variable` | warning | a key is bound to a variable that does not exist |
    /// | `choice-variable`, `choice-values`, `choice-active` | warning | a choice sets an unknown variable, has the wrong number of values, or the active one does not exist |
    /// | `prefab-path` | warning | the path of a prefab is empty or not relative to the content folder |
    /// | `instance-target` | warning | the target of an instance is missing, not a group, or outside the world |
    /// | `overlay-target` | note | the target of an overlay does not exist |
    /// | `instance-data` | note | the node of preview lighting does not exist |
    /// | `asset-unlisted` | note | a material, model or map is not in the list of the prefix |
    /// | `asset-unused` | note | an asset is listed but not used |
    /// | `thumbnail` | warning | the thumbnail does not have the stated format |
    /// | `format-version` | note | no map of this format version is known |
    /// | `type-drift` | warning | an attribute has another type than in maps of this format |
    /// | `attribute-unknown` | note | Hammer is not known to write the attribute, but preserves it |
    ///
    /// Findings of [the element graph](mapwright_dmx::Document::validate) are included. At most 100 findings of one code are listed.
    pub fn validate(&self) -> Vec<Finding> {
        self.validate_with_prefabs(&mut |_| None)
    }

    /// Reports problems as [`validate`](Self::validate) does, and looks for targets of outputs also in prefabs. `load` returns the map
    /// of a prefab by its path.
    pub fn validate_with_prefabs(&self, load: &mut dyn FnMut(&str) -> Option<Self>) -> Vec<Finding> {
        let mut report = Report::new(self);
        tree::check(&mut report);
        nodes::check(&mut report);
        outputs::check(&mut report, load);
        parts::check(&mut report);
        assets::check(&mut report);
        types::check(&mut report);
        report.finish(self.graph().validate())
    }
}
