"use strict";
/* The page of `etcore report`. Every text from a file becomes a text node (put() below). innerHTML is
 * not used, so markup in a name is displayed as text. */
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const two = data.groups.length > 1;

/* ---- elements ---------------------------------------------------------------------- */

/* Unprintable characters are shown as code points, so that they cannot hide or reverse the text after them. */
const clean = text => String(text).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu,
	c => "\\u{" + c.codePointAt(0).toString(16) + "}");
const clean_lines = text => String(text).split("\n").map(clean).join("\n");

/* The beginning of a long text, for narrow places. */
const short = (text, most = 120) => [...String(text)].length > most ? [...String(text)].slice(0, most - 1).join("") + "…" : String(text);

function put(node, attributes, children)
{
	for (const [name, value] of Object.entries(attributes || {})) {
		if (value === null || value === undefined || value === false)
			continue;
		if (name.startsWith("on"))
			node.addEventListener(name.slice(2), value);
		else
			node.setAttribute(name, typeof value === "string" ? clean(value) : value);
	}
	for (const child of children.flat())
		if (child !== null && child !== undefined)
			node.append(child instanceof Node ? child : clean(child));
	return node;
}
const el = (tag, attributes, ...children) => put(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
	put(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

let ids = 0;
const fresh = () => "e" + ++ids;

function section(title, ...children)
{
	const id = fresh(), heading = el("h2", { id, tabindex: "-1" }, title);
	const node = el("section", { "aria-labelledby": id }, heading, ...children);

	main.append(node);
	document.getElementById("contents").append(el("li", null, el("a", { href: "#" + id }, title)));
	return node;
}

/* A labelled <select>; `options` are [value, text]. */
function choice(label, options, change)
{
	const select = el("select", { onchange: () => change(select.value) },
		options.map(([value, text]) => el("option", { value: String(value) }, text)));

	return { node: el("label", null, label, select), select };
}

/* A <details> whose content is made when it is opened for the first time. */
function unfolding(title, make)
{
	const node = el("details", { ontoggle: () => node.build() }, el("summary", null, title));

	node.build = () => {
		if (node.open && node.children.length === 1)
			node.append(make());
	};
	return node;
}

/* An empty name is shown as "(no name)", and rows have the names that `analyze` shows. */
const some_name = name => name === null || name === undefined || name === "" ? "(no name)" : String(name);
const NAMES = new Map([["DELEGATE_CALL", "delegate call, as a whole"], ["OPERATOR_CALL", "operator dispatch"]]);
const named = name => NAMES.get(name) ?? some_name(name);
/* In a table, a long name is a <details>. */
const unfolded = name => [...name].length > 300 ? el("details", null, el("summary", null, short(name)), name) : name;

const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

/* ---- numbers ------------------------------------------------------------------------ */

const known = v => typeof v === "number" && isFinite(v);
const digits = v => v === 0 ? "0" : Math.abs(v) >= 100 ? v.toFixed(0) : Math.abs(v) >= 10 ? v.toFixed(1)
	: Math.abs(v) >= 0.001 ? v.toPrecision(3) : v.toExponential(1);

/* A time in ns with a unit that fits its size; other amounts with their own unit (null: unknown). */
function time(v, unit = "ns")
{
	if (!known(v))
		return "";
	if (unit !== "ns")
		return `${digits(v)} ${unit ?? "of an unknown unit"}`;
	for (const [name, per] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
		if (Math.abs(v) >= per * 0.9995)
			return `${digits(v / per)} ${name}`;
	return `${digits(v)} ns`;
}
const percent = v => known(v) ? v > 0 && v < 0.0005 ? "< 0.1 %" : `${(100 * v).toFixed(1)} %` : "";
function bytes(v)
{
	if (!known(v))
		return "";
	for (const [name, per] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 1024]])
		if (v >= per)
			return `${digits(v / per)} ${name}`;
	return `${v} B`;
}

/* CSV with quotes, as `analyze -o csv` writes it. */
function csv(text)
{
	const rows = [[]];
	const cells = /("(?:[^"]|"")*"|[^,\n]*)(,|\n|$)/g;

	for (let m; cells.lastIndex < text.length && (m = cells.exec(text));) {
		rows[rows.length - 1].push(m[1][0] === '"' ? m[1].slice(1, -1).replace(/""/g, '"') : m[1]);
		if (m[2] === "\n")
			rows.push([]);
	}
	const [names, ...body] = rows;
	return body.filter(r => r.length === names.length)
		.map(r => Object.fromEntries(names.map((n, i) => [n, r[i]])));
}

/* ---- colours ------------------------------------------------------------------------- */

/* Colours that are light enough for dark text in both themes. */
const COLOURS = ["#8fbcf0", "#f2b880", "#9fd6a3", "#e6a0c4", "#cdb7f0", "#f0d77a", "#8fd8d2", "#f2a08f", "#c3d27a",
	"#b7c4d6"];
const GRAY = "#c4cad1";
const colours = new Map();
function colour(name)
{
	if (!name)
		return GRAY;
	if (!colours.has(name))
		colours.set(name, COLOURS[colours.size % COLOURS.length]);
	return colours.get(name);
}
const variable = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* ---- what a group has ----------------------------------------------------------------- */

/* Duration of a run, in the unit of its dump. */
const ran = r => +r.total_ns || +r.total_raw || 0;
/* A statistic of a path, in ns or in the unit of its dump. */
const of_runs = (p, what) => p[`${what}_ns`] ?? p[`${what}_raw`] ?? null;

function is_head_of(head, method, path)
{
	const name = clean(method ?? "execute"), rest = head[0].slice(name.length);

	return head[0].startsWith(name) && (!/^, path \d/.test(rest) || rest.startsWith(`, path ${path.path} `)) &&
		rest.includes(`, ${path.runs} run`);
}

/* The paths of an analysis. Files that were not pooled list their methods one after the other. */
function paths_of(group)
{
	const runs = csv(group.runs), seen = new Map(), paths = [], heads = group.heads.map(text => text.trim().split("\n"));

	for (const method of group.by.op.methods)
		for (const path of method.paths) {
			const key = `${method.name ?? ""}/${path.path}`;
			const all = runs.filter(r => (r.method || "") === (method.name ?? "") && +r.path === path.path);
			const files = [...new Set(all.map(r => r.file))];
			const same = group.by.op.methods.filter(m => m.name === method.name &&
				m.paths.some(p => p.path === path.path)).length;
			const nth = seen.get(key) ?? 0;
			const file = same > 1 ? files[nth] ?? null : null;

			seen.set(key, nth + 1);
			paths.push({ method: method.name, load: method.load_ns, ...path, file,
				runs_of: file === null ? all : all.filter(r => r.file === file),
				head: heads.filter(h => is_head_of(h, method.name, path))[nth] ?? null });
		}
	for (const p of paths) {
		p.name = p.method ?? "execute";
		if (paths.filter(q => q.method === p.method && q.file === p.file).length > 1)
			p.name += `, path ${p.path}`;
		if (p.file !== null)
			p.name += `, ${p.file}`;
		p.kept = p.runs_of.filter(r => r.use !== "warm-up").reduce((sum, r) => sum + ran(r), 0);
		p.weight = p.runs_of.reduce((sum, r) => sum + ran(r), 0);
		p.unit = p.unit ?? "ns";
	}
	return paths;
}
const of_path = (rows, p) => rows.filter(r => (r.method ?? null) === p.method && r.path === p.path &&
	(p.file === null || r.columns.file === p.file));

const groups = data.groups.map((g, i) => ({
	...g, name: two ? Object.values(data.changes)[0].groups[i].name : null, paths: paths_of(g) }));
