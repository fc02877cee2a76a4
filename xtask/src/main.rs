//! `cargo xtask`: the project's own commands. One table lists them; each command is a module.

mod blender;
mod ci;
mod conformance;
mod deny;
mod environment;
mod package;
mod python;
mod release;
mod run;
mod site;
mod test;
mod tidy;
mod wasm;
mod workflows;
mod workspace;

use std::env;
use std::process::ExitCode;

use run::Outcome;

/// One command.
struct Task {
    name: &'static str,
    /// The arguments, for the help.
    args: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Outcome,
}

const TASKS: &[Task] = &[
    Task {
        name: "ci",
        args: "[--install]",
        help: "run all checks; --install fetches the programs of all steps",
        run: ci::ci,
    },
    Task {
        name: "test",
        args: "[PACKAGE]...",
        help: "test each package alone, with every set of features",
        run: test::test,
    },
    Task {
        name: "tidy",
        args: "",
        help: "check the rules of the project: dependencies, files, manifests, fixtures",
        run: tidy::tidy,
    },
    Task {
        name: "deny",
        args: "[--install] [--advisories]",
        help: "check licences, versions and sources of dependencies; --install fetches cargo-deny",
        run: deny::deny,
    },
    Task {
        name: "fixtures",
        args: "[--check]",
        help: "generate fixtures/; with --check, only compare it",
        run: run::workbench_fixtures,
    },
    Task {
        name: "corpus",
        args: "[--honest [--to FORMAT]] DIR...",
        help: "check every file below folders: round trip, dump and build, scene, glb; --honest: conversions report all losses",
        run: conformance::corpus,
    },
    Task {
        name: "fuzz",
        args: "[FORMAT]... [--time 60s]",
        help: "fuzz, coverage-guided where possible (fuzz --help has all options)",
        run: run::fuzz,
    },
    Task {
        name: "bench",
        args: "[SECTION]... | --check | --renew",
        help: "measure, and print tables for the READMEs; --check compares instruction counts (needs valgrind), --renew writes them",
        run: run::workbench_bench,
    },
    Task {
        name: "package",
        args: "",
        help: "package every published crate and check the packages",
        run: package::package,
    },
    Task {
        name: "python",
        args: "[--release] [--portable]",
        help: "build, install and test the Python package; fetches the tools that it needs; --portable builds for glibc 2.17",
        run: python::python,
    },
    Task {
        name: "blender",
        args: "[--install] [--release]",
        help: "build the extension for Blender, and test it in Blender; --install fetches Blender as the PyPI package bpy",
        run: blender::blender,
    },
    Task {
        name: "conformance",
        args: "[JUDGE]... [--install]",
        help: "check our files with Wings 3D, the glTF validator of Khronos, srctools, Chromium …; --install fetches them",
        run: conformance::conformance,
    },
    Task {
        name: "wasm",
        args: "[--install]",
        help: "build the npm package and the web page, and test both; --install fetches wasm-bindgen and a browser",
        run: wasm::wasm,
    },
    Task {
        name: "site",
        args: "[--install]",
        help: "build the site in the target folder, and search it for dead links; --install fetches mdBook and lychee",
        run: site::site,
    },
    Task {
        name: "archive",
        args: "[--target T] [--binary FILE] [--profile P] [--out DIR] | --check",
        help: "make the archive of a release; T may end with a version of glibc: x86_64-unknown-linux-gnu.2.17; --check makes all twice",
        run: release::archive,
    },
    Task {
        name: "deb",
        args: "[--target T] [--binary FILE] [--profile P] [--out DIR]",
        help: "make the Debian package of a release",
        run: release::deb,
    },
    Task {
        name: "manifests",
        args: "DIR",
        help: "write the manifests for Homebrew, Scoop and winget from DIR/SHA256SUMS into DIR/manifests",
        run: release::manifests,
    },
    Task {
        name: "workflows",
        args: "[--install]",
        help: "check the workflows of GitHub with actionlint and zizmor; --install fetches both",
        run: workflows::workflows,
    },
    Task {
        name: "versions",
        args: "[TAG]",
        help: "check that all packages have one version; with a tag, that it names this version, as the changelogs do",
        run: release::versions,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let Some((name, rest)) = args.split_first() else {
        print!("{}", help());
        return ExitCode::from(2);
    };
    if name == "help" || is_help(name) {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprint!("error: unknown command {name}\n\n{}", help());
        return ExitCode::from(2);
    };
    // The fuzzer has its own help.
    if task.name != "fuzz" && rest.iter().any(|arg| is_help(arg)) {
        println!("usage: cargo xtask {}\n\n  {}", task.usage(), task.help);
        return ExitCode::SUCCESS;
    }
    match (task.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

impl Task {
    fn usage(&self) -> String {
        format!("{} {}", self.name, self.args).trim_end().to_owned()
    }
}

fn is_help(arg: &str) -> bool {
    matches!(arg, "-h" | "--help")
}

fn help() -> String {
    let mut text = "usage: cargo xtask COMMAND [ARGUMENTS]\n\n".to_owned();
    for task in TASKS {
        text += &format!("  {:<38} {}\n", task.usage(), task.help);
    }
    text
}
