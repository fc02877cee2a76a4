//! The program `mapwright`.

/// The allocator of the system returns large blocks to the system. Half of the time of large meshes went into the page faults of new
/// blocks.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    mapwright_cli::run(wild::args_os())
}
