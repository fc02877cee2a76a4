//! All tests that share a process: one program is built and linked faster than one for each.

mod land;
mod pictures;
mod sheet;
mod solids;
mod support;
