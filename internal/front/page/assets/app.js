// A little help; every page works without it.
"use strict";

// A form is sent once. The token in it makes the same sure on the server.
document.addEventListener("submit", (e) => {
  const form = e.target;
  if (form.method !== "post") return;
  if (form.dataset.sent) { e.preventDefault(); return; }
  form.dataset.sent = "yes";
  for (const b of form.querySelectorAll("button")) b.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => {
  for (const f of document.querySelectorAll("form[data-sent]")) {
    delete f.dataset.sent;
    for (const b of f.querySelectorAll("[aria-busy]")) b.removeAttribute("aria-busy");
  }
});

// Who has to sign in again in the middle of a form finds what they had typed: it is kept in this window until the next page. The
// words of the form's state as it was seen (_was) go along, so that what others change meanwhile is told all the same.
const person = document.body.dataset.person;
document.addEventListener("submit", (e) => {
  if (!person || !e.target.matches("form.form, form.comment") || e.defaultPrevented) return;
  const secret = new Set([...e.target.querySelectorAll("input[type=password], input[type=file]")].map((i) => i.name).concat("_token", "_company"));
  const typed = [...new FormData(e.target)].filter(([name, value]) => typeof value === "string" && !secret.has(name));
  sessionStorage.setItem("typed", JSON.stringify({ person, path: location.pathname, typed }));
});
const typedAgain = (form, typed) => {
  for (const more of form.querySelectorAll("[data-more]")) {
    const body = more.closest("fieldset").querySelector("tbody");
    while (typed.some(([name]) => name.startsWith(more.value + "[" + body.rows.length + "]"))) {
      const before = body.rows.length;
      more.click();
      if (body.rows.length === before) break;
    }
  }
  for (const el of form.querySelectorAll("[name]")) {
    const values = typed.filter(([name]) => name === el.name).map(([, value]) => value);
    if (el.type === "checkbox" || el.type === "radio") el.checked = values.includes(el.value);
    else if (values.length) el.value = values[0];
  }
};
addEventListener("DOMContentLoaded", () => {
  if (!person) return; // the sign-in itself
  const kept = JSON.parse(sessionStorage.getItem("typed"));
  sessionStorage.removeItem("typed");
  const form = document.querySelector("form.form, form.comment");
  if (kept && form && kept.person === person && kept.path === location.pathname && document.referrer.startsWith(location.origin + "/sign-in")) typedAgain(form, kept.typed);
});

// Who leaves a form that they have begun to fill in is asked by the browser first: a page that is left keeps nothing.
// Sending it is no leaving, nor is what says that nothing of it is wanted.
let unsent = false;
document.addEventListener("input", (e) => { if (e.target.closest("form.form:not([data-queue])")) unsent = true; });
document.addEventListener("submit", (e) => { if (!e.defaultPrevented) unsent = false; });
document.addEventListener("click", (e) => { if (e.target.closest("a[data-gives-up]")) unsent = false; });
addEventListener("beforeunload", (e) => { if (unsent) e.preventDefault(); });

// "/" goes to the search, Escape closes what is open.
document.addEventListener("keydown", (e) => {
  const typing = e.target.closest("input, textarea, select, [contenteditable]");
  if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
    const find = document.querySelector("[data-find]");
    if (find) { e.preventDefault(); find.focus(); find.select(); }
  }
  if (e.key === "Escape") {
    for (const d of document.querySelectorAll("details.drop[open]")) {
      d.open = false;
      if (d.contains(e.target)) d.querySelector("summary").focus();
    }
  }
});
document.addEventListener("click", (e) => {
  for (const d of document.querySelectorAll("details.drop[open]")) if (!d.contains(e.target)) d.open = false;
});

// A chosen filter shows its list at once.
document.addEventListener("change", (e) => {
  if (e.target.matches("[data-go]")) e.target.form.requestSubmit();
});

