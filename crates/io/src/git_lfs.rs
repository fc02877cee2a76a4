//! Pointers of Git LFS, which are in the place of files that were not fetched.

/// Line of help for a file that is a Git LFS pointer.
pub const GIT_LFS_HELP: &str = "fetch the file itself: git lfs pull";

/// Returns `true` if a file is a Git LFS pointer.
pub fn is_git_lfs_pointer(file: &[u8]) -> bool {
    file.starts_with(b"version https://git-lfs")
}
