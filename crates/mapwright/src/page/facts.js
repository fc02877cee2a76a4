// The summary of `info` as tables.

const LONG = 100;

const words = (key) => key.replace(/_/g, " ");

function scalar(value) {
  if (value === null) return "—";
  if (value === true) return "yes";
  if (value === false) return "no";
  // Years and numbers of versions have no comma.
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) >= 10000
    ? value.toLocaleString("en")
    : String(value);
}

const isScalar = (value) => value === null || typeof value !== "object";
const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Any value, as text or an element. */
function shown(value) {
  if (isScalar(value)) return scalar(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return "none";
    if (value.every(isScalar)) return listed(value);
    if (value.every(isRecord)) return columns(value);
    return listed(value.map((item) => (isScalar(item) ? item : JSON.stringify(item))));
  }
  return record(Object.entries(value));
}

function listed(values) {
  const more = values.length > LONG ? `, … and ${values.length - LONG} more` : "";
  return values.slice(0, LONG).map(scalar).join(", ") + more;
}

/** Names and values. */
function record(pairs) {
  const rows = pairs.map(([key, value]) =>
    element("tr", {}, element("th", { scope: "row" }, words(key)), element("td", {}, shown(value))),
  );
  return element("table", {}, element("tbody", {}, ...rows));
}

/** Records with the same names, as rows. */
function columns(records) {
  const keys = [...new Set(records.flatMap(Object.keys))];
  const numeric = new Set(
    keys.filter((key) => records.every((record) => ["number", "undefined"].includes(typeof record[key]))),
  );
  const style = (key) => (numeric.has(key) ? { class: "number" } : {});
  const head = keys.map((key) => element("th", { scope: "col", ...style(key) }, words(key)));
  const cell = (record, key) => element("td", style(key), key in record ? shown(record[key]) : "");
  const rows = records.slice(0, LONG).map((record) => element("tr", {}, ...keys.map((key) => cell(record, key))));
  if (records.length > LONG) {
    const text = `… and ${records.length - LONG} more`;
    rows.push(element("tr", {}, element("td", { colspan: keys.length, class: "quiet" }, text)));
  }
  const table = element(
    "table",
    { class: "wide" },
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows),
  );
  return element("div", { class: "scroll" }, table);
}

function showFacts() {
  const { info, losses } = DATA;
  const pane = $("facts");
  const section = (title, content) => pane.append(element("h2", {}, title), content);
  // Parts with parts of their own have a heading, and what is simple stands before them.
  const simple = [
    ["file", DATA.file],
    ["bytes", DATA.bytes],
  ];
  const parts = [];
  for (const [key, value] of Object.entries(info)) {
    if (key === "findings") parts.push(["check", value]);
    else if (isRecord(value)) parts.push([words(key), value]);
    else simple.push([key, value]);
  }
  section("File", record(simple));
  for (const [title, value] of parts) {
    const own = Object.entries(value);
    const isTable = ([, value]) => Array.isArray(value) && value.length > 0 && value.every(isRecord);
    const inner = ([key, value]) => isTable([key, value]) || isRecord(value);
    const flat = own.filter((pair) => !inner(pair));
    if (flat.length > 0) section(title, record(flat));
    for (const [key, value] of own.filter(inner)) section(`${title}: ${words(key)}`, shown(value));
  }
  if (losses.length > 0)
    section("Differences from the file", element("ul", { class: "losses" }, ...losses.map((loss) => element("li", {}, loss))));
}