// A question whose answer stands below it is asked anew with every change; an answer that comes late does not replace a later one.
let question = 0, turn = 0;
document.addEventListener("input", (e) => {
  const form = e.target.form;
  if (!form || !form.matches("form[data-live]")) return;
  clearTimeout(question);
  question = setTimeout(async () => {
    const mine = ++turn, path = location.pathname + "?" + new URLSearchParams(new FormData(form));
    const answer = await fetch(path, { headers: { Accept: "text/html" } });
    if (!answer.ok || mine !== turn) return;
    const now = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-answer]");
    const old = document.querySelector("[data-answer]");
    if (!now || !old || mine !== turn) return;
    old.replaceChildren(...now.children);
    history.replaceState(null, "", path);
  }, 200);
});

// A record that is under way is looked at again until it has come to its end; what the person holds open is left alone.
async function lookAgain() {
  const main = document.querySelector("main");
  if (!document.querySelector("[data-under-way]")) return;
  if (!document.hidden && !main.contains(document.activeElement)) {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    if (answer && answer.ok) {
      const now = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
      if (now) main.replaceChildren(...now.childNodes);
    }
  }
  setTimeout(lookAgain, 1000);
}
setTimeout(lookAgain, 1000);

// Fields that offer what there is: below the field stands a list of what is found for what is typed, by mouse, finger or keyboard.
const found = Object.assign(document.createElement("ul"), { id: "found", hidden: true });
found.setAttribute("role", "listbox");
found.setAttribute("aria-label", document.body.dataset.found);
document.body.append(found);
let asker = null, asked = 0, waiting = 0;
const offers = (el) => el.matches("input[data-lookup]:not([data-picture])");
const marked = () => found.querySelector("[aria-selected=true]");
const shutFound = () => {
  clearTimeout(waiting);
  asked++;
  found.hidden = true;
  if (asker) asker.setAttribute("aria-expanded", "false");
  if (asker) asker.removeAttribute("aria-activedescendant");
  asker = null;
};
const placeFound = () => {
  if (!asker) return;
  const at = asker.getBoundingClientRect(), below = innerHeight - at.bottom - 8, above = at.top - 8, down = below > 180 || below > above;
  const width = Math.min(Math.max(at.width, 320), innerWidth - 16);
  found.style.width = width + "px";
  found.style.left = Math.max(8, Math.min(at.left, innerWidth - width - 8)) + "px";
  found.style.maxHeight = Math.min(down ? below : above, 340) + "px";
  found.style.top = down ? at.bottom + 2 + "px" : "auto";
  found.style.bottom = down ? "auto" : innerHeight - at.top + 2 + "px";
};
const mark = (option) => {
  if (marked()) marked().setAttribute("aria-selected", "false");
  option.setAttribute("aria-selected", "true");
  option.scrollIntoView({ block: "nearest" });
  asker.setAttribute("aria-activedescendant", option.id);
};
const take = (option) => {
  const field = asker;
  shutFound();
  field.value = option.dataset.value;
  field.title = option.textContent;
  field.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "taken" }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
};
const foundRow = (text, value) => {
  const row = Object.assign(document.createElement("li"), { id: "found-" + found.children.length });
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", "false");
  row.append(text);
  if (value === undefined) row.setAttribute("aria-disabled", "true");
  else row.dataset.value = value;
  if (value && value !== text) row.append(Object.assign(document.createElement("small"), { textContent: value }));
  found.append(row);
};
const lookUp = async (field) => {
  const mine = ++asked;
  const answer = await fetch(field.dataset.lookup + "?q=" + encodeURIComponent(field.value)).catch(() => null);
  if (!answer || !answer.ok || answer.redirected) return;
  const all = await answer.json();
  if (mine !== asked || document.activeElement !== field) return;
  asker = field;
  found.replaceChildren();
  for (const o of all) foundRow(o.Label.endsWith(" (" + o.Value + ")") ? o.Label.slice(0, -o.Value.length - 3) : o.Label || o.Value, o.Value);
  if (!all.length) foundRow(document.body.dataset.none);
  if (all.length >= 20) foundRow(document.body.dataset.others);
  field.setAttribute("aria-expanded", "true");
  found.hidden = false;
  found.scrollTop = 0;
  placeFound();
};
document.addEventListener("focusin", (e) => {
  if (!offers(e.target)) return;
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", "found"]]) e.target.setAttribute(name, value);
});
document.addEventListener("focusout", (e) => { if (e.target === asker || offers(e.target)) shutFound(); });
document.addEventListener("input", (e) => {
  if (!offers(e.target) || e.detail === "taken") return;
  clearTimeout(waiting);
  waiting = setTimeout(lookUp, 150, e.target);
});
document.addEventListener("click", (e) => { if (offers(e.target) && found.hidden) lookUp(e.target); });
document.addEventListener("keydown", (e) => {
  if (!offers(e.target) || e.isComposing) return;
  const by = { ArrowDown: 1, ArrowUp: -1 }[e.key], rows = [...found.querySelectorAll("[data-value]")];
  if (by && found.hidden) lookUp(e.target);
  else if (by && rows.length) mark(rows[(rows.indexOf(marked()) + by + rows.length + (marked() || by > 0 ? 0 : 1)) % rows.length]);
  else if (e.key === "Enter" && !found.hidden && marked()) take(marked());
  else if (e.key === "Escape" && !found.hidden) shutFound();
  else return;
  e.preventDefault();
});
found.addEventListener("mousedown", (e) => e.preventDefault());
found.addEventListener("click", (e) => { const row = e.target.closest("[data-value]"); if (row) take(row); });
for (const at of [window, window.visualViewport]) at.addEventListener("resize", placeFound);
document.addEventListener("scroll", (e) => { if (e.target !== found) placeFound(); }, true);

