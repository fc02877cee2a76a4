//! Builds the command for a target.
//!
//! Programs for Linux are linked with zig, which has the symbols of every version of glibc and all of musl. So they run on systems that
//! are older than the one that builds them.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use super::Target;
use crate::environment::Environment;
use crate::run::{cargo, show};
use crate::workspace::{program_package, target};

/// zig and its driver for cargo, as packages of Python.
const TOOLS: [&str; 2] = ["cargo-zigbuild==0.24.1", "ziglang==0.17.1"];

/// Builds the command and returns its path.
pub(super) fn build(wanted: &Target, profile: &str) -> Result<PathBuf, String> {
    let (program, package) = program_package()?;
    let uses_zig = wanted.glibc.is_some() || wanted.is_musl();
    let mut build = if uses_zig { Zig::fetch()?.cargo_zigbuild()? } else { cargo(&["build"]) };
    let name = package["name"].as_str().unwrap_or_default();
    let triple = match &wanted.glibc {
        Some(glibc) => format!("{}.{glibc}", wanted.triple),
        None => wanted.triple.clone(),
    };
    build.args(["--locked", "--package", name, "--bin", &program, "--profile", profile, "--target", &triple]);
    build.arg("--target-dir").arg(target()?);
    // Names of functions are two fifths of a program.
    build.env(format!("CARGO_PROFILE_{}_STRIP", profile.to_uppercase()), "symbols");
    if wanted.is_windows() {
        // Without it, users must install the runtime library of C.
        let variable = format!("CARGO_TARGET_{}_RUSTFLAGS", wanted.triple.to_uppercase().replace('-', "_"));
        build.env(variable, "-C target-feature=+crt-static");
    }
    show(&mut build)?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target()?.join(&wanted.triple).join(folder).join(wanted.file_name(&program)))
}

/// The environment with zig in the target folder.
pub(crate) struct Zig(Environment);

impl Zig {
    /// Installs the tools if they are missing.
    pub(crate) fn fetch() -> Result<Self, String> {
        let environment = Environment::new("zig", &TOOLS)?;
        environment.fetch();
        match environment.missing() {
            missing if missing.is_empty() => Ok(Self(environment)),
            missing => Err(format!("{} cannot be installed", missing.join(", "))),
        }
    }

    /// Returns the driver, which finds zig through the first Python on the path.
    fn cargo_zigbuild(&self) -> Result<Command, String> {
        // It starts the cargo of this variable.
        let cargo = cargo::<&str>(&[]).get_program().to_owned();
        let mut build = Command::new(self.0.program("cargo-zigbuild"));
        build.arg("zigbuild").env("CARGO", cargo).env("PATH", self.path()?).current_dir(crate::workspace::root());
        Ok(build)
    }

    /// Returns the path on which the programs of the environment come first.
    pub(crate) fn path(&self) -> Result<OsString, String> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.0.programs()).chain(env::split_paths(&path));
        env::join_paths(folders).map_err(|error| format!("invalid PATH: {error}"))
    }
}
