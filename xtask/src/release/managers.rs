//! The manifests of package managers: Homebrew, Scoop and winget.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Release, Target, checksums, failed};
use crate::run::Outcome;

/// An archive of the release.
struct Download {
    target: Target,
    name: String,
    sum: String,
}

impl Download {
    fn new(release: &Release, target: &str, sums: &str) -> Result<Self, String> {
        let target = Target::parse(target)?;
        let name = release.archive_name(&target);
        let sum = checksums::find(sums, &name)?.to_owned();
        Ok(Self { target, name, sum })
    }
}

/// `cargo xtask manifests`: writes the manifests into the folder `manifests` of a folder with `SHA256SUMS`.
pub(crate) fn manifests(args: &[String]) -> Outcome {
    let [folder] = args else { return Err("usage: cargo xtask manifests DIR".to_owned()) };
    let folder = Path::new(folder);
    let sums = folder.join(checksums::NAME);
    let sums = fs::read_to_string(&sums).map_err(|error| failed(&sums, &error))?;
    let out = folder.join("manifests");
    fs::create_dir_all(&out).map_err(|error| failed(&out, &error))?;
    for (name, text) in all(&Release::new()?, &sums)? {
        let path = out.join(name);
        fs::write(&path, text).map_err(|error| failed(&path, &error))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// Returns the names and the texts of all manifests.
fn all(release: &Release, sums: &str) -> Result<Vec<(String, String)>, String> {
    let program = &release.program;
    let mut manifests =
        vec![(format!("{program}.rb"), homebrew(release, sums)?), (format!("{program}.json"), scoop(release, sums)?)];
    manifests.extend(winget(release, sums)?);
    Ok(manifests)
}

/// Returns the formula for Homebrew.
fn homebrew(release: &Release, sums: &str) -> Result<String, String> {
    let Release { program, version, repository, .. } = release;
    let source = |target: &str| {
        let Download { name, sum, .. } = Download::new(release, target, sums)?;
        Ok::<_, String>(format!("      url \"{}\"\n      sha256 \"{sum}\"\n", address(release, &name)))
    };
    let system = |name: &str, arm: &str, intel: &str| {
        let (arm, intel) = (source(arm)?, source(intel)?);
        let on_arm = format!("    on_arm do\n{arm}    end\n");
        let on_intel = format!("    on_intel do\n{intel}    end\n");
        Ok::<_, String>(format!("  on_{name} do\n{on_arm}\n{on_intel}  end\n"))
    };
    let macos = system("macos", "aarch64-apple-darwin", "x86_64-apple-darwin")?;
    let linux = system("linux", "aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu")?;
    let class = capitalize(program);
    let summary = capitalize(release.summary());
    let licenses: Vec<String> = licenses(release).map(|license| format!("\"{license}\"")).collect();
    let licenses = licenses.join(", ");
    Ok(format!(
        r##"class {class} < Formula
  desc "{summary}"
  homepage "{repository}"
  version "{version}"
  license any_of: [{licenses}]

{macos}
{linux}
  def install
    bin.install "{program}"
    man1.install Dir["man/*.1"]
    bash_completion.install "complete/{program}.bash" => "{program}"
    fish_completion.install "complete/{program}.fish"
    zsh_completion.install "complete/_{program}"
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/{program} --version")
  end
end
"##
    ))
}

/// The targets for Windows, with the names of their architectures in Scoop and winget.
const WINDOWS: [(&str, &str, &str); 2] =
    [("x86_64-pc-windows-msvc", "64bit", "x64"), ("aarch64-pc-windows-msvc", "arm64", "arm64")];

/// Returns the manifest for Scoop. It also contains how Scoop finds the next version.
fn scoop(release: &Release, sums: &str) -> Result<String, String> {
    let Release { program, version, repository, .. } = release;
    let mut architectures = Value::default();
    let mut next = Value::default();
    for (target, architecture, _) in WINDOWS {
        let Download { target, name, sum } = Download::new(release, target, sums)?;
        let (url, folder) = (address(release, &name), release.stem(&target));
        let later = |text: &str| text.replace(version, "$version");
        next[architecture] = json!({ "url": later(&url), "extract_dir": later(&folder) });
        architectures[architecture] = json!({ "url": url, "hash": sum, "extract_dir": folder });
    }
    let manifest = json!({
        "version": version,
        "description": capitalize(release.summary()),
        "homepage": repository,
        "license": licenses(release).collect::<Vec<_>>().join("|"),
        "architecture": architectures,
        "bin": format!("{program}.exe"),
        "checkver": "github",
        "autoupdate": { "architecture": next, "hash": { "url": format!("$baseurl/{}", checksums::NAME) } },
    });
    Ok(format!("{manifest:#}\n"))
}

/// The version of the schemas of winget.
const WINGET: &str = "1.9.0";

/// Returns the three manifests for winget.
fn winget(release: &Release, sums: &str) -> Result<Vec<(String, String)>, String> {
    let Release { program, version, repository, authors, license, .. } = release;
    let name = capitalize(program);
    let id = format!("{name}.{name}");
    let manifest = |kind: &str, fields: &str| {
        format!(
            "PackageIdentifier: {id}\nPackageVersion: {}\n{fields}ManifestType: {kind}\nManifestVersion: {WINGET}\n",
            quote(version)
        )
    };
    let mut installers = "InstallerType: zip\nNestedInstallerType: portable\nInstallers:\n".to_owned();
    for (target, _, architecture) in WINDOWS {
        let Download { target, name, sum } = Download::new(release, target, sums)?;
        let path = format!("{}\\{}", release.stem(&target), target.file_name(program));
        installers += &format!(
            "- Architecture: {architecture}\n  InstallerUrl: {}\n  InstallerSha256: {}\n  NestedInstallerFiles:\n  \
             - RelativeFilePath: {}\n    PortableCommandAlias: {program}\n",
            quote(&address(release, &name)),
            sum.to_uppercase(),
            quote(&path)
        );
    }
    let locale = format!(
        "PackageLocale: en-US\nPublisher: {}\nPackageName: {program}\nPackageUrl: {}\nLicense: {}\nShortDescription: {}\n",
        quote(authors),
        quote(repository),
        quote(license),
        quote(&capitalize(release.summary()))
    );
    Ok(vec![
        (format!("{id}.yaml"), manifest("version", "DefaultLocale: en-US\n")),
        (format!("{id}.installer.yaml"), manifest("installer", &installers)),
        (format!("{id}.locale.en-US.yaml"), manifest("defaultLocale", &locale)),
    ])
}

/// Returns the address of a file of the release.
fn address(release: &Release, name: &str) -> String {
    format!("{}/releases/download/v{}/{name}", release.repository, release.version)
}

/// Returns the licences that a user chooses from.
fn licenses(release: &Release) -> impl Iterator<Item = &str> {
    release.license.split(" OR ")
}

fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns a text for YAML, which reads texts of JSON.
fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::targets::TARGETS;

    fn release() -> Release {
        Release {
            program: "tool".to_owned(),
            version: "1.2.3".to_owned(),
            description: "The tool command: read and write files".to_owned(),
            license: "MIT OR Apache-2.0".to_owned(),
            repository: "https://example.org/tool".to_owned(),
            authors: "The authors".to_owned(),
        }
    }

    /// Returns a checksum that belongs to one target.
    fn sum(target: &str) -> String {
        let index = TARGETS.iter().position(|known| known.starts_with(target)).unwrap();
        format!("{index:064x}").replace('0', "a")
    }

    fn sums() -> String {
        let line = |target: &&str| {
            let target = Target::parse(target).unwrap();
            format!("{}  {}\n", sum(&target.triple), release().archive_name(&target))
        };
        TARGETS.iter().map(line).collect()
    }

    #[test]
    fn formulas_name_the_archive_of_each_system() {
        let formula = homebrew(&release(), &sums()).unwrap();
        for target in
            ["aarch64-apple-darwin", "x86_64-apple-darwin", "aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"]
        {
            let url = format!("url \"https://example.org/tool/releases/download/v1.2.3/tool-1.2.3-{target}.tar.gz\"");
            assert!(formula.contains(&format!("{url}\n      sha256 \"{}\"\n", sum(target))), "{formula}");
        }
        assert!(formula.starts_with("class Tool < Formula\n  desc \"Read and write files\"\n"));
        assert!(formula.contains("license any_of: [\"MIT\", \"Apache-2.0\"]"));
        assert!(formula.contains("shell_output(\"#{bin}/tool --version\")"));
        let opened = formula.lines().filter(|line| line.starts_with("class") || line.ends_with(" do")).count();
        let ends = formula.lines().filter(|line| line.trim() == "end").count();
        // The method `install` has an end, too.
        assert_eq!(ends, opened + 1);
    }

    #[test]
    fn scoop_finds_this_version_and_the_next() {
        let manifest: Value = serde_json::from_str(&scoop(&release(), &sums()).unwrap()).unwrap();
        let folder = "https://example.org/tool/releases/download/v";
        let now = &manifest["architecture"]["64bit"];
        assert_eq!(now["url"], format!("{folder}1.2.3/tool-1.2.3-x86_64-pc-windows-msvc.zip"));
        assert_eq!(now["hash"], sum("x86_64-pc-windows-msvc"));
        assert_eq!(now["extract_dir"], "tool-1.2.3-x86_64-pc-windows-msvc");
        let next = &manifest["autoupdate"]["architecture"]["arm64"];
        assert_eq!(next["url"], format!("{folder}$version/tool-$version-aarch64-pc-windows-msvc.zip"));
        assert_eq!(manifest["license"], "MIT|Apache-2.0");
    }

    #[test]
    fn winget_gets_three_manifests() {
        let manifests = winget(&release(), &sums()).unwrap();
        let names: Vec<&str> = manifests.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Tool.Tool.yaml", "Tool.Tool.installer.yaml", "Tool.Tool.locale.en-US.yaml"]);
        let wanted = format!(
            "- Architecture: x64\n  InstallerUrl: \"https://example.org/tool/releases/download/v1.2.3/\
             tool-1.2.3-x86_64-pc-windows-msvc.zip\"\n  InstallerSha256: {}\n  NestedInstallerFiles:\n  \
             - RelativeFilePath: \"tool-1.2.3-x86_64-pc-windows-msvc\\\\tool.exe\"\n    PortableCommandAlias: tool\n",
            sum("x86_64-pc-windows-msvc").to_uppercase()
        );
        assert!(manifests[1].1.contains(&wanted), "{}", manifests[1].1);
        for (name, text) in &manifests {
            assert!(text.starts_with("PackageIdentifier: Tool.Tool\nPackageVersion: \"1.2.3\"\n"), "{name}");
        }
    }

    #[test]
    fn every_archive_needs_its_checksum() {
        let without = |part: &str| sums().lines().filter(|line| !line.contains(part)).collect::<Vec<_>>().join("\n");
        assert!(homebrew(&release(), &without("apple")).unwrap_err().contains("apple"));
        assert!(scoop(&release(), &without("windows")).unwrap_err().contains("windows"));
        assert!(winget(&release(), &without("aarch64")).unwrap_err().contains("aarch64-pc-windows-msvc"));
    }
}