// What the office says of a field's value stands beside it, and is asked again when what it follows from changes.
const besideOf = (note) => note.closest("tr, .fields").querySelector(`[name="${note.dataset.of}"], [name$=".${note.dataset.of}"]`);
const sayBeside = async (note, form) => {
  const field = besideOf(note), value = field.value.trim();
  const at = new URL(note.dataset.beside, location.href);
  at.searchParams.set("q", value);
  for (const name of note.dataset.asks.split(" ").filter(Boolean)) {
    const other = form.elements.namedItem(name);
    if (other) at.searchParams.set(name, other.value);
  }
  const answer = value && (await fetch(at).catch(() => null));
  const said = answer && answer.ok ? (await answer.json()).map((o) => o.Label) : [];
  if (field.value.trim() === value) note.replaceChildren(...said.map((s) => Object.assign(document.createElement("span"), { textContent: s })));
};
for (const note of document.querySelectorAll("[data-beside]")) sayBeside(note, note.closest("form"));
document.addEventListener("change", (e) => {
  if (!e.target.form) return;
  for (const note of e.target.form.querySelectorAll("[data-beside]")) {
    if (besideOf(note) === e.target || note.dataset.asks.split(" ").includes(e.target.name)) sayBeside(note, e.target.form);
  }
});

// All rows of a page are chosen at once.
for (const all of document.querySelectorAll("[data-all]")) {
  all.hidden = false;
  const rows = () => [...all.closest("table").querySelectorAll("[name=chosen]")];
  all.addEventListener("change", () => { for (const row of rows()) row.checked = all.checked; });
  all.closest("table").addEventListener("change", () => { all.checked = rows().every((row) => row.checked); });
}

