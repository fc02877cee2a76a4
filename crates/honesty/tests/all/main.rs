//! All tests share a process.

mod conversions;
mod rich_scenes;
