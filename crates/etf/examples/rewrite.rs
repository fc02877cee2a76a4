//! Rewrites a file as a generation of Erlang would write it: `cargo run --example etf-rewrite -- IN OUT PROFILE`.
//!
//! Profiles are otp16, otp16win3, otp16win2, otp17 and otp26. The values stay; their encodings change.

use std::error::Error;
use std::{env, fs};

use mapwright_etf::{Document, WriterProfile};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, name] = &arguments[..] else { return Err("which file, where to, as which profile?".into()) };
    let profile = WriterProfile::ALL.into_iter().find(|profile| profile.name() == name).ok_or("no such profile")?;

    let mut document = Document::from_bytes(&fs::read(input)?)?;
    let tree = document.tree().root().recode(profile)?;
    document.set_tree(tree);
    fs::write(output, document.to_bytes()?)?;
    Ok(())
}
