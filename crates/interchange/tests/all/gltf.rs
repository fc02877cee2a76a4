//! glTF 2.0: what documents mean, what is written, that both agree, and that nothing hostile does harm.
#![cfg(feature = "gltf")]

mod corpus;
mod documents;
mod hostile;
mod laws;
mod read;
mod scenes;
mod terrain;
mod validator;
mod write;