const now = { group: groups[0], path: null };
/* The number and sums of a path's rows that are not on the page. */
const left_of = (group, by, p) => (group.left?.[by] ?? []).find(l => (l.method ?? null) === (p ? p.method : null) &&
	(!p || l.path === p.path && (p.file === null || l.file === p.file))) ?? null;
const heaviest = paths => paths.reduce((best, p) => !best || p.weight > best.weight ? p : best, null);
now.path = heaviest(now.group.paths);

/* Functions that draw a part of the page; they are called again when another group or path is chosen. */
const drawn = [];
const draw = f => { drawn.push(f); f(); };
const redraw = () => drawn.forEach(f => f());
/* Functions that draw pictures as wide as the page; they are also called again when its width changes. */
const sized = [];
const draw_wide = f => { sized.push(f); draw(f); };
const width_of = place => Math.max(280, Math.min(1400, place.clientWidth || main.clientWidth || 1000));

/* ---- verdict --------------------------------------------------------------------------- */

function library_of(rows)
{
	const asked = rows.filter(r => r.columns.kernel_library_ran);

	return asked.length ? { ran: asked.filter(r => r.columns.kernel_library_ran === "yes").reduce((n, r) => n + r.calls, 0),
		all: asked.reduce((n, r) => n + r.calls, 0) } : null;
}

/* The text about the row with most of a path's time, or null. */
function largest(p)
{
	const rows = of_path(now.group.by.op.rows, p).filter(r => !r.detached), total = of_runs(p, "typical");
	const top = rows.reduce((best, r) => !best || (r.share ?? 0) > (best.share ?? 0) ? r : best, null);
	const hidden = total ? of_runs(p, "rounding") / total : 0;

	if (hidden > 0.5 || hidden > (top?.share ?? 0))
		return `${percent(hidden)} of it is cut off by a coarse clock and is in no row`;
	if (!top || !known(top.share) || top.share <= 0)
		return null;
	return `${known(top.self_max_ns) && top.self_max_ns > top.self_ns * 1.05 ? "at least " : ""}` +
		`${percent(top.share)} is ${short(named(top.name))}${top.calls > 1 ? ` (${top.calls} calls)` : ""}`;
}

function of_which_runs(p)
{
	const stat = now.group.by.op.stat, kept = p.runs - p.warmup;

	if (p.runs === 1)
		return "one run: includes first-run costs";
	return stat === "typical" && p.typical_runs < kept ? `typical of ${p.typical_runs} of ${kept} runs`
		: stat === "typical" ? `mean of ${counted(kept, "run")}` : `${stat} of ${kept} runs`;
}

function verdict()
{
	const p = now.path;

	if (two)
		return sentences().join("\n");
	if (!p)
		return "No run of a method is in the dump: only what was loaded.";
	const library = library_of(of_path(now.group.by.op.rows, p).filter(r => !r.detached));
	const total = of_runs(p, "typical"), others = now.group.paths.filter(q => q !== p);
	const all = now.group.paths.filter(q => q.file === p.file).reduce((sum, q) => sum + q.kept, 0);
	const part = q => q.file === p.file && all && q.kept !== all ? `, ${percent(q.kept / all)} of execute time` : "";
	const takes = q => `${short(q.name)} takes ${time(of_runs(q, "typical"), q.unit)} per run`;
	const parts = [known(total) ? `${takes(p)} (${of_which_runs(p)})${part(p)}` : `${short(p.name)}: how long it takes is not known`];

	if (largest(p))
		parts.push(largest(p));
	if (library && library.all)
		parts.push(`KleidiAI ran ${library.ran} of ${library.all} matrix kernels`);
	for (const q of others.slice(0, 5))
		parts.push(`${takes(q)}${part(q)}`);
	if (others.length > 5)
		parts.push(`${others.length - 5} more paths`);
	return parts.join("; ") + ".";
}

/* ---- tables ------------------------------------------------------------------------------ */

/* A table whose columns sort. A column: { title, value(row), show(row), number, head }; the first
 * sorts by `sorted`. */
function sortable(caption, columns, rows, foot = [], sorted = -1, falling = true)
{
	const body = el("tbody"), order = { by: sorted, falling };
	const heads = columns.map((c, i) => el("th", { scope: "col", class: c.number ? "number" : null },
		el("button", { type: "button", onclick: () => sort(i) }, c.title)));

	function sort(i)
	{
		order.falling = order.by === i ? !order.falling : !!columns[i].number;
		order.by = i;
		fill();
	}
	function fill()
	{
		const list = [...rows];

		if (order.by >= 0) {
			const value = columns[order.by].value;

			list.sort((a, b) => {
				const x = value(a) ?? null, y = value(b) ?? null;

				if (x === null || y === null)
					return (x === null) - (y === null);
				return (typeof x === "number" ? x - y : String(x).localeCompare(String(y))) *
					(order.falling ? -1 : 1);
			});
		}
		heads.forEach((h, i) => h.setAttribute("aria-sort", i !== order.by ? "none"
			: order.falling ? "descending" : "ascending"));
		body.replaceChildren(...list.map(r => el("tr", null, columns.map((c, i) => {
			const content = c.show ? c.show(r) : c.value(r) ?? "", head = i === 0 && c.head;

			return el(head ? "th" : "td", { class: c.number ? "number" : c.head ? "name" : c.wide ? "wide" : null, scope: head ? "row" : null },
				content instanceof Node || Array.isArray(content) ? content : unfolded(head ? some_name(content) : String(content)));
		}))));
	}
	fill();
	return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
		el("table", null, el("caption", { class: "soft" }, caption), el("thead", null, el("tr", null, heads)), body,
			foot.length ? el("tfoot", null, foot.map(cells => el("tr", null, cells.map((c, i) =>
				el("td", { class: columns[i].number ? "number" : null }, c))))) : null));
}

/* The last row of a table, for the rows that it leaves out; `sum` returns the text of a column. */
const more = (columns, count, sum = () => "") => count > 0 ? [columns.map((c, i) => i === 0 ? `${count} more` : sum(c))] : [];

const plain = (title, key) => ({ title, value: r => r[key] });

function bar(share)
{
	const node = el("span", { class: "share" });

	node.style.width = `${Math.max(0, Math.min(1, share ?? 0)) * 100}%`;
	return node;
}

/* ---- where the time went -------------------------------------------------------------------- */

const KEYS = { op: "operator", kernel: "kernel", module: "module", source: "source line", category: "category",
	backend: "backend", delegate: "delegate call", fallback: "operator outside delegates" };

function ranked_columns(by, rows)
{
	const some = f => rows.some(r => f(r) !== null && f(r) !== undefined && f(r) !== "");
	const list = [
		{ title: KEYS[by], value: r => named(r.name), head: true },
		{ title: "calls", value: r => r.calls, number: true },
		{ title: "per run", value: r => r.self_ns ?? r.columns.self_raw, number: true,
			show: r => amount_of(r) },
		{ title: "cut off, up to", value: r => known(r.self_max_ns) && known(r.self_ns) ? r.self_max_ns - r.self_ns : null,
			show: r => known(r.self_max_ns) && r.self_max_ns > r.self_ns ? `+${time(r.self_max_ns - r.self_ns)}` : "", number: true },
		{ title: "share", value: r => r.share, number: true, show: r => [percent(r.share), bar(r.share)] },
		{ title: "on", value: r => r.place },
		{ title: "kind", value: r => r.columns.variant ?? r.category },
		{ title: "how", value: r => by === "fallback" ? null : r.columns.how === "partition" ? "the partition" : r.columns.how },
		{ title: "class", value: r => r.columns.class },
		{ title: "code", value: r => r.columns.code },
		{ title: "module", value: r => r.columns.module },
		{ title: "shapes", value: r => r.columns.shapes },
		{ title: "reason", value: r => r.columns.reason },
		{ title: "KleidiAI", value: r => r.columns.kernel_library_ran, show: r => r.columns.kernel_library_ran
			? r.columns.kernel_library_ran + (r.columns.kernel_library_why ? ` (${r.columns.kernel_library_why})` : "") : "" },
		{ title: "spread", value: r => r.self_spread, number: true, show: r => percent(r.self_spread) },
	];

	return list.filter((c, i) => i < 3 || some(c.value) && (c.title !== "cut off, up to" || rows.some(r => r.self_max_ns > r.self_ns)));
}

