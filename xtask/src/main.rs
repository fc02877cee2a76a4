//! `cargo xtask`: the project's own commands. One table says what there is; each command is a module.

mod ci;
mod conformance;
mod package;
mod run;
mod test;
mod tidy;
mod workspace;

use std::env;
use std::process::ExitCode;

use run::Outcome;

/// One command.
struct Task {
    name: &'static str,
    /// What may follow the name.
    args: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Outcome,
}

const TASKS: &[Task] = &[
    Task {
        name: "ci",
        args: "",
        help: "everything that has to pass: format, lints, rules, docs, corpus, tests",
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
        help: "check the rules of the house: arrows, files, manifests, fixtures",
        run: tidy::tidy,
    },
    Task {
        name: "fixtures",
        args: "[--check]",
        help: "make fixtures/ anew, or see whether it is what would be made",
        run: run::workbench_fixtures,
    },
    Task {
        name: "corpus",
        args: "DIR...",
        help: "read and write every file below folders and compare the bytes",
        run: run::workbench_corpus,
    },
    Task {
        name: "fuzz",
        args: "[FORMAT] [--time 60s]",
        help: "fuzz, coverage-guided where possible (fuzz --help says more)",
        run: run::fuzz,
    },
    Task {
        name: "bench",
        args: "[NAME]...",
        help: "measure, and print tables for the READMEs",
        run: run::workbench_bench,
    },
    Task {
        name: "package",
        args: "",
        help: "package every crate that is published and look into the packages",
        run: package::package,
    },
    Task {
        name: "conformance",
        args: "[NAME]...",
        help: "ask other programs: wings (the real Wings 3D), gltf (Khronos' validator)",
        run: conformance::conformance,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let Some((name, rest)) = args.split_first() else {
        print!("{}", help());
        return ExitCode::from(2);
    };
    if matches!(name.as_str(), "help" | "-h" | "--help") {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprint!("error: there is no command {name}\n\n{}", help());
        return ExitCode::from(2);
    };
    match (task.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let mut text = "usage: cargo xtask COMMAND [ARGUMENTS]\n\n".to_owned();
    for Task { name, args, help, .. } in TASKS {
        text += &format!("  {:<30} {help}\n", format!("{name} {args}"));
    }
    text
}
