//! Classes of nodes.

use super::Fresh::{
    Angles, Bool, Child, Color, Elements, Float, Int, Ints, NodeId, Null, Quaternions, ReferenceId, Text, Texts,
    Vector3, Vectors,
};
use super::{Class, Field, field, node};

const ORIGIN: Field = field("origin", Vector3([0.0; 3]));
const ANGLES: Field = field("angles", Angles([0.0; 3]));
const SCALES: Field = field("scales", Vector3([1.0; 3]));
const NUMBER: Field = field("nodeID", NodeId);
const REFERENCE: Field = field("referenceID", ReferenceId).from(18);
const CHILDREN: Field = field("children", Elements);
const EDITOR_ONLY: Field = field("editorOnly", Bool(false));
const FORCE_HIDDEN: Field = field("force_hidden", Bool(false));
const LOCKED: Field = field("transformLocked", Bool(false)).from(29);
const TARGET_KEYS: Field = field("variableTargetKeys", Texts);
const VARIABLES: Field = field("variableNames", Texts);

pub(super) const TRANSFORM_FIRST: &[Field] =
    &[ORIGIN, ANGLES, SCALES, NUMBER, REFERENCE, CHILDREN, EDITOR_ONLY, FORCE_HIDDEN, LOCKED, TARGET_KEYS, VARIABLES];
pub(super) const NUMBER_FIRST: &[Field] = &[NUMBER, REFERENCE, CHILDREN, TARGET_KEYS, VARIABLES];
pub(super) const TRANSFORM_LAST: &[Field] = &[ORIGIN, ANGLES, SCALES, LOCKED, FORCE_HIDDEN, EDITOR_ONLY];
/// Not an attribute: the position of [`TRANSFORM_LAST`], if it is not at the end.
pub(super) const LATE: &str = "";

const PLUGS: &[Field] = &[field("relayPlugData", Child("DmePlugList", "")), field("connectionsData", Elements)];
const PROPERTIES: &[Field] = &[field("entity_properties", Child("EditGameClassProps", ""))];
const ENTITY: &[Field] = &[field("hitNormal", Vector3([0.0, 0.0, 1.0])), field("isProceduralEntity", Bool(false))];

const BONES: &[Field] = &[
    field("boneNames", Texts).optional(),
    field("bonePositions", Vectors).optional(),
    field("boneRotations", Quaternions).optional(),
];

const WORLD: &[Field] = &[
    field("nextDecalID", Int(0)),
    field("fixupEntityNames", Bool(true)),
    field("backgroundMap", Bool(false)).only_format(18),
    field("baseMapToOverride", Text("")).only_format(18),
    field("mapUsageType", Text("standard")).from(28),
    field("SerializedScene", Text("")).optional(),
];

const MESH: &[Field] = &[
    field("cubeMapName", Text("")),
    field("lightGroup", Text("")).until_format(34),
    field("visexclude", Bool(false)),
    field("excludefromimpostors", Bool(false)).until_format(28),
    field("disablemerging", Bool(false)).from(35),
    field("renderwithdynamic", Bool(false)).from(29),
    field("disableHeightDisplacement", Bool(false)).from(29),
    field("fademindist", Float(-1.0)),
    field("fademaxdist", Float(0.0)),
    field("bakelighting", Bool(true)),
    field("precomputelightprobes", Bool(true)).until_format(39),
    field("renderToCubemaps", Bool(true)),
    field("emissiveLightingEnabled", Bool(true)).from(35),
    field("emissiveLightingBoost", Float(1.0)).from(35),
    field("disableShadows", Bool(false)).until_format(34),
    field("disableShadows", Int(0)).from(35),
    field("lightingDummy", Bool(false)).from(35),
    field("keep_vertices", Bool(false)).from(40),
    field("smoothingAngle", Float(40.0)),
    field("tintColor", Color([255; 4])),
    field("renderAmt", Int(255)).except_format(30),
    field("physicsType", Text("default")),
    field("physicsGroup", Text("")).except_format(30),
    field("physicsInteractsAs", Text("")).except_format(30),
    field("physicsInteractsWith", Text("")).except_format(30),
    field("physicsInteractsExclude", Text("")).from(29).except_format(30),
    field("meshData", Child("CDmePolygonMesh", "meshData")),
    field("useAsOccluder", Bool(false)).until_format(29),
    field("physicsSimplificationOverride", Bool(false)).from(29),
    field("physicsSimplificationError", Float(0.0)),
    field("physicsTags", Text("solid")).only_format(30),
    field("bakelightoutput", Int(-1)).optional(),
];