// More rows without asking the server: the last one again, empty.
document.addEventListener("click", (e) => {
  const button = e.target.closest("[data-more]");
  if (!button) return;
  const body = button.closest("fieldset").querySelector("tbody");
  const last = body.lastElementChild;
  if (!last) return;
  e.preventDefault();
  const next = body.rows.length, row = last.cloneNode(true);
  for (const el of row.querySelectorAll("[name]")) {
    const renamed = el.name.replace(/\[\d+\](?!.*\[\d+\])/, "[" + next + "]");
    const old = el.id;
    el.name = renamed;
    el.id = "f-" + renamed.replace(/[^A-Za-z0-9-]/g, "_");
    if (el.type === "checkbox") el.checked = false;
    else if (el.tagName !== "SELECT") el.value = "";
    el.removeAttribute("aria-invalid");
    el.removeAttribute("aria-describedby");
    for (const label of row.querySelectorAll("label")) {
      if (label.htmlFor === old) { label.htmlFor = el.id; label.querySelector(".nth").textContent = next + 1; }
    }
    if (el.list) { el.list.id = el.id + "-list"; el.setAttribute("list", el.id + "-list"); }
  }
  for (const p of row.querySelectorAll(".error, .choosing, .hint:not(.beside)")) p.remove();
  for (const p of row.querySelectorAll("[data-beside]")) p.replaceChildren();
  body.append(row);
  for (const el of row.querySelectorAll("[data-picture]")) {
    delete el.dataset.ready;
    withPicture(el);
  }
  const first = row.querySelector("input:not([type=hidden]), select");
  if (first) first.focus();
});

// What is wrong is where one begins to read: the first field that is marked. Who makes something new begins to write.
const begins = document.querySelector("[aria-invalid]") || document.querySelector(".problem") ||
  /^\/new\/|\/new$/.test(location.pathname) && document.querySelector(".form :is(input:not([type=hidden]), select, textarea):enabled");
if (begins) begins.focus();

// Who sorts by the keyboard stays at the head of the column.
document.addEventListener("click", (e) => {
  const head = e.target.closest("a.sort");
  if (head) sessionStorage.setItem("sort", location.pathname + " " + head.dataset.sort);
});
const sorted = sessionStorage.getItem("sort");
sessionStorage.removeItem("sort");
for (const head of document.querySelectorAll("a.sort")) {
  if (sorted === location.pathname + " " + head.dataset.sort) head.focus({ preventScroll: true });
}

// What is there to be copied has a button for it, where the browser lets a page copy.
addEventListener("DOMContentLoaded", () => {
  if (!navigator.clipboard) return;
  for (const text of document.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small";
    button.textContent = text.dataset.copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = text.dataset.copied;
    });
    text.after(" ", button);
  }
});

// Parts in an order are dragged to another place; the buttons beside them do the same. Whoever moves one by the keyboard stays with it.
for (const list of document.querySelectorAll("[data-ordered]")) {
  let moving = null;
  const send = (item, to) => {
    const form = item.querySelector(".acts form"), place = document.createElement("input");
    place.type = "hidden";
    place.name = "to";
    place.value = to;
    form.append(place);
    form.requestSubmit();
  };
  for (const item of list.children) {
    if (!item.querySelector(".acts form button[name=to]")) continue;
    item.draggable = true;
    item.addEventListener("dragstart", (e) => { moving = item; item.classList.add("moving"); e.dataTransfer.effectAllowed = "move"; });
    item.addEventListener("dragend", () => { moving = null; for (const i of list.children) i.classList.remove("moving", "over"); });
    item.addEventListener("dragover", (e) => {
      if (!moving) return;
      e.preventDefault();
      for (const i of list.children) i.classList.toggle("over", i === item && i !== moving);
    });
    item.addEventListener("drop", (e) => {
      e.preventDefault();
      if (moving && moving !== item) send(moving, item.dataset.place);
    });
    item.addEventListener("keydown", (e) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[e.key], to = Number(item.dataset.place) + by;
      if (!e.altKey || !by || to < 0 || to >= list.children.length) return;
      e.preventDefault();
      sessionStorage.setItem("moved", location.pathname + " " + to);
      send(item, to);
    });
    for (const b of item.querySelectorAll("button[name=to]")) b.addEventListener("click", () => sessionStorage.setItem("moved", location.pathname + " " + b.value));
  }
}
const moved = sessionStorage.getItem("moved");
sessionStorage.removeItem("moved");
for (const item of document.querySelectorAll("[data-ordered] > li")) {
  if (moved === location.pathname + " " + item.dataset.place) item.querySelector("a, button").focus({ preventScroll: true });
}

