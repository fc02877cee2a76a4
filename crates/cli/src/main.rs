//! The program `mapwright`.

fn main() -> std::process::ExitCode {
    mapwright_cli::run(wild::args_os())
}
