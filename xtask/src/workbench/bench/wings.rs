//! Reading the document and the model of `.wings` files, against only inflating the payload with the same backend.

use flate2::{Decompress, FlushDecompress};
use mapwright_wings::Document;

use super::samples::{Sample, samples};
use super::{memory, race, ratio, speed, timed};

pub(super) fn bench() -> Result<(), String> {
    let samples = samples()?;
    println!(
        "Megabytes of inflated payload per second; the factor is how many times as long as inflating alone it takes.\n"
    );
    println!("| file | inflate alone | document | factor | document and model | factor |\n|---|---|---|---|---|---|");
    for sample in &samples {
        row(sample);
    }
    if let Some(sample) = samples.first() {
        println!("\nPeak memory of reading {}, in multiples of the inflated payload:\n", sample.name);
        memory::table(&["wings document", "wings document and model"], &sample.file, sample.term.len())?;
    }
    Ok(())
}

fn row(Sample { name, file, term, stream }: &Sample) {
    let Some(stream) = stream else { return };
    let [alone, document, model] = race([
        &mut timed(|| {
            let mut bytes = Vec::with_capacity(term.len());
            Decompress::new(true).decompress_vec(stream, &mut bytes, FlushDecompress::Finish).map(|_| bytes)
        }),
        &mut timed(|| Document::from_bytes(file)),
        &mut timed(|| {
            let document = Document::from_bytes(file)?;
            let model = document.model()?;
            Ok::<_, mapwright_wings::ReadError>((document, model))
        }),
    ]);
    let (by_document, by_model) = (ratio(document, alone), ratio(model, alone));
    let [alone, document, model] = [alone, document, model].map(|time| speed(term.len(), time));
    println!("| {name} | {alone} | {document} | {by_document} | {model} | {by_model} |");
}
