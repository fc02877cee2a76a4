// The list of objects: check boxes of classes, a filter, and the selection.

/** So many are in the list at a time. */
const MOST_LISTED = 400;

/** Called when something else is selected, or shown. */
const LISTENERS = [];
const changed = () => LISTENERS.forEach((listener) => listener());

/** Selects a thing, or nothing. */
function select(thing) {
  STATE.selected = thing;
  showSelected();
  showList();
  changed();
}

/** Called with a thing to look at. */
const FOCUS = [];

const dot = (color) => {
  const made = element("span", { class: "dot" });
  made.style.background = css(color);
  return made;
};

const titleOf = (thing) => thing.name || thing.class.name || thing.kind;

function showSelected() {
  const thing = STATE.selected;
  const pane = $("selected");
  pane.hidden = thing === null;
  if (thing === null) return;
  const title = element("h2", {}, dot(thing.class.color), titleOf(thing));
  const fields = thing.fields
    .map((field, place) => [field, String(thing.values[place])])
    .filter(([field]) => field !== "name");
  const facts = element(
    "div",
    { class: "scroll" },
    record([["kind", thing.kind], ["class", thing.class.name], ...fields]),
  );
  const look = element("button", { type: "button" }, "Zoom to");
  look.addEventListener("click", () => FOCUS.forEach((focus) => focus(thing)));
  const leave = element("button", { type: "button" }, "Deselect");
  leave.addEventListener("click", () => select(null));
  pane.replaceChildren(title, facts, element("p", { class: "row" }, look, leave));
}

function matches(thing, text) {
  if (text === "") return true;
  const has = (value) => String(value).toLowerCase().includes(text);
  return has(thing.class.name) || has(thing.kind) || thing.values.some(has);
}

function showList() {
  const text = $("filter").value.trim().toLowerCase();
  const found = THINGS.filter((thing) => isShown(thing) && matches(thing, text));
  const rows = found.slice(0, MOST_LISTED).map((thing) => {
    const kind =
      thing.name && !thing.name.startsWith(thing.class.name)
        ? element("span", { class: "class" }, thing.class.name)
        : "";
    const button = element(
      "button",
      { type: "button" },
      dot(thing.class.color),
      element("span", { class: "what" }, titleOf(thing)),
      kind,
    );
    if (thing === STATE.selected) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => select(thing));
    button.addEventListener("dblclick", () => FOCUS.forEach((focus) => focus(thing)));
    return element("li", {}, button);
  });
  const all = `${found.length.toLocaleString("en")} of ${THINGS.length.toLocaleString("en")} objects`;
  $("count").textContent = found.length > MOST_LISTED ? `${all}; the first ${MOST_LISTED} are listed` : all;
  $("list").replaceChildren(...rows);
}

function showClasses() {
  const boxes = [];
  const rows = [...CLASSES]
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
    .map((own) => {
      const box = element("input", { type: "checkbox" });
      box.checked = own.shown;
      box.addEventListener("change", () => {
        own.shown = box.checked;
        showList();
        changed();
      });
      boxes.push([box, own]);
      const name = element("span", { class: "what", title: own.name }, own.name || "(no class)");
      return element(
        "li",
        {},
        element(
          "label",
          {},
          box,
          dot(own.color),
          name,
          element("span", { class: "quiet" }, own.count.toLocaleString("en")),
        ),
      );
    });
  $("class-list").replaceChildren(...rows);
  for (const [id, value] of [
    ["all", true],
    ["none", false],
  ]) {
    $(id).addEventListener("click", () => {
      for (const [box, own] of boxes) box.checked = own.shown = value;
      showList();
      changed();
    });
  }
}

function showThings() {
  $("notes").hidden = DATA.notes.length === 0;
  $("notes").replaceChildren(...DATA.notes.map((note) => element("p", {}, note)));
  showClasses();
  $("hidden-too").hidden = !THINGS.some((thing) => thing.hidden);
  $("hidden").addEventListener("change", () => {
    STATE.hidden = $("hidden").checked;
    showList();
    changed();
  });
  $("filter").addEventListener("input", showList);
  showList();
}