/* The table of detached rows: times on another clock or in another unit, and rows below these. */
function detached_table(rows, left, caption = "Detached: subtracted from nothing, and in no share above")
{
	const columns = [
		{ title: "detached", value: r => named(r.name), head: true },
		{ title: "calls", value: r => r.calls, number: true },
		{ title: "per run", value: r => r.self_ns ?? r.columns.self_raw, number: true, show: r => amount_of(r) },
		{ title: "of these", value: r => r.share, number: true, show: r => percent(r.share) },
		{ title: "on", value: r => r.place },
		{ title: "why", value: r => r.columns.why },
	];

	return rows.length ? sortable(caption, columns, rows,
		more(columns, left?.detached ?? 0)) : null;
}

const amount_of = r => known(r.self_ns) ? time(r.self_ns) : known(r.columns?.self_raw ?? r.self_raw)
	? time(r.columns?.self_raw ?? r.self_raw, r.unit === undefined ? now.path?.unit ?? null : r.unit) : "?";

const text_of = r => [r.name, named(r.name), r.place, r.backend, r.category, ...Object.values(r.columns ?? {})].join(" ").toLowerCase();

function ranking()
{
	const place = el("div"), count = el("p", { class: "soft", role: "status" });
	const by = choice("A row is", Object.keys(now.group.by).map(k => [k, KEYS[k] ?? k]), fill);
	const category = choice("Category", [["", "all"]], fill);
	const filter = el("input", { type: "search", oninput: () => fill() });
	const controls = el("div", { class: "controls" }, by.node, category.node,
		el("label", null, "Only rows with", filter));

	function rows_of()
	{
		const all = now.group.by[by.select.value]?.rows ?? [];

		return now.path ? of_path(all, now.path) : all; /* a group without runs: rows of load times */
	}
	/* Time that belongs to no row, as `analyze` shows it below its table. */
	function rest_of(p)
	{
		const q = now.group.by[by.select.value]?.methods.flatMap(m => m.paths.map(x => ({ ...x, method: m.name })))
			.find(x => x.path === p?.path && x.method === p?.method && (now.group.paths.filter(y => y.path === x.path && y.method === x.method).length < 2 ||
				of_runs(x, "typical") === of_runs(p, "typical")));
		const total = q ? of_runs(q, "typical") : null;

		return known(total) && total > 0 ? [["rounding", of_runs(q, "rounding")],
			["unattributed: inside delegates", of_runs(q, "unattributed_delegate")],
			["in delegates", by.select.value === "fallback" ? of_runs(q, "delegated") : 0],
			["unattributed: between instructions", of_runs(q, "unattributed") - of_runs(q, "unattributed_delegate")]]
			.map(([name, v]) => ({ name, v, share: v / total })) : [];
	}
	function fill()
	{
		const rows = rows_of(), words = filter.value.toLowerCase().split(/\s+/).filter(w => w), p = now.path;
		const matching = rows.filter(r => (!category.select.value || r.category === category.select.value) &&
			words.every(w => text_of(r).includes(w)));
		const shown = matching.filter(r => !r.detached), attached = rows.filter(r => !r.detached);
		const columns = ranked_columns(by.select.value, attached), filtered = matching.length !== rows.length;
		const left = left_of(now.group, by.select.value, p), all = attached.length + (left?.rows ?? 0);
		const foot = filtered ? [] : [
			...left ? more(columns, left.rows, c => c.title === "per run" ? amount_of(left) : c.title === "share" ? percent(left.share) : "") : [],
			...rest_of(p).filter(r => r.v).map(r => columns.map((c, i) => i === 0 ? r.name
				: c.title === "per run" ? time(r.v, p.unit) : c.title === "share" ? percent(r.share) : ""))];

		count.textContent = (shown.length === all ? counted(all, "row") : `${shown.length} of ${counted(all, "row")}`) +
			(filtered ? `, ${percent(shown.reduce((s, r) => s + (r.share ?? 0), 0))} of the time` : "") +
			(filtered && left?.rows ? `; ${left.rows} are not on the page` : "");
		place.replaceChildren(sortable(`Time by ${KEYS[by.select.value]}`, columns, shown, foot),
			columns.some(c => c.title === "cut off, up to")
				? el("p", { class: "keys" }, "Cut off: what a clock that counts whole units may hide of the calls of a row.") : "",
			detached_table(matching.filter(r => r.detached), filtered ? null : left) ?? "");
	}
	section("Where the time went", controls, count, place);
	draw(() => {
		const names = [...new Set(rows_of().map(r => r.category).filter(c => c))].sort();

		by.select.replaceChildren(...Object.keys(now.group.by).map(k => el("option", { value: k }, KEYS[k] ?? k)));
		category.select.replaceChildren(el("option", { value: "" }, "all"), ...names.map(n => el("option", { value: n }, n)));
		fill();
	});
}

/* ---- flame graph --------------------------------------------------------------------------- */

/* Indices of the members of a slice of a timeline (timeline.c). */
const [PARENT, FROM, LENGTH, TIME, SELF, KIND, START, WHY, NAME, BACKEND, CATEGORY, MODULE, SOURCE, UNIT] = Array(14).keys();
const STARTS = ["measured", "invented by the backend", "on a clock of its own", "only the duration is known", "unknown"];

/* A time of a slice with its unit, which may be another one than that of the timeline. */
function span_of(t, s, v)
{
	const unit = t.texts[s[UNIT]] ?? t.unit;

	return v === null ? "?" : time(v / t.den, unit === "unknown" ? null : unit);
}

const timeline_of = () => now.group.timelines.find(t => now.path && t.path === now.path.path &&
	(t.method ?? null) === now.path.method && (now.path.file === null || t.file === now.path.file)) ?? (now.path ? undefined : now.group.timelines[0]);

function module_tree()
{
	const root = { name: "model", value: 0, children: new Map() }, p = now.path, left = left_of(now.group, "module", p);

	for (const r of of_path(now.group.by.module.rows, p)) {
		if (r.detached || !known(r.self_ns))
			continue;
		let at = root;
		const several = r.name.includes(", ");
		const parts = r.name === "(root)" ? ["(root)"] : several ? ["several modules", r.name] : r.name.split(".");

		root.value += r.self_ns;
		for (const part of parts) {
			if (!at.children.has(part))
				at.children.set(part, { name: part, value: 0, children: new Map() });
			at = at.children.get(part);
			at.value += r.self_ns;
		}
		at.detail = r.columns.class;
	}
	if (left?.self_ns > 0) {
		root.children.set("\0left", { name: `${left.rows} more`, value: left.self_ns, children: new Map(), gray: true });
		root.value += left.self_ns;
	}
	const rest = (p.typical_ns ?? 0) - root.value;
	if (rest > 0) {
		root.children.set("\0rest", { name: "in no module: rounding, unattributed, other operators", value: rest, children: new Map(), gray: true });
		root.value += rest;
	}
	return root;
}

