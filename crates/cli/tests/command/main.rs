//! Runs the built command as its users do.

mod archives;
mod art;
mod bombs;
mod commands;
mod convert;
mod cookbook;
mod definitions;
mod exit_codes;
mod folder;
mod git;
mod graphs;
mod levels;
mod limits;
mod maps;
mod merging;
mod mistakes;
mod odd_input;
mod pages;
mod prefabs;
mod queries;
mod rescue;
mod schemas;
mod silent_failures;
mod strangers;
mod terrains;