// The address of a picture shows the picture, and a button finds others. Pictures of the house are reached by their path.
const near = (address) => {
  try {
    const url = new URL(address, location.href);
    return url.pathname.startsWith("/media/") ? url.pathname + "?w=160" : "";
  } catch { return ""; }
};
const withPicture = (field) => {
  if (field.dataset.ready) return;
  field.dataset.ready = "yes";
  const box = document.createElement("div"), button = document.createElement("button"), img = document.createElement("img");
  box.className = "choosing";
  button.type = "button";
  button.className = "small";
  button.textContent = field.dataset.picture;
  img.alt = "";
  const show = () => { img.src = near(field.value); img.hidden = !near(field.value); };
  field.addEventListener("input", show);
  button.addEventListener("click", () => choosePicture(field, show));
  box.append(img, button);
  field.after(box);
  show();
};
const choosePicture = async (field, show) => {
  const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const dialog = make("dialog", ""), head = make("div", ""), search = make("input", ""), list = make("div", ""), shut = make("button", field.dataset.cancel);
  dialog.setAttribute("aria-label", field.dataset.picture);
  search.type = "search";
  search.placeholder = field.dataset.search;
  search.setAttribute("aria-label", field.dataset.search);
  search.autofocus = true;
  list.className = "pictures";
  shut.type = "button";
  shut.addEventListener("click", () => dialog.close());
  head.className = "head";
  head.append(make("h2", field.dataset.picture), search, shut);
  dialog.append(head, list);
  document.body.append(dialog);
  dialog.addEventListener("close", () => { dialog.remove(); field.focus(); });
  const find = async () => {
    const answer = await fetch(field.dataset.lookup + "?q=" + encodeURIComponent(search.value));
    if (!answer.ok) return;
    const found = await answer.json();
    list.replaceChildren(found.length ? "" : make("p", field.dataset.none), ...found.map((o) => {
      const b = document.createElement("button"), img = document.createElement("img");
      b.type = "button";
      img.src = near(o.Value);
      img.alt = "";
      b.append(img, o.Label);
      b.addEventListener("click", () => { field.value = o.Value; show(); dialog.close(); });
      return b;
    }));
  };
  search.addEventListener("input", find);
  dialog.showModal();
  await find();
};
for (const field of document.querySelectorAll("[data-picture]")) withPicture(field);

