// Asks Khronos' validator about each file; fails on any error or warning. Run by `cargo xtask conformance gltf`.
const fs = require("fs");
const validator = require("gltf-validator");

(async () => {
  let bad = 0;
  const files = process.argv.slice(2);
  for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { uri: file });
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
