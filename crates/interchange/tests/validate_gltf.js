// Runs Khronos' glTF validator over files: `node validate_gltf.js FOLDER FILE...`, where FOLDER holds
// `node_modules/gltf-validator`. Prints one line of JSON per file: its name, counts by severity, and the messages.
const fs = require('fs');
const path = require('path');
const [folder, ...files] = process.argv.slice(2);
const validator = require(path.resolve(folder, 'node_modules/gltf-validator'));
const beside = (file) => (uri) => fs.promises.readFile(path.resolve(path.dirname(file), decodeURIComponent(uri)));
(async () => {
  for (const file of files) {
    const line = { file };
    try {
      const options = { uri: file, maxIssues: 0, externalResourceFunction: beside(file) };
      const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), options);
      Object.assign(line, { errors: issues.numErrors, warnings: issues.numWarnings, infos: issues.numInfos, hints: issues.numHints });
      line.messages = issues.messages.map((m) => `${m.code} ${m.pointer ?? m.offset ?? ''}: ${m.message}`);
    } catch (error) {
      Object.assign(line, { errors: 1, warnings: 0, infos: 0, hints: 0, messages: [String(error)] });
    }
    console.log(JSON.stringify(line));
  }
})();