function call_tree()
{
	const t = timeline_of(), nodes = [], top = { name: "run", value: 0, children: new Map() };

	for (const s of t.slices) {
		const parent = s[PARENT] < 0 ? top : nodes[s[PARENT]];
		const name = some_name(t.texts[s[NAME]]);

		if (s[WHY] || !parent) { /* not part of its parent's time */
			nodes.push(null);
			continue;
		}
		if (!parent.children.has(name)) {
			const kind = t.texts[s[CATEGORY]] ?? t.texts[s[BACKEND]];

			parent.children.set(name, { name, value: 0, children: new Map(), kind, gray: !kind });
		}
		const node = parent.children.get(name);
		node.value += s[LENGTH] / t.den;
		nodes.push(node);
	}
	const all = [...top.children.values()];
	top.value = all.reduce((sum, c) => sum + c.value, 0);
	return all.length === 1 ? all[0] : top;
}

const ROW = 22;

function flame()
{
	const place = el("div", { class: "flame", role: "tree", "aria-label": "Flame graph" }), said = el("output");
	const by = choice("A level is", [], () => { root = null; fill(); });
	let root = null, zoom = null, cells = [];

	function show(cell)
	{
		cells.forEach(c => c.node.setAttribute("tabindex", c === cell ? "0" : "-1"));
		cell.node.focus();
	}
	function tell(cell)
	{
		const unit = by.select.value === "call" ? timeline_of().unit : "ns";

		said.textContent = clean(`${cell.path.join(" › ")}: ${time(cell.tree.value, unit)}, ${percent(cell.tree.value / cell.root.value)}` +
			(cell.tree.detail ? `, ${cell.tree.detail}` : ""));
	}
	function go(cell, key)
	{
		const at = cells.indexOf(cell), siblings = cells.filter(c => c.parent === cell.parent), i = siblings.indexOf(cell);
		const to = { ArrowLeft: siblings[i - 1], ArrowRight: siblings[i + 1], ArrowUp: cell.parent,
			ArrowDown: cells.find(c => c.parent === cell), Home: cells[0], End: cells[cells.length - 1] }[key];

		if (key === "Escape") {
			zoom = null;
			fill();
			show(cells[0]);
			return true;
		}
		if (to)
			show(to);
		return !!to || at < 0;
	}
	function add(tree, from, width, depth, parent, root, path)
	{
		if (width < 0.0015)
			return;
		const cell = { tree, parent, root, path: [...path, tree.name] };

		cell.node = el("button", { type: "button", role: "treeitem", "aria-level": String(depth + 1), tabindex: "-1",
			"aria-label": `${tree.name}, ${percent(tree.value / root.value)}`,
			onclick: () => { zoom = zoom === tree ? null : tree; fill(); show(cells.find(c => c.tree === tree) ?? cells[0]); },
			onfocus: () => tell(cell), onpointerenter: () => tell(cell),
			onkeydown: e => { if (go(cell, e.key)) e.preventDefault(); } }, width > 0.02 ? tree.name : "");
		cell.node.style.left = `${from * 100}%`;
		cell.node.style.width = `${width * 100}%`;
		cell.node.style.top = `${depth * ROW}px`;
		cell.node.style.background = tree.gray ? GRAY : colour(tree.kind ?? tree.name);
		cells.push(cell);
		let at = from;
		const sum = [...tree.children.values()].reduce((s, c) => s + c.value, 0), per = Math.max(sum, tree.value) || 1;
		for (const child of [...tree.children.values()].sort((a, b) => b.value - a.value)) {
			add(child, at, width * child.value / per, depth + 1, cell, root, cell.path);
			at += width * child.value / per;
		}
	}
	const deepest = () => cells.reduce((d, c) => Math.max(d, c.path.length), 1);
	function fill()
	{
		if (!root) {
			root = by.select.value === "module" ? module_tree() : call_tree();
			zoom = null;
		}
		cells = [];
		add(zoom ?? root, 0, 1, 0, null, root, []);
		cells[0]?.node.setAttribute("tabindex", "0");
		place.style.height = `${deepest() * ROW + 2}px`;
		place.replaceChildren(...cells.map(c => c.node));
	}
	const node = section("Flame graph", el("div", { class: "controls" }, by.node), place, said,
		el("p", { class: "keys" }, "A click or Enter zooms into a part, arrow keys move, Escape shows all."));
	draw(() => {
		const kinds = [];

		if (now.group.by.module && now.path && known(now.path.typical_ns))
			kinds.push(["module", "a module (typical run, mean)"]);
		if (timeline_of()?.slices.length)
			kinds.push(["call", "a call (one typical run)"]);
		node.hidden = kinds.length === 0;
		by.select.replaceChildren(...kinds.map(([v, t]) => el("option", { value: v }, t)));
		root = null;
		if (kinds.length)
			fill();
	});
}

/* ---- timeline ------------------------------------------------------------------------------- */

