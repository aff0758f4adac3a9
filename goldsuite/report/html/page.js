"use strict";
(() => {
  const read = (name) => JSON.parse(document.getElementById(`${name}-data`).textContent);
  const rows = read("rows");
  const page = read("page");
  let details = null; // Parsed when the first case is opened.

  // Every text becomes a text node: nothing here ever parses HTML.
  const make = (tag, css, ...children) => {
    const made = document.createElement(tag);
    if (css) made.className = css;
    for (const child of children) {
      if (child) made.append(child);
    }
    return made;
  };
  const set = (made, attributes) => {
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const words = (text) => text.replaceAll("_", " ");
  const counted = (number, noun) =>
    `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  // Light and dark.
  const root = document.documentElement;
  const theme = document.getElementById("theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches;
  const nameTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  // Pages from disk may have no storage.
  const stored = (action) => { try { return action(); } catch { return null; } };
  const kept = stored(() => localStorage.getItem("goldsuite-theme"));
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  theme.hidden = false;
  theme.setAttribute("aria-label", "Switch between light and dark");
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    stored(() => localStorage.setItem("goldsuite-theme", root.dataset.theme));
    nameTheme();
  });
  prefersDark.addEventListener("change", nameTheme);
  nameTheme();

  // Filters.
  const state = { text: "", verdict: "", mode: "", tag: "", sort: "", down: false };
  const haystacks = rows.map((row) =>
    [row.id, row.question, row.detail, row.answer, row.gold, ...(row.tags || [])]
      .join("\n").toLowerCase());

  const counts = (valuesOf) => {
    const found = new Map();
    for (const row of rows) {
      for (const value of valuesOf(row)) found.set(value, (found.get(value) || 0) + 1);
    }
    return [...found].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  };
  // Named apart from the label: its text would take in the options.
  const labelled = (label, control) =>
    make("label", "", label, set(control, { "aria-label": label }));
  const choice = (label, every, name, options) => {
    const select = set(make("select"), { name });
    select.append(set(make("option", "", every), { value: "" }));
    for (const [value, text] of options) {
      select.append(set(make("option", "", text), { value }));
    }
    select.addEventListener("change", () => { state[name] = select.value; show(); });
    return labelled(label, select);
  };
  const withCounts = (found) => found.map(([value, n]) => [value, `${words(value)} (${n})`]);
  const asItIs = (found) => found.map(([value, n]) => [value, `${value} (${n})`]);

  const search = set(make("input"), {
    type: "search", name: "text", autocomplete: "off", spellcheck: "false",
  });
  search.addEventListener("input", () => { state.text = search.value; show(); });

  const verdicts = () => {
    const found = withCounts(counts((row) => [row.verdict]));
    const failed = rows.filter((row) => !row.passed).length;
    return [["-passed", `not passed (${failed})`], ...found];
  };

  const columns = [
    { key: "verdict", title: "Verdict", value: (row) => row.verdict, css: "verdict" },
    { key: "id", title: "Case", value: (row) => row.id },
    { key: "detail", title: "How or why", value: (row) => row.detail, css: "mid-only" },
    { key: "answer", title: "Answer", value: (row) => row.answer, css: "mid-only" },
    { key: "gold", title: "Gold", value: (row) => row.gold, css: "mid-only" },
    { key: "similarity", title: "Similarity", value: (row) => row.similarity, css: "num wide-only" },
    { key: "latency", title: "Latency", value: (row) => row.latency, css: "num wide-only" },
    { key: "cost", title: "Cost", value: (row) => row.cost, css: "num wide-only" },
  ].filter((column) => rows.some((row) => column.value(row) !== undefined));
  const sortBy = choice("Sort by", "suite order", "sort", columns.map((c) => [c.key, c.title]));

  const filters = make("div", "filters",
    labelled("Search", search),
    choice("Verdict", "all verdicts", "verdict", verdicts()),
    choice("Failure mode", "all modes", "mode", asItIs(counts((r) => (r.mode ? [r.mode] : [])))),
    choice("Tag", "all tags", "tag", asItIs(counts((row) => row.tags || []))),
    sortBy);
  set(filters, { role: "search", "aria-label": "Filter the cases" });
  const status = set(make("p", "dim"), { role: "status" });
  const reset = set(make("button", "", "Clear filters"), { type: "button" });
  reset.addEventListener("click", () => {
    Object.assign(state, { text: "", verdict: "", mode: "", tag: "" });
    for (const control of filters.querySelectorAll("input, select")) {
      if (control.name !== "sort") control.value = "";
    }
    show();
    search.focus();
  });

  const heads = columns.map((column) => {
    const button = set(make("button", "", column.title), { type: "button" });
    button.addEventListener("click", () => {
      state.down = state.sort === column.key && !state.down;
      state.sort = column.key;
      sortBy.querySelector("select").value = column.key;
      show();
    });
    return set(make("th", column.css || "", button), { scope: "col" });
  });
  const body = make("tbody");
  const table = make("table", "cases", make("thead", "", make("tr", "", ...heads)), body);
  table.prepend(make("caption", "", "Press a case to see its queries and what explains it"));
  const more = set(make("button", "more"), { type: "button" });
  document.getElementById("list").append(
    filters, make("div", "result", status, reset), table, more);

  // The list: rows are built when they are about to be seen.
  const CHUNK = 60;
  let shown = []; // Places of the rows that pass the filters, in order.
  let built = 0;

  const passes = (row, place, needles) =>
    (!state.verdict ||
      (state.verdict === "-passed" ? !row.passed : row.verdict === state.verdict)) &&
    (!state.mode || row.mode === state.mode) &&
    (!state.tag || (row.tags || []).includes(state.tag)) &&
    needles.every((needle) => haystacks[place].includes(needle));

  const collator = new Intl.Collator("en", { numeric: true });
  const order = (a, b) => {
    const { value } = columns.find((column) => column.key === state.sort);
    const [one, other] = [value(rows[a]), value(rows[b])];
    if (one === undefined || other === undefined) {
      return (one === undefined) - (other === undefined) || a - b; // What is absent comes last.
    }
    const found = typeof one === "number" ? one - other : collator.compare(one, other);
    return (state.down ? -found : found) || a - b;
  };

  const show = () => {
    const needles = state.text.toLowerCase().split(/\s+/).filter(Boolean);
    shown = [...rows.keys()].filter((place) => passes(rows[place], place, needles));
    if (state.sort) shown.sort(order);
    columns.forEach((column, number) => {
      const isSorted = column.key === state.sort;
      const way = state.down ? "descending" : "ascending";
      set(heads[number], { "aria-sort": isSorted ? way : "none" });
      heads[number].firstChild.textContent =
        column.title + (isSorted ? (state.down ? " ↓" : " ↑") : "");
    });
    body.replaceChildren();
    built = 0;
    grow();
    const all = counted(rows.length, "case");
    status.textContent = shown.length === rows.length
      ? all : `${shown.length.toLocaleString("en")} of ${all}`;
    reset.hidden = !(state.text || state.verdict || state.mode || state.tag);
  };

  const grow = (number = CHUNK) => {
    const next = shown.slice(built, built + number);
    body.append(...next.map(buildRow));
    built += next.length;
    more.hidden = built >= shown.length;
    more.textContent = `Show more (${counted(shown.length - built, "case")} below)`;
  };

  const cells = {
    verdict: (row) => [
      set(make("span", `mark ${row.verdict}`, row.mark), { "aria-hidden": "true" }),
      make("span", "word", ` ${words(row.verdict)}`),
    ],
    id: (row) => [
      set(make("button", "", row.id), { type: "button", "aria-haspopup": "dialog" }),
      make("div", "question", row.question),
      row.detail && make("div", "narrow-only", row.detail),
    ],
    detail: (row) => [make("div", "clip", row.detail)],
    answer: (row) => [make("div", "clip", row.answer)],
    gold: (row) => [make("div", "clip", row.gold)],
    similarity: (row) => [row.similarity === undefined ? "" : row.similarity.toFixed(2)],
    latency: (row) => [row.latency_text],
    cost: (row) => [row.cost_text],
  };
  const buildRow = (place) => {
    const row = rows[place];
    const line = make("tr", "", ...columns.map((column) => {
      const tag = column.key === "id" ? "th" : "td";
      const cell = make(tag, column.css || "", ...cells[column.key](row));
      if (column.key === "id") cell.scope = "row";
      if (column.key === "verdict") cell.title = words(row.verdict);
      return cell;
    }));
    line.dataset.place = place;
    return line;
  };
  body.addEventListener("click", (event) => {
    const line = event.target.closest("tr");
    // Whoever selects text in a row does not want to open it.
    if (line && !String(getSelection())) open(Number(line.dataset.place));
  });
  more.addEventListener("click", () => grow());
  new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting) && !more.hidden) grow();
  }, { rootMargin: "800px" }).observe(more);
  addEventListener("beforeprint", () => grow(shown.length));

  // One case.
  const dialog = document.getElementById("case");
  let current = -1;

  const sql = (runs) => {
    const code = make("code");
    for (let i = 0; i < runs.length; i += 2) {
      code.append(runs[i] ? make("span", runs[i], runs[i + 1]) : runs[i + 1]);
    }
    return set(make("pre", "", code), { tabindex: "0" });
  };
  const list = (items) => make("ul", "", ...items.map((text) => make("li", "", text)));
  const grid = (name, columnNames, lines) => {
    const table = make("table");
    if (name) table.append(make("caption", "", name));
    if (columnNames) {
      const names = columnNames.map((text) => set(make("th", "", text), { scope: "col" }));
      table.append(make("thead", "", make("tr", "", ...names)));
    }
    table.append(make("tbody", "", ...lines.map((line) =>
      make("tr", "", ...line.map((text) => make("td", "", text))))));
    return set(make("div", "scroll", table), { tabindex: "0", role: "group", "aria-label": name });
  };

  const SIDES = {
    both: [" ", "both"], analyst: ["−", "only the analyst's"], gold: ["+", "only the gold's"],
  };
  const diff = (blocks) => blocks.map((block) => {
    const table = make("table", "diff");
    if (block.name) table.append(make("caption", "", `in ${block.name}`));
    const body = make("tbody");
    let before = "";
    for (const [clause, side, text] of block.lines) {
      const [sign, said] = SIDES[side];
      body.append(make("tr", side,
        make("td", "sign", sign, make("span", "unseen", said)),
        set(make("th", "", clause === before ? make("span", "unseen", clause) : clause),
          { scope: "row" }),
        make("td", "", text)));
      before = clause;
    }
    table.append(body);
    return make("div", "scroll", table);
  });

  const part = (title, ...children) => {
    const given = children.flat().filter(Boolean);
    return given.length ? [make("h3", "", title), ...given] : [];
  };

  const answers = (row, found) => {
    if (found.hidden) {
      return part("Answer", make("p", "dim",
        "Held out: answer, gold and SQL are not in this file; --reveal puts them in."));
    }
    return [
      ...part("Answer", make("div", "pair",
        make("div", "", make("h4", "", "Analyst"), make("div", "said", row.answer)),
        make("div", "", make("h4", "", "Gold"), make("div", "wanted", row.gold)))),
      found.reason && make("p", "", found.reason),
      found.gold_rows && make("details", "",
        make("summary", "", "Rows of the gold"),
        grid("Rows of the gold", null, found.gold_rows.rows),
        found.gold_rows.more && make("p", "dim", `and ${counted(found.gold_rows.more, "row")} more`)),
    ];
  };

  const queries = (found) => {
    const side = (title, runs) => runs && make("div", "", make("h4", "", title), sql(runs));
    if (!found.analyst_sql && !found.gold_sql) return [];
    return [
      ...part("Queries", make("div", "pair",
        side("Analyst", found.analyst_sql), side("Gold", found.gold_sql))),
      ...part("Difference, part by part",
        found.diff && make("p", "dim small", "− only the analyst's, + only the gold's"),
        found.diff ? diff(found.diff) : []),
      found.diff_left_out && make("p", "dim",
        `Of more than ${page.most_diffs.toLocaleString("en")} pairs of queries the difference is `
        + `not worked out here; goldsuite show ${page.run} CASE has it.`),
    ];
  };

  const repair = (found) => part("Repair",
    list(found.edits), make("p", "", `It was run and returned ${found.returns}:`), sql(found.sql),
    found.alternatives.length && make("p", "dim", "Or:"),
    found.alternatives.length && list(found.alternatives));

  const trace = (steps, rest) => part("Trace of the analyst",
    make("details", "",
      make("summary", "", counted(steps.length + (rest || 0), "step")),
      make("ol", "steps", ...steps.map((step) => make("li", "",
        make("strong", "", step.head),
        step.text ? set(make("pre", "", step.text), { tabindex: "0" }) : null))),
      rest && make("p", "dim", `and ${counted(rest, "step")} more in answers.jsonl`)));

  const content = (row, found) => [
    ...part("Question", make("p", "", row.question),
      found.asked_for && make("p", "dim", `A paraphrase of: ${found.asked_for}`)),
    ...answers(row, found),
    ...part("What broke", found.error && make("p", "", found.error)),
    ...queries(found),
    ...part("Why", found.cause && make("p", "", make("strong", "", found.cause)),
      found.evidence && list(found.evidence), found.latent && list(found.latent)),
    ...(found.repair ? repair(found.repair) : []),
    ...part("Was it luck?", ...(found.luck || []).map((text) => make("p", "", text)),
      ...(found.counterexample || []).map((t) => t.rows.length
        ? grid(t.name, t.columns, t.rows) : make("p", "dim", `${t.name}: no rows`))),
    ...part("Judge", found.judge && list(found.judge)),
    ...part("Figures", found.facts && make("dl", "facts", ...found.facts.map(([name, text]) =>
      make("div", "", make("dt", "", name), make("dd", "", text))))),
    ...(found.trace ? trace(found.trace, found.trace_more) : []),
  ].filter((child) => child);

  const step = (label, text, by) => {
    const button = set(make("button", "", text), { type: "button", "aria-label": label });
    const place = shown.indexOf(current) + by;
    button.disabled = shown.indexOf(current) < 0 || place < 0 || place >= shown.length;
    button.addEventListener("click", () => open(shown[place], label));
    return button;
  };
  const open = (place, focused) => {
    details ??= read("details");
    current = place;
    const row = rows[place];
    const title = make("h2", "",
      set(make("span", `mark ${row.verdict}`, row.mark), { "aria-hidden": "true" }),
      ` ${row.id}: ${words(row.verdict)}`);
    title.id = "case-title";
    const close = set(make("button", "", "Close"), { type: "button" });
    close.addEventListener("click", () => dialog.close());
    const head = make("div", "case-head", title,
      step("Previous case", "←", -1), step("Next case", "→", 1), close);
    dialog.replaceChildren(head, make("div", "case-body", ...content(row, details[place])));
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    const again = focused && head.querySelector(`[aria-label="${focused}"]:not(:disabled)`);
    (again || close).focus();
    history.replaceState(null, "", `#case=${encodeURIComponent(row.id)}`);
  };
  dialog.addEventListener("close", () => history.replaceState(null, "", "#cases"));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    // Arrows inside of a query scroll it.
    if (event.target.closest("pre, .scroll, summary")) return;
    const label = { ArrowLeft: "Previous case", ArrowRight: "Next case" }[event.key];
    if (label) dialog.querySelector(`[aria-label="${label}"]`).click();
  });

  const named = (id) => rows.findIndex((row) => row.id === id);
  // A case that was asked several times has its trials behind its id.
  const placeOf = (id) => {
    const exact = named(id);
    return exact >= 0 ? exact : rows.findIndex((row) =>
      row.id.startsWith(`${id} (trial `) && !row.passed);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-case]");
    if (!link) return;
    event.preventDefault();
    const place = placeOf(link.dataset.case);
    if (place >= 0) open(place);
  });
  const follow = () => {
    if (!location.hash.startsWith("#case=")) return;
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(6)); } catch { return; }
    const place = placeOf(id);
    if (place >= 0 && place !== current) open(place);
  };
  addEventListener("hashchange", follow);
  show();
  follow();
})();