const OVERLAY: &[Field] = &[
    field("projectionFar", Float(0.0)),
    field("projectionTargets", Ints),
    field("projectionMode", Int(0)),
    field("projectOnBackFaces", Bool(false)),
    field("renderOrder", Int(0)),
    field("disabledInLowQuality", Bool(false)),
];

const TILE_MESH: &[Field] =
    &[field("tileHeightScale", Float(1.0)), field("tileSetMapNames", Texts), field("tileMeshData", Null)];

const LATER: Field = field(LATE, Null);

const GROUP: &[Field] = &[LATER, field("deformationMode", Int(0)).from(40)];

const INSTANCE: &[Field] = &[field("target", Null), LATER, field("tintColor", Color([255; 4])).from(40)];

const DISPLAY_COLOR: [u8; 4] = [255, 102, 0, 255];

const PREFAB: &[Field] = &[
    field("target", Null),
    field("targetMapPath", Text("")).until_format(39),
    field("targetName", Text("")).until_format(39),
    field("variableOverrideNames", Texts),
    field("variableOverrideValues", Texts),
    field("loadIfNested", Bool(true)).until_format(39),
    field("loadAtRuntime", Bool(false)).until_format(39),
    field("fixupEntityNames", Bool(true)).until_format(39),
    field("displayColor", Color(DISPLAY_COLOR)).until_format(34),
    field("visexclude", Bool(false)).from(29).until_format(39),
    LATER,
    field("tintColor", Color([255; 4])).from(40),
    field("targetMapPath", Text("")).from(40),
    field("targetName", Text("")).from(40),
    field("fixupEntityNames", Bool(true)).from(40),
    field("useTargetNameAsPrefix", Bool(false)).from(40),
    field("loadIfNested", Bool(true)).from(40),
    field("visexclude", Bool(false)).from(40),
    field("prefabRuntimeEntity", Bool(false)).from(40),
    field("loadAtRuntime", Bool(false)).from(40),
];

const GAME_OBJECT: &[Field] = &[field("m_GUID", Text("")), field("m_SerializedGameObject", Text(""))];

const CABLE: &[Field] = &[
    field("interpolationType", Int(1)),
    field("materialName", Text("")),
    field("lightingOriginName", Text("")),
    field("tintColor", Color([255; 4])),
    field("numSides", Int(8)),
    field("tessellationSpacing", Float(1.0)),
    field("radius", Float(1.0)),
    field("textureOrientation", Int(0)),
    field("textureScale", Float(0.25)),
    field("textureRepeatsCircumference", Float(1.0)),
    field("textureOffsetAlongPath", Float(0.0)),
    field("textureOffsetCircumference", Float(0.0)),
    field("collisionEnabled", Bool(false)),
    field("physicsSimplificationError", Float(2.0)),
];

/// No known map has paths. The attributes come from other programs.
const PATH: &[Field] = &[field("interpolationType", Int(1)), field("closedLoop", Bool(false))];

const PATH_NODE: &[Field] = &[
    field("pathNodeName", Text("")),
    field("inTangent", Vector3([0.0; 3])),
    field("outTangent", Vector3([0.0; 3])),
    field("inTangentType", Int(1)),
    field("outTangentType", Int(1)),
    field("tintColor", Color([255; 4])),
    field("pinEnabled", Bool(true)),
    field("radiusScale", Float(1.0)),
];

const VISIBILITY: &[Field] = &[field("nodes", Elements), field("hiddenFlags", Ints)];

/// Returns a class of nodes by its name.
pub(super) fn class(name: &[u8]) -> Option<Class> {
    Some(match name {
        b"CMapWorld" => node(&[PLUGS, PROPERTIES, WORLD]),
        b"CMapEntity" => node(&[PLUGS, PROPERTIES, ENTITY, BONES]),
        b"CMapMesh" => node(&[MESH]),
        b"CMapStaticOverlay" => node(&[MESH, OVERLAY]),
        b"CMapTileMesh" => node(&[MESH, TILE_MESH]),
        b"CMapGroup" => node(&[GROUP]),
        b"CMapInstance" => node(&[PLUGS, INSTANCE]),
        b"CMapPrefab" => node(&[PLUGS, PREFAB]),
        b"CMapGameObject" => node(&[GAME_OBJECT]),
        b"CMapCordon" => node(&[]),
        b"CMapCable" => node(&[PLUGS, PROPERTIES, ENTITY, CABLE]),
        b"CMapPath" => node(&[PLUGS, PROPERTIES, ENTITY, PATH]),
        b"CMapPathNode" => node(&[PLUGS, PROPERTIES, ENTITY, PATH_NODE]),
        b"CVisibilityMgr" => node(&[VISIBILITY]),
        _ => return None,
    })
}
