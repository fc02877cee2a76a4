//! Classes of elements that are not nodes.

use super::Fresh::{Bool, Child, Elements, Float, Int, Ints, Null, Text, Texts, Vector3};
use super::{Class, Field, field, plain};

const GRID: &[Field] = &[
    field("showgrid", Bool(true)).until_format(34),
    field("snaprotationangle", Int(15)).until_format(29),
    field("snaprotationangle", Float(15.0)).only_format(30),
    field("snaprotationangle", Int(15)).from(31).until_format(34),
    field("gridspacing", Float(64.0)).until_format(34),
    field("show3dgrid", Bool(true)).until_format(34),
];

const EDITOR: &[Field] =
    &[field("isprefab", Bool(false)), field("editorbuild", Int(0)), field("editorversion", Int(400))];

const ROOT: &[Field] = &[
    field("itemFile", Text("")).from(28),
    field("defaultcamera", Child("CStoredCamera", "")),
    field("3dcameras", Child("CStoredCameras", "")),
    field("world", Child("CMapWorld", "")),
    field("visbility", Child("CVisibilityMgr", "")),
    field("mapVariables", Child("CMapVariableSet", "")),
    field("rootSelectionSet", Child("CMapSelectionSet", "")),
    field("m_ReferencedMeshSnapshots", Elements),
    field("m_bIsCordoning", Bool(false)),
    field("m_bCordonsVisible", Bool(false)),
    field("nodeInstanceData", Elements).from(28),
    field("mapversion", Int(2)).optional(),
    field("snaptogrid", Bool(true)).optional(),
];

const CAMERA: &[Field] = &[field("position", Vector3([0.0, -1000.0, 1000.0])), field("lookat", Vector3([0.0; 3]))];

const CAMERAS: &[Field] = &[field("activecamera", Int(-1)), field("cameras", Elements)];

const VARIABLES: &[Field] = &[
    field("variableNames", Texts),
    field("variableValues", Texts),
    field("variableTypes", Ints).until_format(27),
    field("variableSubTypes", Ints).until_format(27),
    field("variableEditorOverrides", Texts).until_format(27),
    field("variableTypeNames", Texts).from(28),
    field("variableTypeParameters", Texts).from(28),
    field("m_ChoiceGroups", Elements),
    field("variableChoiceCounts", Ints).optional(),
    field("variableChoices", Elements).optional(),
];

const SELECTION: &[Field] = &[
    field("children", Elements),
    field("setType", Int(0)).until_format(28),
    field("selectionSetName", Text("")),
    field("selectionSetData", Null),
];

const PLUGS: &[Field] =
    &[field("names", Texts), field("dataTypes", Ints), field("plugTypes", Ints), field("descriptions", Texts)];

const CONNECTION: &[Field] = &[
    field("outputName", Text("")),
    field("targetType", Int(7)),
    field("targetName", Text("")),
    field("inputName", Text("")),
    field("overrideParam", Text("")),
    field("delay", Float(0.0)),
    field("timesToFire", Int(-1)),
];

/// Returns a class by its name.
pub(super) fn class(name: &[u8]) -> Option<Class> {
    Some(match name {
        b"CMapRootElement" => plain(&[EDITOR, GRID, ROOT]),
        b"CStoredCamera" => plain(&[CAMERA]),
        b"CStoredCameras" => plain(&[CAMERAS]),
        b"CMapVariableSet" => plain(&[VARIABLES]),
        b"CMapSelectionSet" => plain(&[SELECTION]),
        b"DmePlugList" => plain(&[PLUGS]),
        b"DmeConnectionData" => plain(&[CONNECTION]),
        b"EditGameClassProps" | b"CDmePolygonMesh" => plain(&[]),
        _ => return None,
    })
}
