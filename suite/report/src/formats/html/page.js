"use strict";
const one = (id) => document.getElementById(id);
const entries = [...document.querySelectorAll(".entry")].map((node) => ({ node, text: node.textContent.toLowerCase() }));
const runs = [...document.querySelectorAll(".run")];
const ticked = (name) => new Set([...document.querySelectorAll(`input[name=${name}]:checked`)].map((box) => box.value));

function filter() {
  const revision = one("revision")?.value ?? runs[0]?.dataset.revision;
  const area = one("area").value, words = one("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kinds = ticked("show"), levels = ticked("level"), owners = ticked("whose");
  let shown = 0;
  for (const run of runs) run.hidden = run.dataset.revision !== revision;
  for (const { node, text } of entries) {
    const { kind, level, area: own, whose } = node.dataset;
    const fits = kinds.has(kind) && levels.has(level) && (!whose || owners.has(whose)) && (!area || own === area) && words.every((word) => text.includes(word));
    node.hidden = !fits;
    if (fits && !node.parentElement.hidden) shown += 1;
  }
  one("shown").textContent = shown === 1 ? "1 requirement" : `${shown} requirements`;
}

one("controls").hidden = false;
for (const control of document.querySelectorAll("#controls select, #controls input")) control.addEventListener("input", filter);
const visible = () => entries.map(({ node }) => node).filter((node) => !node.hidden && !node.parentElement.hidden);
for (const [id, open] of [["unfold", true], ["fold", false]]) {
  one(id).addEventListener("click", () => { for (const node of visible()) node.open = open; });
}
document.addEventListener("keydown", (event) => {
  if (/INPUT|SELECT/.test(document.activeElement.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    one("search").focus();
  } else if (event.key === "j" || event.key === "k") {
    const nodes = visible(), now = nodes.indexOf(document.activeElement.closest(".entry"));
    const next = nodes[event.key === "j" ? now + 1 : Math.max(now - 1, 0)];
    next?.querySelector("summary").focus();
  }
});
function reach() {
  const wanted = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!wanted) return;
  const select = one("revision"), revision = wanted.closest(".run")?.dataset.revision;
  if (select && revision) { select.value = revision; filter(); }
  wanted.hidden = false;
  wanted.open = true;
  wanted.scrollIntoView();
}
addEventListener("hashchange", reach);
filter();
reach();