function timeline()
{
	const canvas = el("canvas", { tabindex: "0", role: "application", "aria-label": "Timeline of one run", onkeydown: key,
		onwheel: wheel, onpointerdown: press, onpointermove: move, onpointerup: release, onpointerleave: release,
		ondblclick: () => { if (chosen >= 0) onto(chosen); } });
	const said = el("output"), about = el("p", { class: "soft" }), list = unfolding("The slices as a table", () => table());
	let t, rows, low, high, from, to, chosen, drag = null;

	function lanes()
	{
		const ends = [];

		rows = [];
		for (const s of t.slices) {
			let row = s[PARENT] < 0 ? 0 : rows[s[PARENT]] + 1;

			while ((ends[row] ?? -Infinity) > s[FROM])
				row++;
			rows.push(row);
			ends[row] = Math.max(ends[row] ?? -Infinity, s[FROM] + s[LENGTH]);
		}
		return ends.length;
	}
	function whole()
	{
		low = Math.min(...t.slices.map(s => s[FROM]));
		high = Math.max(...t.slices.map(s => s[FROM] + s[LENGTH]), low + 1);
		from = low;
		to = high;
	}
	const x = v => (v - from) / (to - from) * canvas.clientWidth;
	function paint()
	{
		const scale = window.devicePixelRatio || 1, c = canvas.getContext("2d"), width = canvas.clientWidth;

		canvas.width = width * scale;
		canvas.height = canvas.clientHeight * scale;
		c.setTransform(scale, 0, 0, scale, 0, 0);
		c.clearRect(0, 0, width, canvas.clientHeight);
		c.font = "12px system-ui, sans-serif";
		c.fillStyle = variable("--soft");
		for (let i = 0; i < 5; i++)
			c.fillText(time((from + (to - from) * i / 5) / t.den, t.unit), width * i / 5 + 2, 12);
		t.slices.forEach((s, i) => {
			const left = Math.max(x(s[FROM]), -1), right = Math.min(x(s[FROM] + s[LENGTH]), width + 1);

			if (right < 0 || left > width)
				return;
			const top = 18 + rows[i] * ROW, wide = Math.max(right - left, 0.7);
			c.globalAlpha = s[START] ? 0.75 : 1;
			c.fillStyle = colour(t.texts[s[CATEGORY]] ?? t.texts[s[BACKEND]]);
			c.fillRect(left, top, wide, ROW - 2);
			c.globalAlpha = 1;
			if (s[START] && wide > 3) { /* a dashed edge: where it starts was not measured */
				c.setLineDash([3, 3]);
				c.strokeStyle = "#10151c";
				c.strokeRect(left + 0.5, top + 0.5, wide - 1, ROW - 3);
				c.setLineDash([]);
			}
			if (i === chosen) {
				c.strokeStyle = variable("--text");
				c.lineWidth = 2;
				c.strokeRect(left, top, wide, ROW - 2);
				c.lineWidth = 1;
			}
			if (wide > 30) {
				c.save();
				c.beginPath();
				c.rect(left, top, wide - 3, ROW);
				c.clip();
				c.fillStyle = "#10151c";
				c.fillText(clean(t.texts[s[NAME]] ?? ""), left + 3, top + 14);
				c.restore();
			}
		});
	}
	const table = () => sortable("The longest slices", [
		{ title: "what", value: s => t.texts[s[NAME]], head: true },
		{ title: "start", value: s => s[FROM], show: s => time(s[FROM] / t.den, t.unit), number: true },
		{ title: "time", value: s => s[UNIT] === undefined ? s[TIME] : null, show: s => span_of(t, s, s[TIME]), number: true },
		{ title: "itself", value: s => s[UNIT] === undefined ? s[SELF] : null, show: s => span_of(t, s, s[SELF]), number: true },
		{ title: "on", value: s => t.texts[s[BACKEND]] }, { title: "module", value: s => t.texts[s[MODULE]] },
		{ title: "start is", value: s => STARTS[s[START]] }],
	[...t.slices].sort((a, b) => (a[UNIT] !== undefined) - (b[UNIT] !== undefined) || b[TIME] - a[TIME]).slice(0, 200), more(Array(7).fill(0), t.slices.length - 200 + (t.slices.length > 200 ? t.left : 0)));
	function look(a, b)
	{
		const length = Math.max(Math.min(b - a, high - low), Math.min(1, high - low));

		from = Math.max(low, Math.min(a, high - length));
		to = from + length;
		paint();
	}
	const zoom = (by, at = (from + to) / 2) => look(at - (at - from) * by, at + (to - at) * by);
	const pan = by => look(from + (to - from) * by, to + (to - from) * by);
	function choose(i)
	{
		const s = t.slices[i];

		if (!s)
			return;
		chosen = i;
		const place = [t.texts[s[MODULE]], t.texts[s[SOURCE]]].filter(v => v).join(", ");
		said.textContent = clean(`${t.texts[s[NAME]] ?? "?"}: ${span_of(t, s, s[TIME])}, of it itself ${span_of(t, s, s[SELF])}` +
			(t.texts[s[BACKEND]] ? `, on ${t.texts[s[BACKEND]]}` : "") + (place ? `; ${place}` : "") +
			`; start ${STARTS[s[START]]}` + (s[WHY] ? "; not part of its parent's time" : ""));
		if (s[FROM] > to || s[FROM] + s[LENGTH] < from)
			look(s[FROM] - (to - from) / 2, s[FROM] + (to - from) / 2);
		else
			paint();
	}
	const onto = i => look(t.slices[i][FROM] - t.slices[i][LENGTH] * 0.05, t.slices[i][FROM] + t.slices[i][LENGTH] * 1.05);
	function key(e)
	{
		const siblings = t.slices.map((_, i) => i).filter(i => t.slices[i][PARENT] === t.slices[chosen][PARENT]);
		const moves = {
			ArrowLeft: () => e.shiftKey ? pan(-0.25) : choose(siblings[siblings.indexOf(chosen) - 1] ?? chosen),
			ArrowRight: () => e.shiftKey ? pan(0.25) : choose(siblings[siblings.indexOf(chosen) + 1] ?? chosen),
			ArrowUp: () => choose(Math.max(0, t.slices[chosen][PARENT])),
			ArrowDown: () => choose(t.slices.findIndex(s => s[PARENT] === chosen)),
			"+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2),
			Enter: () => onto(chosen), Escape: () => look(low, high), Home: () => look(low, high),
		};

		if (moves[e.key] && !e.ctrlKey && !e.altKey && !e.metaKey) {
			moves[e.key]();
			e.preventDefault();
		}
	}
	function wheel(e)
	{
		if (!e.ctrlKey && !e.shiftKey)
			return;
		e.preventDefault();
		if (e.shiftKey)
			pan((e.deltaX || e.deltaY) / 1000);
		else
			zoom(e.deltaY > 0 ? 1.25 : 0.8, from + (to - from) * e.offsetX / canvas.clientWidth);
	}
	const at = e => t.slices.findLastIndex((s, i) => 18 + rows[i] * ROW <= e.offsetY && e.offsetY < 16 + (rows[i] + 1) * ROW &&
		x(s[FROM]) - 1 <= e.offsetX && e.offsetX <= Math.max(x(s[FROM] + s[LENGTH]), x(s[FROM]) + 1));
	function press(e)
	{
		drag = { x: e.offsetX, from, to, moved: false };
		canvas.setPointerCapture(e.pointerId);
	}
	function move(e)
	{
		if (!drag)
			return;
		drag.moved = drag.moved || Math.abs(e.offsetX - drag.x) > 3;
		const by = (drag.x - e.offsetX) / canvas.clientWidth * (drag.to - drag.from);
		if (drag.moved)
			look(drag.from + by, drag.to + by);
	}
	function release(e)
	{
		if (drag && !drag.moved && e.type === "pointerup")
			choose(at(e));
		drag = null;
	}
	const buttons = [["Zoom in", () => zoom(0.5)], ["Zoom out", () => zoom(2)], ["Earlier", () => pan(-0.25)],
		["Later", () => pan(0.25)], ["Whole run", () => look(low, high)]]
		.map(([text, act]) => el("button", { type: "button", onclick: act }, text));
	const node = section("Timeline of a typical run", about, el("div", { class: "controls" }, buttons), canvas, said,
		el("p", { class: "keys" }, "A click or the arrow keys choose a slice, + and - zoom, Enter zooms to it, Shift and arrows move, Home shows all; " +
			"Ctrl and the wheel zoom, dragging moves. A colour is a kind of work or a backend, grey the runtime. A dashed edge: the start was not measured."), list);
	draw(() => {
		t = timeline_of();
		node.hidden = !t?.slices.length;
		if (node.hidden)
			return;
		chosen = 0;
		whole();
		canvas.style.height = `${Math.min(lanes(), 60) * ROW + 22}px`;
		about.textContent = clean(`${t.run === null ? "Load" : `Run ${t.run}`} of ${t.file}` + (t.left ? `; ${t.left} shorter slices are not drawn` : ""));
		list.replaceChildren(list.firstChild);
		list.build();
		paint();
	});
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint_if);
	function paint_if()
	{
		if (!node.hidden)
			paint();
	}
	return paint_if;
}

/* ---- runs ------------------------------------------------------------------------------------ */

