//! glTF 2.0: what documents mean, what is written, that both agree, and that nothing hostile does harm.
#![cfg(feature = "gltf")]

#[path = "gltf/corpus.rs"]
mod corpus;
#[path = "gltf/documents.rs"]
mod documents;
#[path = "gltf/hostile.rs"]
mod hostile;
#[path = "gltf/laws.rs"]
mod laws;
#[path = "gltf/read.rs"]
mod read;
#[path = "gltf/scenes.rs"]
mod scenes;
#[path = "gltf/terrain.rs"]
mod terrain;
#[path = "gltf/validator.rs"]
mod validator;
#[path = "gltf/write.rs"]
mod write;
