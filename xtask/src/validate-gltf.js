// Asks Khronos' validator about each file; fails on any error or warning. Run by `cargo xtask conformance gltf`.
const fs = require("fs");
const path = require("path");
const validator = require("gltf-validator");

(async () => {
  let bad = 0;
  const files = process.argv.slice(2);
  for (const file of files) {
    const beside = (uri) => fs.promises.readFile(path.resolve(path.dirname(file), decodeURIComponent(uri)));
    const options = { uri: file, externalResourceFunction: beside };
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), options);
    const { numErrors, numWarnings, messages } = report.issues;
    if (numErrors + numWarnings === 0) continue;
    bad += 1;
    console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings`);
    for (const { code, message, pointer, offset } of messages.slice(0, 5)) {
      console.log(`    ${code} at ${pointer ?? offset}: ${message}`);
    }
  }
  console.log(`glTF validator ${validator.version()}: ${files.length} files, ${bad} with errors or warnings`);
  process.exitCode = bad ? 1 : 0;
})();