function runs()
{
	const place = el("div"), MOST = 2000;
	const node = section("Runs", place);

	draw_wide(() => {
		const p = now.path, all = p ? p.runs_of.filter(r => r.total_ns !== "" || r.total_raw !== "") : [];

		node.hidden = all.length === 0;
		if (!all.length)
			return;
		const step = Math.ceil(all.length / MOST), shown = all.filter((_, i) => i % step === 0);
		/* A warm-up run may take many times as long. The scale then ends at the longest other run. */
		const most = list => Math.max(0, ...list.map(ran)), kept = most(shown.filter(r => r.use !== "warm-up"));
		const top = (kept > 0 && most(shown) > 2 * kept ? kept : most(shown)) || 1, median = of_runs(p, "median");
		const width = width_of(place), height = 220, low = height - 36, high = 34;
		const left = 12 + 6.5 * Math.max(...[top, median].filter(known).map(v => time(v, p.unit).length));
		const x = i => left + 10 + (width - left - 30) * (shown.length === 1 ? 0.5 : i / (shown.length - 1));
		const y = v => low - (low - high) * v / top;
		const count = use => all.filter(r => r.use === use).length;
		const beside = (i, at, text) => svg("text", i < shown.length / 2 ? { x: x(i) + 8, y: at } : { x: x(i) - 8, y: at, "text-anchor": "end" }, text);
		const dots = shown.flatMap((r, i) => {
			const off = ran(r) > top, cx = x(i), cy = off ? 10 : y(ran(r));
			const title = svg("title", null, `${r.name}: ${time(ran(r), p.unit)}, ${r.use}`);
			const dot = r.use === "warm-up" ? svg("path", { class: "dot-warm-up", d: `M${cx - 4},${cy - 4}l8,8m0,-8l-8,8` }, title)
				: svg("circle", { class: r.use === "typical" ? "dot-typical" : "dot-kept", cx, cy, r: 4 }, title);

			return off && i < 2 ? [dot, beside(i, cy + 4, `${time(ran(r), p.unit)}: above the scale`)] : [dot];
		});
		const line = v => [svg("line", { class: "zero", x1: left, x2: width - 10, y1: y(v), y2: y(v) }),
			y(v) - y(top) > 12 ? svg("text", { x: 0, y: y(v) + 4 }, time(v, p.unit)) : null];
		const label = `${counted(all.length, "run")}: ${count("typical")} typical, ${counted(count("kept"), "other")}, ${count("warm-up")} set aside as warm-up; ` +
			["smallest min", "median median", "mean mean", "p90 p90", "largest max"].map(w => w.split(" "))
				.filter(([, key]) => known(of_runs(p, key))).map(([word, key]) => `${word} ${time(of_runs(p, key), p.unit)}`).join(", ") +
			(known(p.spread) ? `; spread ${percent(p.spread)}` : "");

		place.replaceChildren(el("p", null, label + (step > 1 ? `; every ${step}th is drawn` : "")),
			svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
				svg("line", { class: "axis", x1: left, x2: width - 10, y1: low, y2: low }), svg("text", { x: 0, y: low + 4 }, "0"),
				svg("text", { x: x(0), y: low + 20, "text-anchor": shown.length > 1 ? "start" : "middle" }, shown[0].name),
				shown.length > 1 ? svg("text", { x: x(shown.length - 1), y: low + 20, "text-anchor": "end" }, shown.at(-1).name) : null,
				known(median) ? line(median) : null, svg("text", { x: 0, y: y(top) + 4 }, time(top, p.unit)), dots),
			el("p", { class: "keys" }, "A full dot is a typical run: the table is made of these. A circle is another run, a cross a warm-up run. The dashed line is the median."),
			unfolding("The runs as a table", () => sortable("Each run", [
				{ title: "run", value: r => r.name, head: true },
				{ title: "time", value: ran, show: r => time(ran(r), p.unit), number: true },
				plain("counts as", "use"), plain("file", "file")], shown, more([0, 1, 2, 3], all.length - shown.length))));
	});
}

/* ---- roofline ------------------------------------------------------------------------------------ */

/* The powers of ten from below `low` to above `high`. */
function decades(low, high)
{
	const from = Math.floor(Math.log10(low)), to = Math.max(from + 1, Math.ceil(Math.log10(high)));

	return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/* The roofs: a slope each for memory and cache, a level for each type of arithmetic. */
function roofs_of(peaks)
{
	const types = Object.entries(peaks).filter(([key]) => !key.startsWith("gbps")), top = Math.max(...types.map(([, v]) => v), 0);

	return { top, types, slopes: [["memory", peaks.gbps], ["cache", peaks.gbps_cache]].filter(([, v]) => v) };
}

function roof_plot(points, peaks, width, label)
{
	const { top, types, slopes } = roofs_of(peaks), height = 360, left = 64, low = 34;
	const xs = points.map(r => r.columns.intensity), ys = points.map(r => r.columns.gflops);
	const ridge = slopes.map(([, v]) => top / v).filter(v => v > 0);
	const across = decades(Math.min(...xs, ...ridge) / 2, Math.max(...xs, ...ridge) * 2), up = decades(Math.min(...ys), Math.max(...ys, top || 1));
	const x = v => left + (width - left - 20) * (Math.log10(v) - across[0]) / (across.at(-1) - across[0]);
	const y = v => height - low - (height - low - 16) * (Math.log10(v) - up[0]) / (up.at(-1) - up[0]);
	const floor = 10 ** up[0], first = 10 ** across[0], last = 10 ** across.at(-1);
	const grid = [...across.map(d => [svg("line", { class: "zero", x1: x(10 ** d), x2: x(10 ** d), y1: 16, y2: height - low }),
		svg("text", { x: x(10 ** d) - 8, y: height - low + 16 }, `1e${d}`)]),
	...up.map(d => [svg("line", { class: "zero", x1: left, x2: width - 20, y1: y(10 ** d), y2: y(10 ** d) }), svg("text", { x: 0, y: y(10 ** d) + 4 }, `1e${d}`)])];
	const lines = [...slopes.map(([name, v]) => {
		const from = Math.max(first, floor / v), to = Math.min(last, (top || 10 ** up.at(-1)) / v);

		return from < to ? [svg("line", { class: `roof ${name}`, x1: x(from), y1: y(from * v), x2: x(to), y2: y(to * v) }),
			svg("text", { x: x(from) + 8, y: Math.min(height - low - 4, y(from * v) - 6) }, `${name} ${digits(v)} GB/s`)] : [];
	}), ...types.map(([name, v]) => [svg("line", { class: "roof", x1: x(first), y1: y(v), x2: x(last), y2: y(v) }),
		svg("text", { x: Math.max(left, width - 170), y: y(v) - 5 }, `${name} ${digits(v)} GFLOP/s`)])];
	const dots = points.map(r => svg("circle", { class: "dot-typical", cx: x(r.columns.intensity), cy: y(r.columns.gflops), r: 5 },
		svg("title", null, `${named(r.name)}: ${digits(r.columns.gflops)} GFLOP/s, ${percent(r.columns.roof_share) || r.columns.bound_by}`)));

	return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, grid.flat(), lines.flat(), dots,
		svg("text", { x: left, y: height - 2 }, "operations per byte, logarithmic"), svg("text", { x: left, y: 12 }, "10^9 operations per second, logarithmic"));
}

function roofline()
{
	const place = el("div"), node = section("Roofline", place);

	draw_wide(() => {
		const all = now.path && now.group.roofline ? of_path(now.group.roofline.rows, now.path).filter(r => !r.detached) : [];
		const of = key => r => r.columns[key], column = (key, more) => ({ title: now.group.titles[key], value: of(key), ...more });
		const number = (key, text) => column(key, { show: r => known(of(key)(r)) ? text(of(key)(r)) : "", number: true });
		const points = all.filter(r => r.columns.gflops > 0 && r.columns.intensity > 0 && r.columns.bound_by !== "wrong peak");

		node.hidden = !all.length;
		if (!all.length)
			return;
		const label = `${counted(points.length, "row")} by operations per byte and by speed, with the roofs of ` +
			`${Object.entries(now.group.peaks).map(([k, v]) => `${k} ${digits(v)}`).join(", ")}; the table has the numbers`;

		place.replaceChildren(el("p", null, "How fast each row is beside the peaks that were given, and what could be saved at most. The peaks are assumed to be those of the threads that ran."),
			points.length ? roof_plot(points, now.group.peaks, width_of(place), label) : el("p", null, "No row has both arithmetic and a time that the clock resolves."),
			sortable("Rows beside the roofs", [{ title: "operator", value: r => named(r.name), head: true },
				{ title: "per run", value: r => r.self_ns, show: r => known(r.self_ns) ? time(r.self_ns) : "", number: true },
				number("gflops", digits), number("gbps", digits), number("intensity", digits), number("roof_share", percent),
				column("bound_by"), number("saved_ns", time), column("work_why")], all));
	});
}

/* ---- fallbacks, KleidiAI, memory ----------------------------------------------------------------- */

function outside(all)
{
	const rows = all.filter(r => !r.detached), columns = ranked_columns("fallback", rows), left = left_of(now.group, "fallback", now.path);

	return [sortable("Operators that no delegate took", columns, rows, more(columns, left?.rows ?? 0,
		c => c.title === "per run" ? amount_of(left) : c.title === "share" ? percent(left.share) : "")),
	detached_table(all.filter(r => r.detached), left, "Detached operators that no delegate took: in no share above")].filter(n => n);
}