// A form that is sent again and again, by people on their feet: what was typed stays in the browser until the office has taken it. Each
// goes with a token of its own, so that one whose answer was lost is not taken twice.
const queued = (form) => {
  const box = document.querySelector(".queue"), list = box.querySelector("ul"), taken = box.querySelector(".taken");
  const name = "queue " + person + " " + form.elements._company.value + " " + location.pathname;
  const empties = form.dataset.queue.split(" ");
  const read = (of) => JSON.parse(localStorage.getItem(of)) || [];
  const write = (all) => { localStorage.setItem(name, JSON.stringify(all)); show(all); };
  const change = (id, fn) => write(read(name).flatMap((e) => (e.id === id ? fn(e) : [e])));
  const fields = () => [...new FormData(form)].filter(([n, v]) => typeof v === "string" && n !== "_token");
  const button = (text, fn) => {
    const b = document.createElement("button");
    b.type = "button";
    b.className = "small";
    b.textContent = text;
    b.addEventListener("click", fn);
    return b;
  };
  const show = (all) => list.replaceChildren(...all.map((e) => {
    const li = document.createElement("li"), what = document.createElement("b"), why = document.createElement("p");
    what.textContent = e.values.filter(([n, v]) => v && !n.startsWith("_")).map(([, v]) => v).join(" · ");
    why.textContent = e.refused ? e.refused.join(" ") : box.dataset.waits;
    why.className = e.refused ? "error" : "hint";
    li.append(what, why);
    if (e.refused) li.append(button(box.dataset.retry, () => { change(e.id, () => [{ id: crypto.randomUUID(), values: e.values }]); send(); }), " ",
      button(box.dataset.away, () => change(e.id, () => [])));
    return li;
  }));
  let busy = false, later = 0;
  const send = async () => {
    if (busy) return;
    busy = true;
    clearTimeout(later);
    try {
      for (let e; (e = read(name).find((one) => !one.refused));) {
        const answer = await fetch(location.pathname, { method: "POST", headers: { Accept: "application/json" },
          body: new URLSearchParams([...e.values, ["_token", e.id]]) });
        const known = (answer.headers.get("Content-Type") || "").startsWith("application/json");
        if (!known || answer.status === 401 || answer.status === 429 || answer.status >= 500) throw new Error(answer.status);
        const said = await answer.json();
        change(e.id, () => (answer.ok ? [] : [{ ...e, refused: said.refused }]));
        if (answer.ok) { taken.hidden = false; taken.textContent = said.said; }
      }
    } catch {
      show(read(name));
      later = setTimeout(send, 5000);
    } finally {
      busy = false;
    }
  };
  const typedName = name + " typed";
  const keep = () => localStorage.setItem(typedName, JSON.stringify(fields()));
  for (const [n, v] of read(typedName)) {
    const el = form.elements[n];
    if (!el || n.startsWith("_")) continue;
    if (el.type === "checkbox") el.checked = true;
    else el.value = v;
  }
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    e.stopPropagation();
    write([...read(name), { id: crypto.randomUUID(), values: fields() }]);
    for (const n of empties) {
      const el = form.elements[n];
      if (el.type === "checkbox") el.checked = false;
      else el.value = "";
    }
    keep();
    form.elements[empties[0]].focus();
    send();
  });
  addEventListener("online", send);
  show(read(name));
  send();
  form.elements[empties[0]].focus();
};
for (const form of document.querySelectorAll("form[data-queue]")) if (person && window.crypto && crypto.randomUUID) queued(form);

// Behind an @ stand the names of those who can be told; arrows and Enter choose one, Escape leaves what is typed.
for (const form of document.querySelectorAll("form[data-names]")) {
  const area = form.querySelector("textarea"), names = form.dataset.names.split("\n").filter(Boolean), list = document.createElement("ul");
  list.className = "naming";
  list.id = area.id + "-names";
  list.role = "listbox";
  list.hidden = true;
  area.after(list);
  area.setAttribute("aria-controls", list.id);
  area.setAttribute("aria-autocomplete", "list");
  let at = 0, found = [];
  const close = () => { list.hidden = true; area.removeAttribute("aria-activedescendant"); };
  const choose = (i) => {
    const before = area.value.slice(0, area.selectionStart).replace(/@[^@\n]*$/, "@" + found[i] + " ");
    area.setRangeText(before, 0, area.selectionStart, "end");
    close();
    area.focus();
  };
  const show = () => {
    const typed = /(?:^|\s)@([^@\n]{0,40})$/.exec(area.value.slice(0, area.selectionStart));
    const begun = typed && typed[1].toLowerCase();
    found = typed ? names.filter((n) => n.toLowerCase() !== begun.trim() && n.toLowerCase().split(" ").some((_, i, w) => w.slice(i).join(" ").startsWith(begun))).slice(0, 8) : [];
    if (!found.length) return close();
    at = Math.min(at, found.length - 1);
    list.replaceChildren(...found.map((n, i) => {
      const li = document.createElement("li");
      li.role = "option";
      li.id = list.id + "-" + i;
      li.textContent = n;
      li.ariaSelected = String(i === at);
      li.addEventListener("mousedown", (e) => { e.preventDefault(); choose(i); });
      return li;
    }));
    list.hidden = false;
    area.setAttribute("aria-activedescendant", list.id + "-" + at);
  };
  area.addEventListener("input", () => { at = 0; show(); });
  area.addEventListener("blur", close);
  area.addEventListener("keydown", (e) => {
    if (list.hidden) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (by) { at = (at + by + found.length) % found.length; show(); }
    else if (e.key === "Enter" || e.key === "Tab") choose(at);
    else if (e.key === "Escape") close();
    else return;
    e.preventDefault();
  });
}
