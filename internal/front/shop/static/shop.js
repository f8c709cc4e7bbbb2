// What makes the shop quicker to use. Every page works without it.
"use strict";
document.documentElement.classList.add("js");

// Choices that send themselves: facets, sorting, delivery, payment, quantities. Their buttons are then not needed.
for (const b of document.querySelectorAll("[data-unneeded]")) b.hidden = true;
for (const f of document.querySelectorAll("[data-send]")) f.addEventListener("change", () => f.form.requestSubmit());

// Who types a quantity and presses a link at once gets there when the quantity is taken: going both ways would lose it.
// The link is remembered as it is pressed, for by then the page may be another; what was refused is shown instead.
const leads = (e) => e.button === 0 && !e.ctrlKey && !e.metaKey && !e.shiftKey && e.target.closest?.("a[href]")?.href;
let pressed, sending;
addEventListener("pointerdown", (e) => { pressed = leads(e); });
addEventListener("submit", (e) => {
  if (e.submitter || e.target.method !== "post") return;
  sending = true;
  if (pressed) sessionStorage.setItem("onward", pressed);
});
addEventListener("click", (e) => {
  if (!sending || !leads(e)) return;
  e.preventDefault();
  sessionStorage.setItem("onward", leads(e));
});
addEventListener("pageshow", () => { sending = false; });
const onward = sessionStorage.getItem("onward");
sessionStorage.removeItem("onward");
if (onward && !document.querySelector("main [aria-invalid], .problem")) location.replace(onward);

// A second click while the first is on its way sends nothing twice.
for (const f of document.querySelectorAll("form[method=post]")) {
  f.addEventListener("submit", (e) => {
    if (!e.submitter) return; // a choice that sends itself goes before the one that is on its way
    if (f.dataset.sent) e.preventDefault();
    f.dataset.sent = "1";
  });
}
addEventListener("pageshow", () => { for (const f of document.querySelectorAll("form[data-sent]")) delete f.dataset.sent; });

// After a refusal one goes on where something is wrong.
(document.querySelector("main [aria-invalid]") ?? document.querySelector(".problem"))?.focus();

// Facets stand open beside the list where there is room.
const wide = matchMedia("(min-width: 901px)");
for (const d of document.querySelectorAll("[data-wide-open]")) if (wide.matches) d.open = true;

// Empty fields of the facet form say nothing: addresses stay short.
document.getElementById("narrow")?.addEventListener("submit", (e) => {
  for (const i of e.target.elements) if (i.name && i.value === "") i.disabled = true;
});

// Another delivery address is asked for only by who wants one.
for (const box of document.querySelectorAll("[data-shows]")) {
  const part = document.getElementById(box.dataset.shows);
  const show = () => { part.hidden = !box.checked; part.disabled = !box.checked; };
  box.addEventListener("change", show);
  show();
}

// The city of a postal code.
for (const code of document.querySelectorAll("input[name$='postalCode']")) {
  code.addEventListener("change", async () => {
    const near = (name) => code.form.elements[code.name.replace("postalCode", name)];
    const answer = await fetch("/postal-code?" + new URLSearchParams({ country: near("countryCode").value, code: code.value }));
    if (answer.status === 200) near("city").value = await answer.text();
  });
}

// What is made to order: every choice is answered at once, by the page that the form would lead to.
const configurator = document.getElementById("configurator");
let asked = 0;
configurator?.addEventListener("change", async () => {
  const form = configurator.querySelector("form"), at = form.action + "?" + new URLSearchParams(new FormData(form)), mine = ++asked;
  configurator.setAttribute("aria-busy", "true");
  const answer = await fetch(at);
  if (mine !== asked) return; // something else was chosen meanwhile
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("configurator");
  if (!page) return form.submit();
  const focused = document.activeElement?.id;
  configurator.replaceChildren(...page.childNodes);
  configurator.removeAttribute("aria-busy");
  if (focused) document.getElementById(focused)?.focus();
  history.replaceState(null, "", at);
});

