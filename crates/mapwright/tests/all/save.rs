//! Saving keeps the old file until the new one is whole.
#![cfg(feature = "fs")]

use std::fs;
use std::path::{Path, PathBuf};

use mapwright::{Error, SaveOptions, save, save_set, save_with};

const OVERWRITE: fn() -> SaveOptions = || SaveOptions::default().with_overwrite(true);

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn saving_leaves_no_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bin");
    save(&path, b"new", SaveOptions::default()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["a.bin"]);
}

#[test]
fn existing_files_are_replaced_only_with_overwrite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bin");
    fs::write(&path, b"old").unwrap();
    assert!(matches!(save(&path, b"new", SaveOptions::default()), Err(Error::Exists(_))));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    save(&path, b"new", OVERWRITE()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["a.bin"]);
}

#[test]
fn streamed_output_is_saved_completely_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bin");
    let many = |out: &mut dyn std::io::Write| -> Result<u8, Error> {
        for part in 0..100_u8 {
            out.write_all(&[part; 3000])?;
        }
        Ok(7)
    };
    assert_eq!(save_with(&path, SaveOptions::default(), many).unwrap(), 7);
    assert_eq!(fs::read(&path).unwrap().len(), 300_000);
    assert!(matches!(save_with(&path, SaveOptions::default(), many), Err(Error::Exists(_))));
    let fails = save_with(&path, OVERWRITE(), |out| many(out).and(Err::<(), _>(Error::UnknownFormat)));
    assert!(matches!(fails, Err(Error::UnknownFormat)));
    assert_eq!((fs::read(&path).unwrap().len(), names(folder.path())), (300_000, vec!["a.bin".to_owned()]));
    let nowhere = folder.path().join("nowhere/a.bin");
    assert!(matches!(save_with(&nowhere, OVERWRITE(), many), Err(Error::Save { path, .. }) if path == nowhere));
}

#[test]
fn folders_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(save(folder.path(), b"new", OVERWRITE()), Err(Error::Save { .. })));
    let nowhere = folder.path().join("nowhere/a.bin");
    let error = save(&nowhere, b"new", OVERWRITE()).unwrap_err();
    let reason = fs::read_dir(nowhere.parent().unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{} cannot be written: {reason}", nowhere.display()),
        "no other file is named"
    );
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_set_fails_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("main"), b"old").unwrap();
    let (side, main): (PathBuf, PathBuf) = (at("side"), at("main"));
    let set: [(&Path, &[u8]); 2] = [(&side, b"side"), (&main, b"main")];
    assert!(matches!(save_set(&set, SaveOptions::default()), Err(Error::Exists(path)) if path == main));
    assert_eq!(names(folder.path()), ["main"]);
    save_set(&set, OVERWRITE()).unwrap();
    assert_eq!((fs::read(at("side")).unwrap(), fs::read(at("main")).unwrap()), (b"side".to_vec(), b"main".to_vec()));
}

#[test]
fn a_set_with_a_duplicate_path_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.mtl"), b"old").unwrap();
    for second in [at("a.mtl"), at("A.MTL"), at("./a.mtl")] {
        let (first, second): (&Path, &Path) = (&at("a.mtl"), &second);
        let set: [(&Path, &[u8]); 2] = [(first, b"one"), (second, b"two")];
        assert!(matches!(save_set(&set, OVERWRITE()), Err(Error::SameFile(path)) if path == second));
    }
    assert_eq!((names(folder.path()), fs::read(at("a.mtl")).unwrap()), (vec!["a.mtl".to_owned()], b"old".to_vec()));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn only_the_link_of_the_main_file_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("job")).unwrap();
        for (target, link) in [("../victim", "job/side"), ("../nowhere", "job/dangling"), ("../main", "job/main")] {
            symlink(target, at(link)).unwrap();
        }
        for name in ["victim", "main"] {
            fs::write(at(name), b"old").unwrap();
        }
        let paths = ["job/side", "job/dangling", "job/main"].map(at);
        let set = paths.each_ref().map(|path| (path.as_path(), &b"new"[..]));
        for one in &set {
            let result = save_set(&[*one, (&at("job/other"), b"")], SaveOptions::default());
            assert!(matches!(result, Err(Error::Exists(path)) if path == one.0));
        }
        save_set(&set, OVERWRITE()).unwrap();
        assert_eq!([at("victim"), at("main")].map(|path| fs::read(path).unwrap()), [b"old", b"new"]);
        assert!(!at("nowhere").exists() && at("job/main").is_symlink());
        assert!(!at("job/side").is_symlink() && !at("job/dangling").is_symlink());
        assert_eq!(fs::read(at("job/side")).unwrap(), b"new");
    }

    #[test]
    fn permissions_come_from_the_old_file_or_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (usual, new, old) = (folder.path().join("usual"), folder.path().join("new"), folder.path().join("old"));
        fs::write(&usual, b"").unwrap();
        save(&new, b"new", SaveOptions::default()).unwrap();
        assert_eq!(mode(&new), mode(&usual), "as the umask has it");
        fs::write(&old, b"old").unwrap();
        fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
        save(&old, b"new", OVERWRITE()).unwrap();
        assert_eq!(mode(&old), 0o640);
    }

    #[test]
    fn links_stay_and_their_targets_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("there")).unwrap();
        fs::write(at("there/real"), b"old").unwrap();
        symlink("there/real", at("link")).unwrap();
        symlink("link", at("twice")).unwrap();
        save(&at("twice"), b"new", OVERWRITE()).unwrap();
        assert_eq!(fs::read(at("there/real")).unwrap(), b"new");
        assert!(at("link").is_symlink() && at("twice").is_symlink());
        symlink("there/later", at("dangling")).unwrap();
        assert!(matches!(save(&at("dangling"), b"new", SaveOptions::default()), Err(Error::Exists(_))));
        save(&at("dangling"), b"new", OVERWRITE()).unwrap();
        assert_eq!(fs::read(at("there/later")).unwrap(), b"new");
        symlink("round", at("round")).unwrap();
        assert!(save(&at("round"), b"new", OVERWRITE()).is_err());
    }

    #[test]
    fn read_only_folders_keep_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
        let saved = save(&path, b"new", OVERWRITE());
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        // The superuser may write everywhere.
        match saved {
            Err(error) => {
                assert!(matches!(error, Error::Save { .. }), "{error}");
                assert_eq!(fs::read(&path).unwrap(), b"old");
            }
            Ok(()) => assert_eq!(fs::read(&path).unwrap(), b"new"),
        }
        assert_eq!(names(folder.path()), ["a.bin"]);
    }

    #[test]
    fn devices_are_written_directly() {
        save(Path::new("/dev/null"), b"new", SaveOptions::default()).unwrap();
        let write = |out: &mut dyn std::io::Write| out.write_all(b"new").map_err(Error::from);
        save_with(Path::new("/dev/null"), SaveOptions::default(), write).unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }
}