function fallbacks()
{
	const place = el("div"), node = section("Outside of delegates", place);

	draw(() => {
		const rows = now.path && now.group.by.fallback ? of_path(now.group.by.fallback.rows, now.path) : null;

		node.hidden = !rows;
		if (rows)
			place.replaceChildren(...rows.length ? outside(rows) : [el("p", null, "Every operator is in a delegate.")]);
	});
}

function kleidiai()
{
	const place = el("div"), node = section("KleidiAI", place);

	draw(() => {
		const rows = now.path ? of_path(now.group.by.op.rows, now.path).filter(r => r.columns.kernel_library_ran) : [];
		const library = library_of(rows);

		node.hidden = !rows.length;
		if (rows.length)
			place.replaceChildren(el("p", null, `${library.ran} of ${library.all} matrix kernels ran in KleidiAI` +
				(left_of(now.group, "op", now.path) ? ", of those in rows on this page." : ".")),
				sortable("Matrix kernels", [{ title: "operator", value: r => r.name, head: true },
					{ title: "calls", value: r => r.calls, number: true },
					{ title: "kind", value: r => r.columns.variant }, { title: "KleidiAI", value: r => r.columns.kernel_library_ran },
					{ title: "why", value: r => r.columns.kernel_library_why },
					{ title: "share", value: r => r.share, number: true, show: r => [percent(r.share), bar(r.share)] }], rows));
	});
}

function plan(method, memory, width)
{
	const boxes = method.groups.filter(g => g.memory_id === memory.memory_id && known(g.offset) && g.bytes > 0);
	const steps = Math.max(method.steps, 1), size = Math.max(memory.planned_size, 1), height = 240;
	const x = s => 10 + (width - 20) * (s + 1) / (steps + 1), y = o => (height - 20) * (1 - o / size);
	const label = `Memory ${memory.memory_id} of ${method.method}: ${bytes(memory.planned_size)} planned, at most ` +
		`${bytes(memory.peak_live_bytes)} alive, in step ${memory.peak_step}`;

	return [el("h3", null, label), svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
		boxes.slice(0, 3000).map(g => svg("rect", { x: x(g.first), width: Math.max(x(g.last + 1) - x(g.first) - 0.5, 0.5),
			y: y(g.offset + g.bytes), height: Math.max(y(g.offset) - y(g.offset + g.bytes), 0.5), fill: colour(g.kind) },
		svg("title", null, `${g.name}: ${bytes(g.bytes)} at ${g.offset}, steps ${g.first} to ${g.last}, ${g.kind}`))),
		svg("text", { x: 10, y: height - 4 }, "steps of the program →")),
	unfolding("The storages as a table", () => sortable(`Storages of memory ${memory.memory_id} of ${method.method}`, [
		{ title: "what", value: g => g.name, head: true }, { title: "bytes", value: g => g.bytes, show: g => bytes(g.bytes), number: true },
		{ title: "offset", value: g => g.offset, number: true }, { title: "first step", value: g => g.first, number: true },
		{ title: "last step", value: g => g.last, number: true }, { title: "kind", value: g => g.kind }],
	[...boxes].sort((a, b) => b.bytes - a.bytes).slice(0, 500), more(Array(6).fill(0), boxes.length - 500)))];
}

function memory()
{
	const place = el("div"), node = section("Memory", place);

	draw_wide(() => {
		const m = now.group.memory;

		node.hidden = !m;
		if (m)
			place.replaceChildren(el("p", null, "The program: " + Object.entries(m.sizes).filter(([, v]) => known(v))
				.map(([k, v]) => `${k.replace(/_/g, " ")} ${bytes(v)}`).join(", ") + "."),
			...m.methods.flatMap(method => method.memories.flatMap(one => plan(method, one, width_of(place)))));
	});
}

/* ---- what changed ------------------------------------------------------------------------------- */

/* Only the verdicts "slower" and "faster" are coloured. */
const verdict_class = row => ["slower", "faster"].includes(row.change) ? row.change : null;

/* The change of a row. For a row in cycles or ticks, the answer has only the two times, so it is computed. */
function change_of(row)
{
	if (row.unit === "ns" || known(row.difference_ns))
		return row.difference_ns;
	return known(row.base_raw) && known(row.self_raw) || ["appeared", "disappeared"].includes(row.change)
		? (row.self_raw ?? 0) - (row.base_raw ?? 0) : null;
}

function interval(row, low, high)
{
	const x = v => 5 + 190 * (v - low) / (high - low || 1), kind = verdict_class(row) ?? "";

	if (!known(row.difference_ns))
		return "";
	return svg("svg", { viewBox: "0 0 200 16", width: 200, height: 16, role: "img",
		"aria-label": `from ${time(row.difference_low_ns)} to ${time(row.difference_high_ns)}` },
	svg("line", { class: "zero", x1: x(0), x2: x(0), y1: 0, y2: 16 }),
	known(row.difference_low_ns) && known(row.difference_high_ns) ? svg("line", { class: `interval ${kind}`, y1: 8, y2: 8,
		x1: x(row.difference_low_ns), x2: Math.max(x(row.difference_high_ns), x(row.difference_low_ns) + 1) }) : null,
	svg("circle", { class: "dot-typical", cx: x(row.difference_ns), cy: 8, r: 3 }));
}

/* The sentences of the comparison, one for each group but the first. */
function sentences()
{
	const head = (data.screen ?? "").split("\n\n")[0].split("\n").filter(line => line && !line.startsWith(" "));

	return head.length ? head : [Object.values(data.changes)[0].headline];
}

function changes()
{
	const place = el("div"), count = el("p", { class: "soft", role: "status" });
	const by = choice("A row is", Object.keys(data.changes).map(k => [k, KEYS[k] ?? k]), fill);
	const only = choice("Rows", [["", "all"], ["yes", "significant changes"]], fill);
	const filter = el("input", { type: "search", oninput: () => fill() });

	function fill()
	{
		const d = data.changes[by.select.value], words = filter.value.toLowerCase().split(/\s+/).filter(w => w);
		const shown = d.rows.filter(r => (!only.select.value || r.significant) && words.every(w => `${r.key} ${r.category ?? ""}`.toLowerCase().includes(w)));
		const ends = shown.flatMap(r => [r.difference_low_ns, r.difference_high_ns, r.difference_ns]).filter(known);
		const low = Math.min(0, ...ends), high = Math.max(0, ...ends), several = d.groups.length > 2;
		const unit = r => known(r.base_ns) || known(r.self_ns) ? "ns" : r.unit;
		const confidence = `${digits(100 * d.confidence)} % interval`;

		const left = data.left?.[by.select.value] ?? [], missing = left.reduce((n, l) => n + l.rows + l.detached, 0);
		const sum = key => left.some(l => known(l[key])) ? time(left.reduce((v, l) => v + (l[key] ?? 0), 0)) : "";

		/* Caveats that all rows have are shown once, above the table. */
		const caveats = r => (r.caveats ?? "").split(", ").filter(c => c);
		const all = d.rows.length > 1 ? caveats(d.rows[0]).filter(c => d.rows.every(r => caveats(r).includes(c))) : [];
		const own_caveats = r => caveats(r).filter(c => !all.includes(c));

		count.textContent = `${shown.length} of ${counted(d.rows.length + missing, "row")}` + (all.length ? `; of each: ${all.join(", ")}` : "");
		const columns = [
			{ title: KEYS[by.select.value], value: r => named(r.key), head: true },
			...several ? [plain("from", "base"), plain("to", "group")] : [],
			{ title: several ? "before" : d.groups[0].name, value: r => r.base_ns ?? r.base_raw, show: r => time(r.base_ns ?? r.base_raw, unit(r)), number: true },
			{ title: several ? "after" : d.groups[1].name, value: r => r.self_ns ?? r.self_raw, show: r => time(r.self_ns ?? r.self_raw, unit(r)), number: true },
			{ title: "change", value: r => known(change_of(r)) ? Math.abs(change_of(r)) : null, number: true,
				show: r => el("span", { class: verdict_class(r) },
					known(change_of(r)) ? (change_of(r) > 0 ? "+" : "") + time(change_of(r), unit(r)) : "") },
			...d.rows.some(r => known(r.difference_ns)) ? [{ title: confidence, value: r => r.difference_low_ns, show: r => interval(r, low, high) }] : [],
			{ title: "ratio", value: r => r.ratio, show: r => known(r.ratio) ? digits(r.ratio) : "", number: true },
			{ title: "adj. p", value: r => r.p_adjusted, show: r => known(r.p_adjusted) ? digits(r.p_adjusted) : "", number: true },
			...d.rows.some(r => r.on) ? [plain("on", "on")] : [],
			{ title: "verdict", value: r => r.change },
			...d.rows.some(r => own_caveats(r).length) ? [{ title: "caveats", value: r => own_caveats(r).join(", "), wide: true }] : [],
		];

		place.replaceChildren(sortable(`Changes by ${KEYS[by.select.value]}`, columns, shown, more(columns,
			shown.length === d.rows.length ? missing : 0, c => several ? "" : c.title === "before" || c === columns[1] ? sum("base_ns")
				: c === columns[2] ? sum("self_ns") : c.title === "change" ? sum("difference_ns") : "")));
	}
	section("What changed", el("div", { class: "controls" }, by.node, only.node, el("label", null, "Only rows with", filter)), count, place);
	fill();
}