// The assistant's answer appears as it is written.
const asking = document.querySelector("[data-ask]");
asking?.addEventListener("submit", async (e) => {
  e.preventDefault();
  const input = asking.elements.message, talk = document.querySelector("[data-talk]"), question = input.value.trim();
  if (!question) return;
  const answer = await fetch(asking.action, { method: "POST", body: new URLSearchParams({ message: question }), headers: { Accept: "text/event-stream" } });
  if (!answer.ok || !answer.headers.get("Content-Type").startsWith("text/event-stream")) return asking.submit();
  const say = (className, text) => { const p = document.createElement("p"); p.className = className; p.textContent = text; talk.append(p); return p; };
  say("said mine", question);
  const said = say("said lines-kept", "");
  input.value = "";
  delete asking.dataset.sent;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = "", whole = false; !whole;) {
    const { value, done } = await reader.read();
    if (done) return location.assign("/assistant"); // it broke off
    rest += value;
    for (let end; (end = rest.indexOf("\n\n")) >= 0; rest = rest.slice(end + 2)) {
      const [, name, data] = rest.slice(0, end).match(/^event: (\w+)\ndata: (.*)$/s) ?? [];
      if (name === "delta") said.textContent += JSON.parse(data);
      if (name === "html") { said.outerHTML = JSON.parse(data); whole = true; }
    }
  }
});

// Pictures of a product.
const big = document.querySelector("[data-big]");
for (const a of document.querySelectorAll("[data-picture]")) a.addEventListener("click", (e) => { e.preventDefault(); big.removeAttribute("srcset"); big.src = a.href; });

// Proposals while typing, as a list box that arrow keys walk through.
for (const input of document.querySelectorAll("[data-suggest]")) {
  let box = null, at = -1, timer = 0, latest = 0;
  const close = () => { box?.remove(); box = null; at = -1; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); };
  const mark = (n) => {
    const rows = [...box.children];
    at = (n + rows.length) % rows.length;
    rows.forEach((r, i) => r.setAttribute("aria-selected", String(i === at)));
    input.setAttribute("aria-activedescendant", rows[at].id);
  };
  const show = (rows) => {
    close();
    if (!rows.length) return;
    box = document.createElement("div");
    box.className = "proposals"; box.id = "proposals"; box.setAttribute("role", "listbox");
    rows.forEach((row, i) => {
      const a = document.createElement("a"), text = document.createElement("span"), hint = document.createElement("small");
      a.href = row.href; a.id = "proposal-" + i; a.setAttribute("role", "option"); a.setAttribute("aria-selected", "false"); a.tabIndex = -1;
      if (row.image) { const img = document.createElement("img"); img.src = row.image; img.alt = ""; img.width = img.height = 40; a.append(img); }
      text.textContent = row.text; hint.textContent = row.hint ?? "";
      a.append(text, hint); box.append(a);
    });
    input.form.append(box);
    input.setAttribute("aria-expanded", "true");
  };
  input.setAttribute("role", "combobox"); input.setAttribute("aria-controls", "proposals"); input.setAttribute("aria-expanded", "false");
  input.addEventListener("input", () => {
    clearTimeout(timer);
    const q = input.value.trim(), mine = ++latest;
    if (q.length < 2) return close();
    timer = setTimeout(async () => {
      const answer = await fetch("/suggest?" + new URLSearchParams({ q }));
      if (mine === latest) show(answer.status === 200 ? await answer.json() : []);
    }, 120);
  });
  input.addEventListener("keydown", (e) => {
    if (!box) return;
    if (e.key === "ArrowDown") { e.preventDefault(); mark(at + 1); }
    else if (e.key === "ArrowUp") { e.preventDefault(); mark(at < 0 ? -1 : at - 1); }
    else if (e.key === "Escape") close();
    else if (e.key === "Enter" && at >= 0) { e.preventDefault(); location.href = box.children[at].href; }
  });
  document.addEventListener("click", (e) => { if (!input.form.contains(e.target)) close(); });
}
