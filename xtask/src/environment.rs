//! Environments of Python in the target folder, with programs and packages from PyPI.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{capture, show};
use crate::workspace::target;

/// The name of the system's Python.
pub(crate) const SYSTEM_PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// Prints the requirements that are not met. Each names a package and its exact version.
const MISSING: &str = "\
import sys
from importlib.metadata import PackageNotFoundError, version
for requirement in sys.argv[1:]:
    name, wanted = requirement.split('==')
    try:
        is_met = version(name) == wanted
    except PackageNotFoundError:
        is_met = False
    if not is_met:
        print(requirement)
";

/// An environment with packages of exact versions.
pub(crate) struct Environment {
    folder: PathBuf,
    /// Packages as `NAME==VERSION`.
    requirements: Vec<String>,
    /// The Python that creates the environment.
    system: &'static str,
}

impl Environment {
    /// Names the environment in a folder of the target folder, which need not exist.
    pub(crate) fn new(folder: &str, requirements: &[&str]) -> Result<Self, String> {
        let requirements = requirements.iter().map(|&requirement| requirement.to_owned()).collect();
        Ok(Self { folder: target()?.join(folder), requirements, system: SYSTEM_PYTHON })
    }

    /// Sets the Python that creates the environment.
    pub(crate) fn with_system(self, system: &'static str) -> Self {
        Self { system, ..self }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder of the programs.
    pub(crate) fn programs(&self) -> PathBuf {
        self.folder.join(if cfg!(windows) { "Scripts" } else { "bin" })
    }

    /// Returns the path of a program.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.programs().join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// Returns a command that starts Python.
    pub(crate) fn python(&self) -> Command {
        Command::new(self.program("python"))
    }

    /// Returns a command of pip.
    pub(crate) fn pip(&self, command: &str) -> Command {
        let mut pip = self.python();
        pip.args(["-m", "pip", command, "--quiet", "--disable-pip-version-check"]);
        pip
    }

    /// Installs what is missing. A failure is shown, and [`missing`](Self::missing) tells it later.
    pub(crate) fn fetch(&self) {
        if self.missing().is_empty() {
            return;
        }
        if !self.program("python").is_file() {
            let _ = show(Command::new(self.system).args(["-m", "venv"]).arg(&self.folder));
        }
        if self.program("python").is_file() {
            let _ = show(self.pip("install").args(&self.requirements));
        }
    }

    /// Returns the requirements that are not met.
    pub(crate) fn missing(&self) -> Vec<String> {
        if !self.program("python").is_file() {
            return self.requirements.clone();
        }
        let found = capture(self.python().args(["-c", MISSING]).args(&self.requirements));
        found.map_or_else(|_| self.requirements.clone(), |text| text.lines().map(str::to_owned).collect())
    }
}
