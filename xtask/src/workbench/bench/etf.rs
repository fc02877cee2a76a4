//! `mapwright-etf` against `eetf` and `erltf`: the same uncompressed terms, from bytes and back.

use std::time::Duration;

use mapwright_etf::{Builder, Document, WriterProfile};

use super::samples::{Sample, samples};
use super::{memory, race, ratio, speed, timed};

pub(super) fn bench() -> Result<(), String> {
    let samples = samples()?;
    println!("Megabytes of term per second; the factor compares with the faster of the two others.\n");
    println!("| decode | MB | mapwright-etf | eetf | erltf | factor |\n|---|---|---|---|---|---|");
    for sample in &samples {
        decode(sample);
    }
    println!(
        "\n| encode | MB | mapwright-etf, untouched | mapwright-etf, spelled anew | eetf | erltf |\n|---|---|---|---|---|---|"
    );
    for sample in &samples {
        encode(sample)?;
    }
    if let Some(sample) = samples.first() {
        println!("\nPeak memory of decoding {}, in multiples of the term:\n", sample.name);
        memory::table(&["etf", "eetf", "erltf"], &sample.term, sample.term.len())?;
    }
    Ok(())
}

fn decode(Sample { name, term, .. }: &Sample) {
    let [ours, eetf, erltf] = race([
        &mut timed(|| Document::from_bytes(term).is_ok()),
        &mut timed(|| eetf::Term::decode(term.as_slice())),
        &mut timed(|| erltf::decode(term)),
    ]);
    let eetf = Some(eetf).filter(|_| eetf::Term::decode(term.as_slice()).is_ok());
    let erltf = Some(erltf).filter(|_| erltf::decode(term).is_ok());
    let factor = [eetf, erltf].into_iter().flatten().min().map_or_else(|| "–".to_owned(), |best| ratio(best, ours));
    let (ours, eetf, erltf) = (speed(term.len(), ours), cell(term, eetf), cell(term, erltf));
    println!("| {name} | {} | {ours} | {eetf} | {erltf} | {factor} |", megabytes(term));
}

fn encode(Sample { name, term, .. }: &Sample) -> Result<(), String> {
    let document = Document::from_bytes(term).map_err(|error| format!("{name}: {error}"))?;
    let by_eetf = eetf::Term::decode(term.as_slice()).ok();
    let by_erltf = erltf::decode(term).ok();
    let [kept, anew, eetf, erltf] = race([
        &mut timed(|| document.to_bytes()),
        &mut timed(|| {
            let mut builder = Builder::new(WriterProfile::Otp17);
            builder.recode(document.tree().root());
            builder.finish()
        }),
        &mut timed(|| by_eetf.as_ref().map(|term| term.encode(&mut Vec::new()))),
        &mut timed(|| by_erltf.as_ref().map(erltf::encode)),
    ]);
    let (eetf, erltf) = (cell(term, by_eetf.map(|_| eetf)), cell(term, by_erltf.map(|_| erltf)));
    let (kept, anew) = (speed(term.len(), kept), speed(term.len(), anew));
    println!("| {name} | {} | {kept} | {anew} | {eetf} | {erltf} |", megabytes(term));
    Ok(())
}

/// Formats the speed, or reports that the crate rejects the term.
fn cell(term: &[u8], time: Option<Duration>) -> String {
    time.map_or_else(|| "refused".to_owned(), |time| speed(term.len(), time))
}

fn megabytes(term: &[u8]) -> String {
    let kilobytes = term.len() / 1000;
    format!("{}.{:02}", kilobytes / 1000, kilobytes % 1000 / 10)
}
