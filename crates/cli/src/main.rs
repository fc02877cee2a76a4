//! The program `mapwright`.

/// Large meshes and images are written to new memory again and again. The allocator of the system returns it in small pages, and takes
/// longer to do so than the command to fill them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    mapwright_cli::run(wild::args_os())
}
