//! All tests that share a process: one program is built and linked faster than one for each.

mod corpus;
mod edit_kv1;
mod edit_kv3;
mod kv1;
mod kv3;
mod materials;
mod models;
mod properties;
mod support;
mod witness;
