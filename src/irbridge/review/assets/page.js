"use strict";
(() => {
  const queue = JSON.parse(document.getElementById("queue").textContent);
  const { items, chunks } = queue;
  const at = (id) => document.getElementById(id);
  const STORE = "irbridge-review:" + queue.digest;
  const NAME = "irbridge-review:name", PLACE = STORE + ":at";
  const TIME = /^\d{4}-\d{2}-\d{2}[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
  const TOP = Math.max(3, ...items.map((item) => item.relevance));
  const LONG = 6000, EDGE = 800;

  // An element with attributes and children; strings become text, never markup.
  const make = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== undefined && value !== null) made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };
  // Control characters and those that turn the direction of what follows are shown by their numbers: a text must not look like another.
  const HIDDEN = /([\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069])/;
  const visible = (text) => text.split(HIDDEN).map((part, place) => (place % 2 === 0 ? part :
    make("code", { class: "hidden" }, "U+" + part.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")))).filter((part) => part !== "");
  const bdi = (text) => make("bdi", null, ...visible(text));
  const count = (number, thing) => number.toLocaleString("en") + " " + thing + (number === 1 ? "" : "s");

  // ---------------------------------------------------------------------------------------------------------- progress
  // By label: {action, grades: {place of the chunk: relevance}, by, at}. A label without an entry is left.
  const nameOf = (item) => JSON.stringify([item.query_id, item.key, item.label_sha]);
  const names = items.map(nameOf);
  const places = new Map(names.map((name, place) => [name, place]));
  let decided = new Map();
  let current = 0, last = null, reviewer = queue.by || "", undoable = [], unsaved = false, grading = false;

  const read = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const keep = (key, value) => {
    try { localStorage.setItem(key, value); return true; } catch { return false; }
  };
  const load = () => {
    const text = read(STORE);
    if (text === null) return;
    try {
      decided = new Map(JSON.parse(text).filter(([name, decision]) => places.has(name) && sound(items[places.get(name)], decision)));
    } catch { say("What this browser had kept could not be read and was left aside.", true); }
  };
  const sound = (item, decision) => {
    if (!decision || !["choose", "none", "skip"].includes(decision.action)) return false;
    if (typeof decision.by !== "string" || wrongName(decision.by) || !TIME.test(decision.at)) return false;
    if (decision.action !== "choose") return true;
    const offered = new Set(item.candidates.map((candidate) => String(candidate.chunk)));
    const grades = Object.entries(decision.grades || {});
    return grades.length > 0 && grades.every(([place, grade]) => offered.has(place) && Number.isSafeInteger(grade) && grade >= 0);
  };
  const save = () => {
    unsaved = !keep(STORE, JSON.stringify([...decided]));
    if (unsaved) say("This browser keeps no progress for this page: export before you close it.", true);
  };
  const remember = (place) => {
    undoable.push([place, decided.has(names[place]) ? JSON.stringify(decided.get(names[place])) : null]);
    if (undoable.length > 1000) undoable.shift();
  };
  const decide = (place, action, grades) => {
    remember(place);
    if (action === null) decided.delete(names[place]);
    else decided.set(names[place], { action, ...(grades ? { grades } : {}), by: reviewer, at: new Date().toISOString().replace(/\.\d+Z$/, "Z") });
    save();
    row(place);
    tally();
  };
  const isDone = (place) => { const found = decided.get(names[place]); return found !== undefined && found.action !== "skip"; };

  // ------------------------------------------------------------------------------------------------------------ saying
  const say = (text, warn) => { const line = at("say"); line.textContent = text; line.className = warn ? "warn" : ""; };
  const tally = () => {
    let done = 0, skipped = 0;
    for (const decision of decided.values()) decision.action === "skip" ? (skipped += 1) : (done += 1);
    const left = items.length - done;
    at("progress").max = Math.max(1, items.length);
    at("progress").value = items.length ? done : 1;
    at("left").textContent = left === 0 ? "All " + items.length.toLocaleString("en") + " decided" :
      left.toLocaleString("en") + " of " + count(items.length, "label") + " left" + (skipped ? ", " + skipped.toLocaleString("en") + " of them skipped" : "");
    at("export").disabled = decided.size === 0;
    at("undo").disabled = undoable.length === 0;
  };
  const stateOf = (place) => {
    const decision = decided.get(names[place]);
    if (!decision) return "";
    if (decision.action === "none") return "none";
    if (decision.action === "skip") return "skipped";
    return Object.keys(decision.grades).length + " chosen";
  };
  const KINDS = { shifted: "across borders", reflowed: "white space", edited: "edited", moved: "moved", ambiguous: "ambiguous" };
  const kindOf = (item) => item.status === "SPLIT" ? "split" : item.status === "MERGED" ? "in a larger chunk" : KINDS[item.evidence] || (item.text === undefined && item.chunk_id ? "no text kept" : "gone");

  // -------------------------------------------------------------------------------------------------------------- list
  const rows = [];
  const list = () => {
    const made = document.createDocumentFragment();
    items.forEach((item, place) => {
      const state = make("b");
      const button = make("button", { type: "button" },
        make("span", { class: "q", dir: "auto" }, ...visible(item.query || item.query_id)),
        make("span", { class: "s" }, state, make("span", null, (place + 1) + " · " + kindOf(item) + (item.stratum ? " · " : "")), item.stratum ? bdi(item.stratum) : null));
      button.addEventListener("click", () => { go(place); });
      rows.push([button, state]);
      made.append(make("li", null, button));
      row(place);
    });
    at("items").append(made);
  };
  const row = (place) => {
    const [button, state] = rows[place];
    const said = stateOf(place);
    state.textContent = said ? (said === "skipped" ? "– " : "✓ ") + said + " · " : "";
    button.className = isDone(place) ? "done" : "";
  };

  // ------------------------------------------------------------------------------------------------------------ detail
  // Ranges count code points; JavaScript's strings count UTF-16 units.
  const units = (text, ranges) => {
    const marks = ranges.flat(), found = [];
    let unit = 0, point = 0, next = 0;
    while (next < marks.length) {
      while (next < marks.length && marks[next] <= point) { found.push(unit); next += 1; }
      if (unit >= text.length) { while (found.length < marks.length) found.push(text.length); break; }
      unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
      point += 1;
    }
    return found;
  };
  const piece = (text, marked) => {
    const wrap = (part) => (marked ? [make("mark", null, ...visible(part))] : visible(part));
    if (text.length <= LONG) return wrap(text);
    const whole = (unit) => unit + (/[\udc00-\udfff]/.test(text[unit]) ? 1 : 0);
    const from = whole(EDGE), to = whole(text.length - EDGE);
    const more = make("button", { type: "button", class: "more" }, "show " + (to - from).toLocaleString("en") + " more characters");
    more.addEventListener("click", () => more.replaceWith(...wrap(text.slice(from, to))));
    return [...wrap(text.slice(0, from)), more, ...wrap(text.slice(to))];
  };
  const marked = (text, ranges) => {
    const block = make("div", { class: "text", dir: "auto" });
    const edges = units(text, ranges);
    let reached = 0;
    for (let place = 0; place < edges.length; place += 2) {
      if (edges[place] > reached) block.append(...piece(text.slice(reached, edges[place]), false));
      block.append(...piece(text.slice(edges[place], edges[place + 1]), true));
      reached = edges[place + 1];
    }
    if (reached < text.length) block.append(...piece(text.slice(reached), false));
    return block;
  };
  const union = (all) => {
    const sorted = all.slice().sort((one, other) => one[0] - other[0] || one[1] - other[1]), joined = [];
    for (const [start, end] of sorted) {
      const before = joined[joined.length - 1];
      if (before && start <= before[1]) before[1] = Math.max(before[1], end);
      else joined.push([start, end]);
    }
    return joined;
  };
  const fact = (name, value) => value === undefined || value === "" ? null : make("div", null, make("dt", null, name), make("dd", null, bdi(String(value))));

  let shown = [];
  const detail = () => {
    const item = items[current], main = at("detail");
    shown = [];
    grading = false;
    if (!item) {
      main.replaceChildren(make("p", { class: "empty" }, "No label needs a person."));
      return;
    }
    const heading = make("h2", { tabindex: "-1", id: "heading", dir: "auto" }, ...visible(item.query || item.query_id));
    main.replaceChildren(...[
      heading,
      make("dl", { class: "facts" }, fact("label", (current + 1) + " of " + items.length), fact("query", item.query ? item.query_id : undefined),
        fact("relevance", item.relevance), fact("labelled by", item.labeled_by), fact("at", item.labeled_at), fact("stratum", item.stratum),
        fact("document", item.doc_uri), fact("notes", item.notes)),
      make("p", { class: "said" }, item.said),
      make("h3", null, "What was labelled"),
      item.text === undefined ? make("p", { class: "empty" }, "The label keeps no text.") :
        marked(item.text, union(item.candidates.flatMap((candidate) => candidate.label_ranges))),
      make("h3", { id: "offered" }, item.candidates.length ? "Which of these carry it now?" : "No chunk is offered."),
      item.candidates.length ? make("ol", { class: "candidates", "aria-labelledby": "offered" }, ...item.candidates.map((candidate, number) => offer(item, candidate, number))) : null,
    ].filter(Boolean));
    main.scrollTop = 0;
    choices();
    heading.focus({ preventScroll: true });
  };
  const HOW = { inside: "inside the text", around: "holds all of it, and more", overlaps: "holds a part", suggested: "suggestion" };
  const holdsAll = (text, candidate) => {
    if (candidate.how !== "overlaps" || !text || candidate.label_ranges.length !== 1) return false;
    const [start, end] = units(text, candidate.label_ranges);
    return !(text.slice(0, start) + text.slice(end)).trim();
  };
  const offer = (item, candidate, number) => {
    const chunk = chunks[candidate.chunk], whole = holdsAll(item.text, candidate);
    const box = make("input", { type: "checkbox", id: "pick" + number });
    const grade = make("input", { type: "number", min: "0", max: String(TOP), step: "1", id: "grade" + number, inputmode: "numeric" });
    const less = make("button", { type: "button", "aria-label": "lower relevance of candidate " + (number + 1) }, "−");
    const more = make("button", { type: "button", "aria-label": "raise relevance of candidate " + (number + 1) }, "+");
    const where = make("span", { class: "where" }, whole ? "holds all of it" : HOW[candidate.how]);
    if (candidate.overlap !== undefined && candidate.overlap !== null) where.append(", " + count(candidate.overlap, "character") + (whole ? "" : " of it"));
    if (chunk.ordinal !== undefined) where.append(" · chunk " + chunk.ordinal + (chunk.doc_uri === item.doc_uri ? "" : " of "));
    if (chunk.doc_uri !== item.doc_uri) where.append(bdi(chunk.doc_uri));
    where.append(" · ", make("code", { title: chunk.chunk_id }, chunk.chunk_id.slice(0, 11)));
    if (candidate.labelled !== undefined && candidate.labelled !== null) where.append(" · has relevance " + candidate.labelled + " for this query already");
    const block = make("li", { class: "candidate" },
      make("div", { class: "bar" }, make("label", { class: "pick" }, box, make("span", null, number < 9 ? make("kbd", null, String(number + 1)) : String(number + 1), " carries it")), where,
        make("span", { class: "grade" }, make("label", { for: "grade" + number }, "relevance"), less, grade, more)),
      chunk.text === undefined ? make("p", { class: "empty" }, "The corpus has no text of this chunk.") : marked(chunk.text, candidate.ranges));
    box.addEventListener("change", () => choose(number, box.checked));
    less.addEventListener("click", () => regrade(number, -1));
    more.addEventListener("click", () => regrade(number, 1));
    grade.addEventListener("change", () => {
      const wanted = Number(grade.value);
      if (grade.value !== "" && Number.isSafeInteger(wanted) && wanted >= 0 && wanted <= TOP) setGrade(number, wanted);
      else { choices(); say("Relevance is a whole number from 0 to " + TOP + ".", true); }
    });
    shown.push({ block, box, grade });
    return block;
  };
  const gradesNow = () => { const found = decided.get(names[current]); return found && found.action === "choose" ? { ...found.grades } : {}; };
  const choices = () => {
    const item = items[current];
    if (!item) return;
    const grades = gradesNow(), decision = decided.get(names[current]);
    shown.forEach(({ block, box, grade }, number) => {
      const place = item.candidates[number].chunk, on = place in grades;
      block.classList.toggle("on", on);
      box.checked = on;
      grade.value = String(on ? grades[place] : Math.max(0, item.relevance));
    });
    at("none").classList.toggle("is", decision?.action === "none");
    at("none").setAttribute("aria-pressed", String(decision?.action === "none"));
    at("skip").classList.toggle("is", decision?.action === "skip");
    at("skip").setAttribute("aria-pressed", String(decision?.action === "skip"));
  };

  // ----------------------------------------------------------------------------------------------------------- actions
  const named = () => { if (reviewer) return true; askName(); return false; };
  const go = (place) => {
    if (!items[place]) return;
    rows[current][0].removeAttribute("aria-current");
    current = place;
    keep(PLACE, String(place));
    last = null;
    const button = rows[current][0];
    button.setAttribute("aria-current", "true");
    if (button.offsetParent) button.scrollIntoView({ block: "nearest" });
    at("list").classList.remove("open");
    at("show-list").setAttribute("aria-expanded", "false");
    at("previous").disabled = current === 0;
    at("next").disabled = current === items.length - 1;
    detail();
  };
  const step = (by) => {
    if (items[current + by]) go(current + by);
    else say(by > 0 ? "This is the last label." : "This is the first label.");
  };
  const nextLeft = () => {
    for (let ahead = 1; ahead <= items.length; ahead += 1) {
      const place = (current + ahead) % items.length;
      if (!decided.has(names[place])) { go(place); say(""); return; }
    }
    say(items.length ? "Nothing is left but what you skipped. Export writes your decisions to a file." : "No label needs a person.");
  };
  const choose = (number, on) => {
    const item = items[current], candidate = item?.candidates[number];
    if (!candidate) { say("There is no candidate " + (number + 1) + "."); return; }
    if (!named()) { choices(); return; }
    const grades = gradesNow();
    if (on) { grades[candidate.chunk] = Math.max(0, item.relevance); last = number; } else { delete grades[candidate.chunk]; if (last === number) last = null; }
    const any = Object.keys(grades).length > 0;
    decide(current, any ? "choose" : null, any ? grades : undefined);
    choices();
    say("Candidate " + (number + 1) + (on ? " chosen, relevance " + grades[candidate.chunk] : " taken back") + ".");
  };
  const setGrade = (number, grade) => {
    const item = items[current], candidate = item.candidates[number];
    if (!named()) { choices(); return; }
    const grades = gradesNow();
    grades[candidate.chunk] = grade;
    last = number;
    decide(current, "choose", grades);
    choices();
    say("Candidate " + (number + 1) + ": relevance " + grade + ".");
  };
  const chosenLast = () => {
    const grades = gradesNow();
    const numbers = items[current].candidates.map((candidate, number) => (candidate.chunk in grades ? number : -1)).filter((number) => number >= 0);
    if (last !== null && numbers.includes(last)) return last;
    if (numbers.length === 0) say("Choose a candidate first.");
    return numbers.length ? numbers[numbers.length - 1] : null;
  };
  const regrade = (number, by) => {
    const item = items[current], grades = gradesNow(), place = item.candidates[number].chunk;
    const now = place in grades ? grades[place] : Math.max(0, item.relevance);
    const wanted = Math.min(TOP, Math.max(0, now + by));
    if (wanted === now) say("Relevance stays " + now + ".");
    else setGrade(number, wanted);
  };
  const settle = (action) => {
    if (!items.length || !named()) return;
    decide(current, action);
    choices();
    const said = action === "none" ? "Label " + (current + 1) + ": none of these, it goes." : "Label " + (current + 1) + " skipped.";
    if (items[current + 1]) go(current + 1);
    say(said);
  };
  const undo = () => {
    const before = undoable.pop();
    if (!before) { say("Nothing to undo."); return; }
    const [place, text] = before;
    if (text === null) decided.delete(names[place]);
    else decided.set(names[place], JSON.parse(text));
    save();
    row(place);
    tally();
    if (place === current) choices();
    else go(place);
    say("Undone: label " + (place + 1) + ".");
  };

  // ------------------------------------------------------------------------------------------------- decisions as lines
  const lineOf = (place) => {
    const item = items[place], decision = decided.get(names[place]);
    const made = { query_id: item.query_id, key: item.key, label_sha: item.label_sha, action: decision.action };
    if (decision.action === "choose") {
      made.choices = item.candidates.filter((candidate) => candidate.chunk in decision.grades).map((candidate) => {
        const { chunk_id, doc_uri, text_sha, text } = chunks[candidate.chunk];
        const choice = { chunk_id, doc_uri, relevance: decision.grades[candidate.chunk] };
        if (text_sha !== undefined) choice.text_sha = text_sha;
        if (item.keeps_text && text !== undefined) choice.chunk_text = text;
        return choice;
      });
    }
    if (queue.corpus_fingerprint) made.corpus_fingerprint = queue.corpus_fingerprint;
    made.labeled_by = "human:" + decision.by;
    made.labeled_at = decision.at;
    return JSON.stringify(made) + "\n";
  };
  const exported = () => items.map((item, place) => (decided.has(names[place]) ? lineOf(place) : "")).join("");
  const download = () => {
    const link = make("a", { download: "decisions.jsonl", href: URL.createObjectURL(new Blob([exported()], { type: "application/jsonl" })) });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(count(decided.size, "decision") + " exported to decisions.jsonl.");
  };
  const taken = (line) => {
    const value = JSON.parse(line);
    const place = places.get(JSON.stringify([value.query_id, value.key, value.label_sha]));
    if (place === undefined || typeof value.labeled_by !== "string" || !value.labeled_by.startsWith("human:")) return null;
    const decision = { action: value.action, by: value.labeled_by.slice("human:".length), at: value.labeled_at };
    if (value.action === "choose") {
      if (!Array.isArray(value.choices)) return null;
      const offered = new Map(items[place].candidates.map((candidate) => [chunks[candidate.chunk].chunk_id, candidate.chunk]));
      if (!value.choices.every((choice) => choice && offered.has(choice.chunk_id))) return null;
      decision.grades = Object.fromEntries(value.choices.map((choice) => [offered.get(choice.chunk_id), choice.relevance]));
    }
    return sound(items[place], decision) ? [place, decision] : null;
  };
  const importText = (text) => {
    let took = 0, other = 0;
    for (const line of text.split("\n")) {
      if (!line.trim() || line.trim().startsWith("//")) continue;
      let found = null;
      try { found = taken(line); } catch { /* counted below */ }
      if (found === null) { other += 1; continue; }
      remember(found[0]);
      decided.set(names[found[0]], found[1]);
      row(found[0]);
      took += 1;
    }
    save();
    tally();
    choices();
    say(count(took, "decision") + " imported" + (other ? "; " + count(other, "line") + " left aside: no decision about these labels and chunks" : "") + ".", other > 0);
  };

  // ----------------------------------------------------------------------------------------------------------- the name
  const wrongName = (name) => {
    if (name.trim() === "") return "The name is empty.";
    if (name !== name.trim() || [...name].length > 200) return "The name is too long, or has white space around it.";
    return /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(name) ? "The name holds characters that cannot be printed." : "";
  };
  const askName = () => { at("name").value = reviewer; at("name-wrong").textContent = ""; if (!at("ask").open) at("ask").showModal(); };
  const setName = (name) => { reviewer = name; at("who").replaceChildren("You: ", bdi(name)); };

  // -------------------------------------------------------------------------------------------------------------- events
  at("ask-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = at("name").value.trim(), wrong = wrongName(name);
    at("name-wrong").textContent = wrong;
    if (wrong) return;
    setName(name);
    keep(NAME, name);
    at("ask").close();
  });
  at("who").addEventListener("click", askName);
  at("help").addEventListener("click", () => at("keys").showModal());
  at("keys-close").addEventListener("click", () => at("keys").close());
  at("previous").addEventListener("click", () => step(-1));
  at("next").addEventListener("click", () => step(1));
  at("open").addEventListener("click", nextLeft);
  at("none").addEventListener("click", () => settle("none"));
  at("skip").addEventListener("click", () => settle("skip"));
  at("undo").addEventListener("click", undo);
  at("export").addEventListener("click", download);
  at("import").addEventListener("click", () => at("file").click());
  at("file").addEventListener("change", async () => {
    const [file] = at("file").files;
    if (file) importText(await file.text());
    at("file").value = "";
  });
  at("show-list").addEventListener("click", () => {
    const open = at("list").classList.toggle("open");
    at("show-list").setAttribute("aria-expanded", String(open));
    if (open) rows[current]?.[0].scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    const target = event.target, tag = target.tagName;
    if (tag === "INPUT" && target.type !== "checkbox") return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "Enter" && (tag === "BUTTON" || tag === "A" || tag === "INPUT")) return;
    if (grading) {
      grading = false;
      if (/^[0-9]$/.test(key)) {
        event.preventDefault();
        const number = chosenLast();
        if (number !== null) Number(key) <= TOP ? setGrade(number, Number(key)) : say("Relevance goes up to " + TOP + ".", true);
        return;
      }
    }
    const act = {
      j: () => step(1), k: () => step(-1), Enter: nextLeft, x: () => settle("none"), s: () => settle("skip"), u: undo,
      "?": () => at("keys").showModal(),
      g: () => { if (chosenLast() !== null) { grading = true; say("Relevance: press 0 to " + Math.min(9, TOP) + "."); } },
      "0": () => { const number = chosenLast(); if (number !== null) setGrade(number, 0); },
      "+": () => { const number = chosenLast(); if (number !== null) regrade(number, 1); },
      "-": () => { const number = chosenLast(); if (number !== null) regrade(number, -1); },
    };
    act["="] = act["+"];
    if (/^[1-9]$/.test(key)) {
      event.preventDefault();
      const number = Number(key) - 1, candidate = items[current]?.candidates[number];
      choose(number, candidate ? !(candidate.chunk in gradesNow()) : true);
    } else if (Object.hasOwn(act, key)) {
      event.preventDefault();
      if (items.length || key === "?") act[key]();
    }
  });
  addEventListener("beforeunload", (event) => { if (unsaved && decided.size) event.preventDefault(); });
  // The same page in another tab: what is decided there is decided here.
  addEventListener("storage", (event) => {
    if (event.key !== STORE || event.newValue === null) return;
    load();
    rows.forEach((_, place) => row(place));
    tally();
    choices();
  });

  // --------------------------------------------------------------------------------------------------------------- begin
  at("source").append(...visible(queue.judgments));
  load();
  if (items[Number(read(PLACE))]) current = Number(read(PLACE));
  list();
  tally();
  const kept = read(NAME);
  setName(reviewer || (kept && !wrongName(kept) ? kept : ""));
  if (!reviewer) at("who").textContent = "Who are you?";
  if (items.length) go(current);
  else { detail(); for (const id of ["previous", "next", "none", "skip", "open"]) at(id).disabled = true; }
  if (decided.size) say(count(decided.size, "decision") + " of an earlier visit.");
  if (!reviewer && items.length) askName();
})();
