// The summary from `info` as tables.

/** Maximum number of values or rows of a table. */
const MAX_VALUES = 100;

const labelFromKey = (key) => key.replace(/_/g, " ");

function formatScalar(value) {
  if (value === null) return "—";
  if (value === true) return "yes";
  if (value === false) return "no";
  // Smaller numbers can be years or versions, which have no thousands separator.
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) >= 10000
    ? value.toLocaleString("en")
    : String(value);
}

const isScalar = (value) => value === null || typeof value !== "object";
const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Returns any value as text or as an element. */
function formatValue(value) {
  if (isScalar(value)) return formatScalar(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return "none";
    if (value.every(isScalar)) return joinScalars(value);
    if (value.every(isRecord)) return recordsTable(value);
    return joinScalars(value.map((item) => (isScalar(item) ? item : JSON.stringify(item))));
  }
  return fieldsTable(Object.entries(value));
}

function joinScalars(values) {
  const more = values.length > MAX_VALUES ? `, … and ${values.length - MAX_VALUES} more` : "";
  return values.slice(0, MAX_VALUES).map(formatScalar).join(", ") + more;
}

/** Returns a table with a row for each name and value. */
function fieldsTable(pairs) {
  const rows = pairs.map(([key, value]) =>
    element("tr", {}, element("th", { scope: "row" }, labelFromKey(key)), element("td", {}, formatValue(value))),
  );
  return element("table", {}, element("tbody", {}, ...rows));
}

/** Returns a table with a row for each record and a column for each name. */
function recordsTable(records) {
  const keys = [...new Set(records.flatMap(Object.keys))];
  const numeric = new Set(
    keys.filter((key) => records.every((record) => ["number", "undefined"].includes(typeof record[key]))),
  );
  const cellClass = (key) => (numeric.has(key) ? { class: "number" } : {});
  const head = keys.map((key) => element("th", { scope: "col", ...cellClass(key) }, labelFromKey(key)));
  const cell = (record, key) => element("td", cellClass(key), key in record ? formatValue(record[key]) : "");
  const rows = records.slice(0, MAX_VALUES).map((record) => element("tr", {}, ...keys.map((key) => cell(record, key))));
  if (records.length > MAX_VALUES) {
    const text = `… and ${records.length - MAX_VALUES} more`;
    rows.push(element("tr", {}, element("td", { colspan: keys.length, class: "muted" }, text)));
  }
  const table = element(
    "table",
    { class: "wide" },
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows),
  );
  return element("div", { class: "scroll" }, table);
}

function showInfo() {
  const { info, losses } = DATA;
  const addSection = (title, content) => $("info").append(element("h2", {}, title), content);
  // Records get a heading each. All other values are in the first table.
  const simple = [
    ["file", DATA.file],
    ["bytes", DATA.bytes],
  ];
  const records = [];
  for (const [key, value] of Object.entries(info)) {
    if (key === "findings") records.push(["check", value]);
    else if (isRecord(value)) records.push([labelFromKey(key), value]);
    else simple.push([key, value]);
  }
  addSection("File", fieldsTable(simple));
  for (const [title, record] of records) {
    const pairs = Object.entries(record);
    const needsSection = ([, value]) =>
      isRecord(value) || (Array.isArray(value) && value.length > 0 && value.every(isRecord));
    const rows = pairs.filter((pair) => !needsSection(pair));
    if (rows.length > 0) addSection(title, fieldsTable(rows));
    for (const [key, value] of pairs.filter(needsSection))
      addSection(`${title}: ${labelFromKey(key)}`, formatValue(value));
  }
  if (losses.length > 0) {
    const items = losses.map((loss) => element("li", {}, loss));
    addSection("Differences from the file", element("ul", { class: "losses" }, ...items));
  }
}
