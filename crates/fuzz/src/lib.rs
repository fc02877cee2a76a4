//! Fuzz bodies of all formats, their table, and the campaigns that run them.
//!
//! A body takes any bytes and panics when a law of the format is broken. The same bodies run in three ways:
//!
//! | way | command | inputs |
//! |---|---|---|
//! | smoke test | `cargo test -p mapwright-fuzz` | seeds, regressions and some thousand seeded mutants per target |
//! | coverage-guided | `cargo xtask fuzz wings --time 60s` | libFuzzer grows a corpus; needs a C++ compiler |
//! | seeded | the same where that cannot be built, or with `--seeded` | endless mutants of the seeds |
//!
//! To add a format, write a module with a `TARGETS` table and list it in [`targets`].

pub mod acknex;
mod campaign;
pub mod content;
pub mod convert;
pub mod deflate;
pub mod dmx;
pub mod dump;
pub mod etf;
pub mod fgd;
pub mod gltf;
pub mod heightmap;
pub mod io;
pub mod keyvalues;
pub mod map;
pub mod obj;
pub mod qmap;
pub mod rez;
mod scene;
mod seeds;
mod target;
pub mod tiled;
pub mod vmap;
pub mod vmf;
pub mod wapart;
pub mod wings;
pub mod wmp;
pub mod wrp;
pub mod wwd;

pub use campaign::{Campaign, Failure};
pub use seeds::{corpus_seeds, regressions, seeds};
pub use target::{Target, refusal};

/// Every target of every format.
pub fn targets() -> impl Iterator<Item = &'static Target> {
    let formats = [
        io::TARGETS,
        deflate::TARGETS,
        etf::TARGETS,
        wings::TARGETS,
        wwd::TARGETS,
        wapart::TARGETS,
        dump::TARGETS,
        content::TARGETS,
        wmp::TARGETS,
        wrp::TARGETS,
        dmx::TARGETS,
        keyvalues::TARGETS,
        fgd::TARGETS,
        vmap::TARGETS,
        vmf::TARGETS,
        obj::TARGETS,
        map::TARGETS,
        qmap::TARGETS,
        gltf::TARGETS,
        tiled::TARGETS,
        heightmap::TARGETS,
        rez::TARGETS,
        acknex::TARGETS,
        convert::TARGETS,
    ];
    formats.into_iter().flatten()
}