/* ---- notes, provenance ---------------------------------------------------------------------------- */

function every_analysis()
{
	return [...groups.flatMap(g => Object.values(g.by)), ...Object.values(data.changes ?? {})];
}

function notes()
{
	const pages = new Map(data.codes.flat().map(c => [c.code, c])), seen = new Map();

	/* Collects, for each note, the tables that report it. */
	for (const [key, a] of [...groups.flatMap(g => Object.entries(g.by)), ...Object.entries(data.changes ?? {}), [null, data]])
		for (const n of a.notes) {
			const id = JSON.stringify([n.code, n.text, n.place]);

			seen.set(id, { ...n, of: [...new Set([...seen.get(id)?.of ?? [], key])] });
		}
	const about = n => n.of.includes(null) || n.of.includes("op") ? null
		: el("span", { class: "soft" }, ` (of the table by ${n.of.map(k => KEYS[k] ?? k).join(", ")})`);
	section("Notes", seen.size ? el("div", null, [...seen.values()].map(n => {
		const page = pages.get(n.code), lines = text => el("pre", null);

		const node = el("details", null, el("summary", null, el("strong", null, n.code), ` ${n.text}`,
			about(n), n.place ? el("span", { class: "soft" }, ` – ${n.place}`) : null));
		for (const [title, text] of [["Cause", page?.cause], ["Example", page?.example], ["Remedy", page?.remedy ?? page?.hint]])
			if (text) {
				const block = lines(text);

				block.textContent = clean_lines(text);
				node.append(el("h3", null, title), block);
			}
		return node;
	})) : el("p", null, "None."));
}

function provenance()
{
	const files = new Map(), origins = new Map();

	for (const a of every_analysis()) {
		for (const f of a.files ?? a.groups.flatMap(g => g.files))
			if (f.sha256 || !files.has(`${f.kind} ${f.path}`)) /* only one result has the hashes */
				files.set(`${f.kind} ${f.path}`, f);
		for (const [key, origin] of Object.entries(a.config_origin ?? {}))
			origins.set(key, origin);
	}
	/* A serial log is listed as one file with its own hash, instead of the dump extracted from it. */
	for (const log of groups.flatMap(g => g.logs)) {
		const held = [...files].filter(([, f]) => f.path === log.path);

		held.forEach(([key]) => files.delete(key));
		files.set(`log ${log.path}`, { ...log, kind: `serial log; taken out of it: ${held.map(([, f]) => f.kind.replace(/_/g, " ")).join(", ")}` });
	}
	section("Provenance", el("p", null, `etcore ${data.version}; statistic: ${every_analysis()[0].stat}.`),
		sortable("Files", [{ title: "file", value: f => f.path, head: true }, plain("kind", "kind"),
			{ title: "SHA-256", value: f => f.sha256, show: f => el("span", { class: "hash" }, f.sha256 ?? "") }], [...files.values()]),
		origins.size ? sortable("Settings that are not built in", [{ title: "key", value: o => o[0], head: true },
			{ title: "from", value: o => o[1] }], [...origins]) : null);
	document.getElementById("maker").textContent = `etcore ${data.version}`;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

const say_verdict = () => {
	document.getElementById("verdict").textContent = clean_lines(verdict());
	document.getElementById("head").textContent = clean_lines(now.path?.head ? `${two ? `${now.group.name}: ` : ""}${now.path.head.join("\n")}` : "");
};
/* Warnings of all results, each once. */
{
	const all = [...groups.flatMap(g => Object.values(g.by)), ...Object.values(data.changes ?? {})].flatMap(a => a.notes)
		.filter(n => n.code.startsWith("W")).map(n => `${n.code} ${n.place ? `${n.place}: ` : ""}${n.text}`);
	const node = document.getElementById("warnings");

	node.textContent = [...new Set(all)].map(clean).join("\n");
	node.hidden = !all.length;
}
const choices = document.getElementById("choices");
if (two) {
	document.querySelector("h1").textContent = clean(groups.map(g => g.name).join(" against "));
	document.title = `${short(document.querySelector("h1").textContent)} – etcore report`;
}
const path_choice = choice("Path", [], i => { now.path = now.group.paths[+i]; redraw(); });
function list_paths()
{
	path_choice.select.replaceChildren(...now.group.paths.map((p, i) => el("option", { value: String(i) }, p.name)));
	path_choice.select.value = String(now.group.paths.indexOf(now.path));
	path_choice.node.hidden = now.group.paths.length < 2;
}
if (two)
	choices.append(choice("Below the changes", groups.map((g, i) => [i, g.name]), i => {
		now.group = groups[+i];
		now.path = heaviest(now.group.paths);
		list_paths();
		redraw();
	}).node);
choices.append(path_choice.node);
list_paths();

if (two)
	changes();
ranking();
flame();
const paint = timeline();
runs();
roofline();
fallbacks();
kleidiai();
memory();
notes();
provenance();
draw(say_verdict);

const theme = choice("Colours", [["", "as the system"], ["light", "light"], ["dark", "dark"]], value => {
	if (value)
		document.documentElement.dataset.theme = value;
	else
		delete document.documentElement.dataset.theme;
	paint();
});
choices.append(theme.node);
addEventListener("resize", () => { sized.forEach(f => f()); paint(); });

/* For printing, every <details> is opened. */
let opened = [], was;
addEventListener("beforeprint", () => {
	opened = [];
	for (let folded; (folded = [...document.querySelectorAll("details:not([open])")]).length;) { /* opening one may create others */
		folded.forEach(d => { d.open = true; d.build?.(); });
		opened.push(...folded);
	}
	was = document.documentElement.dataset.theme;
	document.documentElement.dataset.theme = "light"; /* pictures are drawn in the colours of the current theme */
	paint();
});
addEventListener("afterprint", () => {
	opened.forEach(d => { d.open = false; });
	if (was === undefined)
		delete document.documentElement.dataset.theme;
	else
		document.documentElement.dataset.theme = was;
	paint();
});
draw(() => {
	for (const link of document.querySelectorAll("#contents a"))
		link.parentNode.hidden = document.getElementById(link.getAttribute("href").slice(1)).parentNode.hidden;
});
})();
