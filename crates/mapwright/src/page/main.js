// Puts the page together.

const ROOT = document.documentElement;

/** Says that something went wrong, to the reader and to tests. */
function fail(error) {
  ROOT.dataset.error = String(error?.message || error);
  ROOT.dataset.state = "failed";
  $("status").textContent = `This page could not be shown: ${ROOT.dataset.error}`;
}
addEventListener("error", (event) => fail(event.error || event.message));
addEventListener("unhandledrejection", (event) => fail(event.reason));

function showTabs() {
  const tabs = ["things", "facts"];
  const show = (wanted) =>
    tabs.forEach((tab) => {
      $(tab).hidden = tab !== wanted;
      $(`tab-${tab}`).setAttribute("aria-selected", String(tab === wanted));
    });
  for (const tab of tabs) $(`tab-${tab}`).addEventListener("click", () => show(tab));
  show("things");
}

function sizeOf(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const number = bytes / 1024 ** step;
  return `${step === 0 ? number : number.toPrecision(3)} ${units[step]}`;
}

/** A button that is on or off. */
function toggle(id, isOn, change) {
  const button = $(id);
  const show = (on) => button.setAttribute("aria-pressed", String(on));
  show(isOn);
  const flip = () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    show(on);
    change(on);
  };
  button.addEventListener("click", flip);
  return flip;
}

function start() {
  document.title = `${DATA.file} – mapwright`;
  $("file").textContent = DATA.file;
  $("title").textContent = `${DATA.info.title}, ${sizeOf(DATA.bytes)}`;
  showTabs();
  showFacts();
  showThings();
  const flat = startPicture();
  let space = null;
  try {
    space = startSpace();
  } catch (error) {
    // The picture is there still; what went wrong is told to tests.
    ROOT.dataset.error = String(error?.message || error);
  }
  const views = { space, flat };
  let view = null;
  const show = (name) => {
    view = views[name];
    ROOT.dataset.view = name;
    for (const [other, { canvas }] of Object.entries(views).filter(([, other]) => other)) {
      canvas.hidden = other !== name;
      $(`to-${other}`).setAttribute("aria-pressed", String(other === name));
    }
    $("space-tools").hidden = name !== "space";
    showHint(null);
    view.reset();
  };
  $("picture").hidden = true;
  $("tools").hidden = false;
  $("views").hidden = !space;
  $("marks").hidden = Object.values(views).every((view) => !view?.marks);
  for (const name of ["space", "flat"]) $(`to-${name}`).addEventListener("click", () => show(name));
  $("reset").addEventListener("click", () => view.reset());
  const change = (key) => (value) => {
    space.settings[key] = value;
    space.ask();
  };
  const flips = {
    m: toggle("marks", true, (on) => {
      STATE.marks = on;
      changed();
    }),
  };
  if (space) {
    flips.w = toggle("wire", false, change("wire"));
    flips.g = toggle("grid", true, change("grid"));
    flips.o = toggle("open", false, change("open"));
    $("cut").addEventListener("input", () => change("cut")(Number($("cut").value) / 1000));
  }
  LISTENERS.push(flat.ask);
  FOCUS.push((thing) => view.focus(thing));
  addEventListener("resize", () => view.ask());
  addEventListener("keydown", (event) => {
    if (event.target.matches("input, button, summary") || event.ctrlKey || event.altKey || event.metaKey) return;
    const key =
      event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key === "=" ? "+" : event.key;
    const act =
      view.keys[key] ||
      (key === "Home" ? view.reset : key === "Escape" ? () => select(null) : flips[key.toLowerCase()]);
    if (!act || (view === flat && ["w", "g", "o"].includes(key.toLowerCase()))) return;
    event.preventDefault();
    act();
  });
  show(space ? "space" : "flat");
  view.draw();
  space?.bodies.loadTextures().then(space.ask).catch(fail);
  Object.assign(ROOT.dataset, {
    triangles: space ? space.bodies.triangles : 0,
    things: THINGS.length,
    marks: view.marks,
    state: "drawn",
  });
}

// The picture is there then.
addEventListener("load", start);
