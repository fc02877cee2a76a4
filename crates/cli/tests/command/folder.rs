//! Runs the built command in folders of its own.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A cube with texture coordinates and a material.
pub(crate) const CUBE_OBJ: &str = "\
mtllib cube.mtl
o Cube
v -1 -1 1
v 1 -1 1
v 1 1 1
v -1 1 1
v -1 -1 -1
v 1 -1 -1
v 1 1 -1
v -1 1 -1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl red
f 1/1 2/2 3/3 4/4
f 6/1 5/2 8/3 7/4
f 5/1 1/2 4/3 8/4
f 2/1 6/2 7/3 3/4
f 4/1 3/2 7/3 8/4
f 5/1 6/2 2/3 1/4
";

const CUBE_MTL: &str = "newmtl red\nKd 1 0 0\n";

/// A map with a light that switches a relay, and a number that needs many decimals, as Hammer would write it as text.
const MAP_TXT: &str = r#"<!-- dmx encoding keyvalues2 4 format vmap 40 -->
"$prefix_element$"
{
	"id" "elementid" "00000000-0000-4000-8000-000000000001"
	"asset_preview_thumbnail" "binary" 
	"
		FFD8FF
	"
	"asset_preview_thumbnail_format" "string" "jpg"
}
"CMapRootElement"
{
	"id" "elementid" "00000000-0000-4000-8000-000000000002"
	"editorbuild" "int" "10430"
	"gridspacing" "float" "1e-20"
	"world" "CMapWorld"
	{
		"id" "elementid" "00000000-0000-4000-8000-000000000003"
		"nodeID" "int" "1"
		"referenceID" "uint64" "0x0"
		"children" "element_array" 
		[
			"CMapEntity"
			{
				"id" "elementid" "00000000-0000-4000-8000-000000000004"
				"origin" "vector3" "1 2 3"
				"nodeID" "int" "2"
				"referenceID" "uint64" "0xffffffffffffffff"
				"children" "element_array" 
				[
				]
				"connectionsData" "element_array" 
				[
					"DmeConnectionData"
					{
						"id" "elementid" "00000000-0000-4000-8000-000000000005"
						"outputName" "string" "OnPass"
						"targetName" "string" "relay"
						"inputName" "string" "Trigger"
					}
				]
				"entity_properties" "EditGameClassProps"
				{
					"id" "elementid" "00000000-0000-4000-8000-000000000006"
					"classname" "string" "light_omni2"
					"model" "string" "models/lamp.vmdl"
				}
				
			}
		]
		"mapUsageType" "string" "standard"
	}
	
}

"#;

/// A folder that is removed with its test.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
}

/// The result of the command.
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) talk: String,
    pub(crate) bytes: Vec<u8>,
}

impl Folder {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with `cube.obj`, `cube.mtl` and `cube.wings`, made of them.
    pub(crate) fn with_cube() -> Self {
        let folder = Self::new();
        folder.write("cube.obj", CUBE_OBJ);
        folder.write("cube.mtl", CUBE_MTL);
        let done = folder.run(["convert", "cube.obj", "-o", "cube.wings"]);
        assert_eq!(done.code, Some(0), "{done:?}");
        folder
    }

    /// A folder with `map.txt` and `map.vmap`, made of it.
    pub(crate) fn with_map() -> Self {
        let folder = Self::new();
        folder.write("map.txt", MAP_TXT);
        let done = folder.run(["convert", "map.txt", "map.vmap"]);
        assert_eq!(done.code, Some(0), "{done:?}");
        folder
    }

    pub(crate) fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        fs::write(self.at(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.at(name)).unwrap()
    }

    /// Holds two files against each other.
    #[track_caller]
    pub(crate) fn same(&self, one: &str, other: &str) {
        let [one, other] = [one, other].map(|name| String::from_utf8_lossy(&self.read(name)).into_owned());
        assert_eq!(one, other);
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The command, to be run in the folder.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mapwright"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Done {
        self.command(args).output().unwrap().into()
    }

    /// Runs a script of the shell, in which `$MAPWRIGHT` is the command.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str) -> Done {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).env("MAPWRIGHT", env!("CARGO_BIN_EXE_mapwright")).current_dir(self.folder.path());
        shell.stdin(Stdio::null()).output().unwrap().into()
    }

    /// Runs the command with bytes on its standard input.
    pub(crate) fn pipe<S: AsRef<OsStr>>(&self, input: &[u8], args: impl IntoIterator<Item = S>) -> Done {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // The command may have seen enough before all is written.
        let _ = stdin.write_all(input);
        drop(stdin);
        child.wait_with_output().unwrap().into()
    }
}

impl fmt::Debug for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "code {:?}\n--- out\n{}\n--- talk\n{}", self.code, self.out, self.talk)
    }
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            talk: String::from_utf8_lossy(&output.stderr).into_owned(),
            bytes: output.stdout,
        }
    }
}

impl Done {
    /// The objects on standard output, one in each line.
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
            .collect()
    }

    /// The one object on standard output.
    pub(crate) fn object(&self) -> serde_json::Value {
        let mut all = self.json();
        assert_eq!(all.len(), 1, "{self:?}");
        all.remove(0)
    }

    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }
}

/// Runs a command that fails with a status and a message of several parts, and writes nothing.
#[track_caller]
pub(crate) fn fails(folder: &Folder, args: &[&str], code: i32, parts: &[&str]) -> Done {
    let before = folder.names();
    let done = folder.run(args).ends(code);
    for part in parts {
        assert!(done.talk.contains(part), "{args:?}: {part}: {done:?}");
    }
    assert_eq!(folder.names(), before);
    done
}
