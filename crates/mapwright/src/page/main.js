// Starts the page.

const ROOT = document.documentElement;

/** Reports an error to the user, and in attributes of the root to tests. */
function fail(error) {
  ROOT.dataset.error = String(error?.message || error);
  ROOT.dataset.state = "failed";
  $("status").textContent = `Cannot show this page: ${ROOT.dataset.error}`;
}
addEventListener("error", (event) => fail(event.error || event.message));
addEventListener("unhandledrejection", (event) => fail(event.reason));

function startTabs() {
  const tabs = ["objects", "info"];
  const show = (selected) =>
    tabs.forEach((tab) => {
      $(tab).hidden = tab !== selected;
      $(`tab-${tab}`).setAttribute("aria-selected", String(tab === selected));
    });
  for (const tab of tabs) $(`tab-${tab}`).addEventListener("click", () => show(tab));
  show("objects");
}

/** Lists the files that the level refers to and that are missing. */
function showMissingFiles() {
  const [heading, ...files] = DATA.missing;
  if (!heading) return;
  const box = $("missing");
  box.hidden = false;
  // A long list stays closed, so that it does not cover the view.
  box.open = files.length <= 8;
  box.querySelector("summary").textContent = heading;
  box.querySelector("ul").replaceChildren(...files.map((file) => element("li", {}, file)));
}

function formatSize(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const number = bytes / 1024 ** step;
  return `${step === 0 ? number : number.toPrecision(3)} ${units[step]}`;
}

/** Makes a button switch something on and off. Returns a function that does the same as a click. */
function startToggle(id, isOn, change) {
  const button = $(id);
  const show = (on) => button.setAttribute("aria-pressed", String(on));
  show(isOn);
  const toggle = () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    show(on);
    change(on);
  };
  button.addEventListener("click", toggle);
  return toggle;
}

function start() {
  document.title = `${DATA.file} – mapwright`;
  $("file").textContent = DATA.file;
  $("summary").textContent = `${DATA.info.title}, ${formatSize(DATA.bytes)}`;
  startTabs();
  showMissingFiles();
  showInfo();
  showObjects();
  const imageView = startImageView();
  let modelView = null;
  try {
    modelView = startModelView();
  } catch (error) {
    // The image can still be shown. Only tests need the error.
    ROOT.dataset.error = String(error?.message || error);
  }
  const views = { model: modelView, image: imageView };
  let view = null;
  const showView = (name) => {
    view = views[name];
    ROOT.dataset.view = name;
    for (const [other, { canvas }] of Object.entries(views).filter(([, other]) => other)) {
      canvas.hidden = other !== name;
      $(`show-${other}`).setAttribute("aria-pressed", String(other === name));
    }
    $("model-tools").hidden = name !== "model";
    showHint(null);
    view.reset();
  };
  $("image").hidden = true;
  $("toolbar").hidden = false;
  $("views").hidden = !modelView;
  $("markers").hidden = Object.values(views).every((view) => !view?.markers);
  for (const name of ["model", "image"]) $(`show-${name}`).addEventListener("click", () => showView(name));
  $("reset").addEventListener("click", () => view.reset());
  const changeSetting = (key) => (value) => {
    modelView.settings[key] = value;
    modelView.requestDraw();
  };
  const toggles = {
    m: startToggle("markers", true, (on) => {
      STATE.showMarkers = on;
      notifyListeners();
    }),
  };
  if (modelView) {
    toggles.w = startToggle("wireframe", false, changeSetting("wireframe"));
    toggles.g = startToggle("grid", true, changeSetting("grid"));
    toggles.o = startToggle("see-through", false, changeSetting("seeThrough"));
    const changeClipHeight = changeSetting("clipHeight");
    $("clip-height").addEventListener("input", () => changeClipHeight(Number($("clip-height").value) / 1000));
  }
  CHANGE_LISTENERS.push(imageView.requestDraw);
  ZOOM_LISTENERS.push((object) => view.showObject(object));
  addEventListener("resize", () => view.requestDraw());
  addEventListener("keydown", (event) => {
    if (event.target.matches("input, button, summary") || event.ctrlKey || event.altKey || event.metaKey) return;
    const key =
      event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key === "=" ? "+" : event.key;
    const action =
      view.keys[key] ||
      (key === "Home" ? view.reset : key === "Escape" ? () => select(null) : toggles[key.toLowerCase()]);
    if (!action || (view === imageView && ["w", "g", "o"].includes(key.toLowerCase()))) return;
    event.preventDefault();
    action();
  });
  showView(modelView ? "model" : "image");
  view.draw();
  modelView?.gpuModel.loadTextures().then(modelView.requestDraw).catch(fail);
  Object.assign(ROOT.dataset, {
    triangles: modelView ? modelView.gpuModel.triangles : 0,
    objects: OBJECTS.length,
    markers: view.markers,
    state: "drawn",
  });
}

// The image is only decoded after the page is loaded.
addEventListener("load", start);
