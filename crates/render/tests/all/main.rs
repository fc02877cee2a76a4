//! All tests that share a process. One program is built and linked faster than several.

mod land;
mod layouts;
mod levels;
mod sheet;
mod solids;
mod support;
