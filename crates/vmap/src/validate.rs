//! What is odd about a map: what Hammer or the game stumble over, what is lost, what points nowhere.

mod assets;
mod nodes;
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
    /// Reports what is odd, the worst first, with its place: `nodes[17].targetMapPath` is an attribute of the node with number 17,
    /// `elements[12]` an element that is no node.
    ///
    /// | code | severity | what |
    /// |---|---|---|
    /// | `world-missing` | error | the root has no world |
    /// | `mesh-unreadable` | error | an attribute of a mesh is missing or of another type, or its data are those of another mesh |
    /// | `mesh-…` | error, warning | see [`Mesh::check`](crate::Mesh::check) |
    /// | `node-id-missing`, `node-id-twice` | warning | a node has no number, or that of another one |
    /// | `reference-id-missing`, `reference-id-twice` | warning | a node has no identity (0 is none), or that of another one |
    /// | `node-shared`, `node-cycle` | warning | a node is a child of two others, or of one below itself |
    /// | `node-stray` | warning | visibility manager or selection set refer to a node that is not below the world |
    /// | `visibility-missing`, `visibility-spelling` | warning | no visibility manager, or it is called `visibility` |
    /// | `visibility-lengths` | warning | `nodes` and `hiddenFlags` differ in length |
    /// | `visibility-flags` | note | a reason for hiding that is not known |
    /// | `entity-class` | warning | an entity without `classname` |
    /// | `entity-keys` | warning | an entity without key values |
    /// | `output-type` | warning | an output with a target type other than 7 |
    /// | `plug-lengths`, `binding-lengths`, `override-lengths`, `variable-lengths` | warning | parallel arrays differ in length |
    /// | `binding-variable` | warning | a key takes its value from a variable that the map does not have |
    /// | `choice-variable`, `choice-values`, `choice-active` | warning | a choice sets an unknown variable, has too few or many values, or the one that is made is not there |
    /// | `prefab-path` | warning | the path of a prefab is empty or not relative to the content folder |
    /// | `instance-target` | warning | an instance shows nothing, no group, or a group that is not below the world |
    /// | `overlay-target` | warning | an overlay is projected onto a node that is not there |
    /// | `instance-data` | note | preview lighting for a node that is not there |
    /// | `asset-unlisted` | warning | a material, model or map is not in the list of the prefix |
    /// | `asset-unused` | note | an asset is listed but not named in the map |
    /// | `thumbnail` | warning | the thumbnail is not of the format that is stated |
    /// | `format-version` | note | a version of the format of which no map is known |
    /// | `type-drift` | warning | an attribute has another type than in maps of this format |
    /// | `attribute-unknown` | note | Hammer is not known to write this attribute; it keeps it |
    ///
    /// and what [the graph's own check](mapwright_dmx::Document::validate) reports. At most 100 findings of one code are listed.
    pub fn validate(&self) -> Vec<Finding> {
        let mut report = Report::new(self);
        tree::check(&mut report);
        nodes::check(&mut report);
        parts::check(&mut report);
        assets::check(&mut report);
        types::check(&mut report);
        report.finish(self.graph().validate())
    }
}
