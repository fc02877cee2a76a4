// The list of objects: check boxes of classes, a filter, and the selection.

/** Maximum number of objects that the list shows at a time. */
const MAX_LISTED = 400;

/** Functions that are called when the selection or the visibility of objects changes. */
const CHANGE_LISTENERS = [];
const notifyListeners = () => CHANGE_LISTENERS.forEach((listener) => listener());

/** Functions that are called with the object to zoom to. */
const ZOOM_LISTENERS = [];
const zoomTo = (object) => ZOOM_LISTENERS.forEach((listener) => listener(object));

/** Selects an object, or nothing if it is null. */
function select(object) {
  STATE.selected = object;
  showSelected();
  updateObjects();
}

function createDot(color) {
  const dot = element("span", { class: "dot" });
  dot.style.background = cssColor(color);
  return dot;
}

const titleOf = (object) => object.name || object.class.name || object.kind;

function showSelected() {
  const object = STATE.selected;
  const panel = $("selected");
  panel.hidden = object === null;
  if (object === null) return;
  const title = element("h2", {}, createDot(object.class.color), titleOf(object));
  const fields = object.fields
    .map((field, index) => [field, String(object.values[index])])
    .filter(([field]) => field !== "name");
  const table = element(
    "div",
    { class: "scroll" },
    fieldsTable([["kind", object.kind], ["class", object.class.name], ...fields]),
  );
  const zoom = element("button", { type: "button" }, "Zoom to");
  zoom.addEventListener("click", () => zoomTo(object));
  const deselect = element("button", { type: "button" }, "Deselect");
  deselect.addEventListener("click", () => select(null));
  panel.replaceChildren(title, table, element("p", { class: "row" }, zoom, deselect));
}

function matches(object, text) {
  if (text === "") return true;
  const contains = (value) => String(value).toLowerCase().includes(text);
  return contains(object.class.name) || contains(object.kind) || object.values.some(contains);
}

function showList() {
  const text = $("filter").value.trim().toLowerCase();
  const found = OBJECTS.filter((object) => isVisible(object) && matches(object, text));
  const rows = found.slice(0, MAX_LISTED).map((object) => {
    const className =
      object.name && !object.name.startsWith(object.class.name)
        ? element("span", { class: "class" }, object.class.name)
        : "";
    const button = element(
      "button",
      { type: "button" },
      createDot(object.class.color),
      element("span", { class: "name" }, titleOf(object)),
      className,
    );
    if (object === STATE.selected) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => select(object));
    button.addEventListener("dblclick", () => zoomTo(object));
    return element("li", {}, button);
  });
  const count = `${found.length.toLocaleString("en")} of ${OBJECTS.length.toLocaleString("en")} objects`;
  $("object-count").textContent =
    found.length > MAX_LISTED ? `${count}; the first ${MAX_LISTED} are listed` : count;
  $("object-list").replaceChildren(...rows);
}

/** Shows a change of the selection or the visibility in the list and the views. */
function updateObjects() {
  showList();
  notifyListeners();
}

function showClasses() {
  const boxes = [];
  const rows = [...CLASSES]
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
    .map((objectClass) => {
      const box = element("input", { type: "checkbox" });
      box.checked = objectClass.isVisible;
      box.addEventListener("change", () => {
        objectClass.isVisible = box.checked;
        updateObjects();
      });
      boxes.push([box, objectClass]);
      const name = element("span", { class: "name", title: objectClass.name }, objectClass.name || "(no class)");
      const count = element("span", { class: "muted" }, objectClass.count.toLocaleString("en"));
      return element("li", {}, element("label", {}, box, createDot(objectClass.color), name, count));
    });
  $("class-list").replaceChildren(...rows);
  for (const [id, isChecked] of [
    ["all-classes", true],
    ["no-classes", false],
  ]) {
    $(id).addEventListener("click", () => {
      for (const [box, objectClass] of boxes) box.checked = objectClass.isVisible = isChecked;
      updateObjects();
    });
  }
}

function showObjects() {
  $("notes").hidden = DATA.notes.length === 0;
  $("notes").replaceChildren(...DATA.notes.map((note) => element("p", {}, note)));
  showClasses();
  $("show-hidden-label").hidden = !OBJECTS.some((object) => object.isHidden);
  $("show-hidden").addEventListener("change", () => {
    STATE.showHidden = $("show-hidden").checked;
    updateObjects();
  });
  $("filter").addEventListener("input", showList);
  showList();
}
