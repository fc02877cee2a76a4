//! Saves that are abandoned when the process ends. This is a separate test, because nothing can be saved afterwards.
#![cfg(feature = "fs")]

use std::sync::mpsc::channel;
use std::time::Duration;

use mapwright::{Error, SaveOptions, abandon_saves, save_with};

#[test]
fn abandoned_saves_leave_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map");
    let (started, half) = channel();
    let (go_on, end) = channel::<()>();
    std::thread::spawn(move || {
        save_with(&path, SaveOptions::default(), |file| {
            file.write_all(b"half of it")?;
            started.send(()).unwrap();
            let _ = end.recv();
            Ok::<(), Error>(())
        })
    });
    half.recv_timeout(Duration::from_secs(60)).unwrap();
    let count = || std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(count(), 1);
    abandon_saves();
    assert_eq!(count(), 0);
    drop(go_on);
}
