//! A decoder in another language reads the same content.

use std::fmt::Write as _;
use std::fs;

use mapwright_fgd::{Document, Member};
use mapwright_testkit::witness::{agree, ask, hex};
use mapwright_testkit::{corpus, files_below};

/// Prints the items of files with all that they define.
const SCRIPT: &str = "
import sys, json
sys.path.insert(0, sys.argv[1])
import fgd_dump
raw = lambda text: '-' if text is None else '=' + text.encode('utf-8').hex()
for file in sys.argv[2:]:
    print('file', file)
    content = fgd_dump.read(file)
    for name in content['includes']: print('include', raw(name))
    for name in content['excludes']: print('exclude', raw(name))
    for c in content['classes']:
        print('class', raw(c['kind']), raw(c['name']), raw(c['desc']), *map(raw, fgd_dump.bases(c)))
        for k in c['keys']:
            print('key', raw(k['name']), raw(k['type']), raw(k['label']), raw(k['default']), raw(k['help']))
            for choice in k.get('choices', []): print('choice', *map(raw, choice[:3]))
        for name, kind, text in c['inputs']: print('input', raw(name), raw(kind), raw(text))
        for name, kind, text in c['outputs']: print('output', raw(name), raw(kind), raw(text))
";

/// Formats a text like the script.
fn raw(text: Option<&str>) -> String {
    text.map_or("-".to_owned(), |text| format!("={}", hex(text.as_bytes())))
}

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_agrees_on_the_corpus() {
    let Some(folder) = corpus("fgd") else { return };
    let mut files = files_below(&folder);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "fgd"));
    let Some(theirs) = ask(SCRIPT, &files) else { return };
    let mut ours = String::new();
    let (mut classes, mut keys) = (0, 0);
    for path in &files {
        let document = Document::from_bytes(&fs::read(path).unwrap());
        let document = document.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut line = |text: String| writeln!(ours, "{text}").unwrap();
        line(format!("file {}", path.display()));
        document.includes().for_each(|name| line(format!("include {}", raw(Some(&name)))));
        document.excludes().for_each(|name| line(format!("exclude {}", raw(Some(&name)))));
        for class in document.classes() {
            classes += 1;
            let description = class.description().unwrap_or_default();
            let texts = [&*class.kind(), &*class.name(), &*description].map(|text| raw(Some(text)));
            let bases: Vec<String> = class.bases().map(|base| raw(Some(&base))).collect();
            line(format!("class {} {}", texts.join(" "), bases.join(" ")));
            for member in class.members() {
                let Member::Key(key) = member else { continue };
                keys += 1;
                let texts = [key.label(), key.default(), key.help()].map(|text| raw(text.as_deref()));
                line(format!("key {} {} {}", raw(Some(&key.name())), raw(Some(&key.value_type())), texts.join(" ")));
                for choice in key.choices() {
                    // The decoder leaves out missing texts.
                    let texts = [Some(choice.value()), choice.label(), choice.default()];
                    let texts: Vec<String> = texts.into_iter().flatten().map(|text| raw(Some(&text))).collect();
                    line(format!("choice {}", texts.join(" ")));
                }
            }
            for (word, is_input) in [("input", true), ("output", false)] {
                for member in class.members() {
                    let (Member::Input(port) | Member::Output(port)) = member else { continue };
                    if matches!(member, Member::Input(_)) == is_input {
                        let description = port.description().unwrap_or_default();
                        let texts = [&*port.name(), &*port.value_type(), &*description].map(|text| raw(Some(text)));
                        line(format!("{word} {}", texts.join(" ")));
                    }
                }
            }
        }
    }
    agree(&ours, &theirs);
    println!("{} files, {classes} classes, {keys} keys", files.len());
    assert!(files.len() >= 7 && classes >= 570 && keys >= 1500);
}
