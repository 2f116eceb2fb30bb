/* browser.mjs PAGE... -- drives pages of `etcore report` in chromium: see browser.py.
 * PLAYWRIGHT: the folder of the package playwright-core; AXE: axe.min.js; CHROMIUM: the browser; SHOTS: where pictures go. */
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT);
const axe = fs.readFileSync(process.env.AXE, "utf8");
const wrong = [], counts = { pages: 0, buttons: 0, options: 0, keys: 0, rules: 0, sorted: 0, sums: 0 };

/* {page: texts that it must show, as `analyze` does for the same dump} */
const SAYS = {
	"methods.html": [/encode takes .* 59\.4 % of execute time.*decode takes .* 40\.6 % of execute time/],
	"cycles.html": [/takes 2985 cycles per run/, /load 39609 cycles/, /unattributed: between instructions\s+853 cycles\s+28\.6 %/, /serial log; taken out of it: etdump, debug buffer/],
	"one-run.html": [/one run: includes first-run costs/],
	"three.html": [/a53 against n1 against sme2/, /no significant change against a53[^]*sme2 is slower than a53/],
	"detached.html": [/99\.4 % is delegate call, as a whole/, /detached\s+calls\s+per run\s+of these\s+on\s+why/],
	"delegated.html": [/delegated 99 % .*portable 0 %\s+runtime 1 %/, /mean .*, p90 .*; spread/],
	"many.html": [/\n\d+ more\t/],
	"nameless.html": [/100\.0 % is \(no name\)/],
	"cycles-changes.html": [/\t\d+ cycles\t[^\n]*\t-\d+ cycles\t/],
};

/* Texts that a page must show after its folded parts are opened: times in their own unit, and "?" as the time of an event
 * that ends before it starts. */
const SAYS_UNFOLDED = {
	"detached.html": [/spill fill buffer \(bytes\)\t[^\n]*\t65536 bytes\t/, /Accelerator \(execute\) time \(cycles\)\t[^\n]*\t\d+ cycles\t\d+ cycles\t/],
	"unknown.html": [/gpu\t1\t1500 of an unknown unit\t/, /gpu\t[^\n]*\t1500 of an unknown unit\t1500 of an unknown unit\t/, /back\t[^\n]*\t\?\t\?\t/],
};

/* {page: {key of the table by which time is divided: text that the table must show}} */
const SAYS_BY = { "detached.html": { module: /the partition/ }, "fallbacks.html": { fallback: /in delegates/ } };

/* Unprintable characters, the same as in tests/faults/names.py; they include U+FEFF. */
const ODD = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u;

async function accessible(page, what)
{
	await page.evaluate(axe);
	const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));

	counts.rules += found.passes.length;
	for (const v of found.violations)
		wrong.push(`${what}: axe: ${v.id}: ${v.help}: ${v.nodes.slice(0, 2).map(n => n.html.slice(0, 160)).join(" | ")}`);
}

/* Clicks each column's head: exactly that column must then be marked as the sorted one. */
async function sorts(page, what)
{
	for (const button of await page.locator("th button:visible").all()) {
		const before = await button.evaluate(b => b.closest("th").getAttribute("aria-sort"));

		await button.click();
		counts.buttons++;
		const after = await button.evaluate(b => ({ state: b.closest("th").getAttribute("aria-sort"),
			others: [...b.closest("tr").children].filter(t => t.getAttribute("aria-sort") !== "none").length }));
		if (after.state === "none" || after.state === before || after.others !== 1)
			wrong.push(`${what}: sorting by ${await button.textContent()}: ${before} becomes ${after.state}, ${after.others} columns`);
		counts.sorted++;
	}
}

/* With every key, the shares of the rows and of the lines below them must add up to 100 %. */
async function adds_up(page, what, says)
{
	const by = page.locator("section:visible", { hasText: "Where the time went" }).locator("select").first();

	for (const key of await by.locator("option").evaluateAll(list => list.map(o => o.value))) {
		await by.selectOption(key);
		const { shares, text } = await page.evaluate(() => {
			const table = [...document.querySelectorAll("table")].find(t => /^Time by/.test(t.caption.textContent));
			const at = [...table.tHead.rows[0].cells].findIndex(c => c.innerText.trim() === "share");

			return { text: table.innerText, shares: at < 0 ? null : [...table.tBodies[0].rows, ...table.tFoot?.rows ?? []]
				.map(r => r.cells[at].innerText.trim()).filter(s => s).map(s => s[0] === "<" ? 0.05 : parseFloat(s)) };
		});

		if (shares && Math.abs(shares.reduce((a, b) => a + b, 0) - 100) > 0.1 + 0.05 * shares.length)
			wrong.push(`${what}: by ${key}: the shares add up to ${shares.reduce((a, b) => a + b, 0)} %`);
		if (says?.[key] && !says[key].test(text))
			wrong.push(`${what}: by ${key}: nothing like ${says[key]}`);
		counts.sums++;
	}
	await by.selectOption({ index: 0 });
}

async function choices(page, what)
{
	const selects = await page.locator("select:visible").count();

	for (let i = 0; i < selects; i++) {
		const select = page.locator("select:visible").nth(i);

		if (!await select.count())
			continue;
		for (const value of await select.evaluate(s => [...s.options].map(o => o.value))) {
			const now = page.locator("select:visible").nth(i);

			if (!(await now.evaluate(s => [...s.options].map(o => o.value))).includes(value))
				continue;
			await now.selectOption(value);
			counts.options++;
		}
	}
	for (const select of await page.locator("select:visible").all()) /* back to the first option */
		await select.selectOption({ index: 0 });
	for (const input of await page.locator("input[type=search]:visible").all()) {
		await input.fill("no such name");
		const rows = await input.evaluate(n => n.closest("section").querySelectorAll("tbody tr").length);
		if (rows !== 0)
			wrong.push(`${what}: ${rows} rows with "no such name"`);
		await input.fill("");
	}
}

async function flame(page, what)
{
	const tree = page.locator(".flame:visible");

	if (!await tree.count())
		return;
	const all = await tree.locator("button").count();
	await tree.locator("button[tabindex='0']").focus();
	for (const key of ["ArrowDown", "ArrowRight", "ArrowLeft", "ArrowDown"]) {
		await page.keyboard.press(key);
		counts.keys++;
		if (await page.evaluate(() => document.activeElement.getAttribute("role")) !== "treeitem")
			wrong.push(`${what}: flame: ${key} leaves the tree`);
	}
	const said = await tree.evaluate(t => t.parentNode.querySelector("output").textContent);
	if (!said.includes("%"))
		wrong.push(`${what}: flame: nothing is said of the part in focus: ${said}`);
	await page.keyboard.press("Enter");
	await page.keyboard.press("Escape");
	if (await tree.locator("button").count() !== all)
		wrong.push(`${what}: flame: Escape does not show all again`);
	for (const one of (await tree.locator("button").all()).slice(0, 5)) {
		await one.click({ position: { x: 1, y: 10 } }).catch(e => wrong.push(`${what}: flame: ${e.message.slice(0, 100)}`));
		await page.keyboard.press("Escape");
		counts.buttons++;
	}
}

const drawn = canvas => canvas.evaluate(c => {
	const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, seen = new Set();

	for (let i = 0; i < d.length; i += 4)
		if (d[i + 3])
			seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
	return seen.size;
});

async function timeline(page, what)
{
	const canvas = page.locator("canvas:visible");

	if (!await canvas.count())
		return;
	if (await drawn(canvas) < 3)
		wrong.push(`${what}: timeline: nothing is drawn`);
	const picture = () => canvas.evaluate(c => c.toDataURL());
	const whole = await picture();
	await canvas.focus();
	for (const key of ["ArrowDown", "ArrowRight", "+", "Shift+ArrowRight", "-", "Enter"]) {
		await page.keyboard.press(key);
		counts.keys++;
	}
	const said = await canvas.evaluate(c => c.parentNode.querySelector("output").textContent);
	if (!/: .*start /.test(said))
		wrong.push(`${what}: timeline: nothing is said of the chosen slice: ${said}`);
	await page.keyboard.press("+");
	if (await picture() === whole)
		wrong.push(`${what}: timeline: zooming draws the same`);
	const box = await canvas.boundingBox();
	await page.mouse.click(box.x + box.width / 2, box.y + 25);
	await page.mouse.move(box.x + box.width / 2, box.y + 25);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width / 4, box.y + 25);
	await page.mouse.up();
	for (const button of await page.locator("section:has(canvas) .controls button:visible").all()) {
		await button.click();
		counts.buttons++;
	}
}

/* Printed on A4 from a system with a dark theme, a page must have light colours, and nothing may cross the sheet's edge. */
async function prints(browser, file, what)
{
	const context = await browser.newContext({ viewport: { width: 703, height: 1000 }, colorScheme: "dark" });
	const page = await context.newPage();

	await page.goto("file://" + encodeURI(file));
	await page.emulateMedia({ media: "print", colorScheme: "dark" });
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	const found = await page.evaluate(() => ({
		ground: getComputedStyle(document.body).backgroundColor, text: getComputedStyle(document.body).color,
		wide: [...document.querySelectorAll("table")].filter(t => t.getBoundingClientRect().right > innerWidth + 0.5)
			.map(t => `${t.caption.textContent} by ${Math.round(t.getBoundingClientRect().right - innerWidth)}`),
		flame: [...document.querySelectorAll(".flame button[aria-level='1']")].filter(f => f.offsetParent.clientWidth - f.offsetWidth > 2).length,
		cut: [...document.querySelectorAll("td, th")].filter(c => c.scrollWidth > c.clientWidth + 1).map(c => c.textContent.slice(0, 40)),
		folded: document.querySelectorAll("details:not([open])").length }));
	if (found.ground !== "rgb(255, 255, 255)" || found.text !== "rgb(0, 0, 0)")
		wrong.push(`${what}: printed ${found.text} on ${found.ground}`);
	if (found.wide.length || found.cut.length)
		wrong.push(`${what}: printed beyond the sheet: ${found.wide.join(", ")}; cut: ${found.cut.slice(0, 5).join(", ")}`);
	if (found.flame)
		wrong.push(`${what}: printed with a flame graph whose root is not all of it`);
	if (found.folded)
		wrong.push(`${what}: printed with ${found.folded} folded`);
	await page.evaluate(() => dispatchEvent(new Event("afterprint")));
	if (await page.evaluate(() => document.documentElement.dataset.theme))
		wrong.push(`${what}: printing leaves a theme`);
	await context.close();
}

async function look(browser, file, width, hostile)
{
	const context = await browser.newContext({ viewport: { width, height: 900 } });
	const page = await context.newPage(), what = `${path.basename(file)} at ${width}`;

	page.on("pageerror", e => wrong.push(`${what}: ${e}`));
	page.on("console", m => ["error", "warning"].includes(m.type()) && wrong.push(`${what}: console: ${m.text().slice(0, 300)}`));
	page.on("dialog", d => { wrong.push(`${what}: dialog: ${d.message()}`); d.dismiss(); });
	page.on("request", r => r.url().split("#")[0] === "file://" + encodeURI(file) || wrong.push(`${what}: request: ${r.url().slice(0, 200)}`));
	await page.goto("file://" + encodeURI(file));
	counts.pages++;
	const verdict = await page.locator("#verdict").textContent();
	if (verdict.length < 10 || / is (\.|$)/.test(verdict) || /(DELEGATE|OPERATOR)_CALL| of 1 of 1 runs/.test(verdict))
		wrong.push(`${what}: verdict: ${verdict.slice(0, 200)}`);
	const said = await page.evaluate(() => document.body.innerText);
	for (const text of SAYS[path.basename(file)] ?? [])
		if (!text.test(said))
			wrong.push(`${what}: nothing like ${text}`);
	const warned = await page.evaluate(() => new Set(JSON.parse(document.getElementById("data").textContent).groups
		.flatMap(g => g.by.op.notes).filter(n => n.code.startsWith("W")).map(n => JSON.stringify(n))).size);
	const lines = (await page.locator("#warnings").innerText()).split("\n").filter(l => l).length;

	if (lines < warned || file.includes("/cut.html") && !lines)
		wrong.push(`${what}: ${lines} of ${warned} warnings are below the verdict`);
	if (verdict.length > 1200)
		wrong.push(`${what}: the verdict has ${verdict.length} characters`);
	const detached = await page.evaluate(() => [...document.querySelectorAll("section table")].filter(t => /^Time by/.test(t.caption.textContent))
		.flatMap(t => [...t.querySelectorAll("th")].map(h => h.textContent)).filter(h => h === "why" || h === "not added"));
	if (detached.length)
		wrong.push(`${what}: detached rows are in the table of times`);
	if (await page.locator("section:visible").count() < 4)
		wrong.push(`${what}: sections are missing`);
	const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	if (wide > 0)
		wrong.push(`${what}: ${wide} pixels too wide`);
	await page.screenshot({ path: path.join(process.env.SHOTS, `${path.basename(file, ".html")}-${width}.png`), fullPage: true });
	await accessible(page, what);
	await page.emulateMedia({ colorScheme: "dark" });
	await accessible(page, `${what}, dark`);
	await page.emulateMedia({ colorScheme: "light" });
	await flame(page, what);
	await timeline(page, what);
	await sorts(page, what);
	await adds_up(page, what, SAYS_BY[path.basename(file)]);
	await choices(page, what);
	for (const one of await page.locator("summary:visible").all())
		await one.click();
	await accessible(page, `${what}, unfolded`);
	await sorts(page, what);
	const text = await page.evaluate(() => document.body.innerText);
	for (const like of SAYS_UNFOLDED[path.basename(file)] ?? [])
		if (!like.test(text))
			wrong.push(`${what}: unfolded: nothing like ${like}`);
	const odd = [...text.replace(/[\n\t]/g, "")].find(c => ODD.test(c));
	if (odd)
		wrong.push(`${what}: U+${odd.codePointAt(0).toString(16)} on the page`);
	if (await page.locator("main :is(b, i, img, script, iframe, object, svg image)").count())
		wrong.push(`${what}: a name became an element`);
	if (hostile && !text.includes(hostile))
		wrong.push(`${what}: '${hostile}' is not on the page`);
	await page.emulateMedia({ media: "print" });
	if (await page.locator(".controls:visible, nav:visible").count())
		wrong.push(`${what}: controls are printed`);
	await context.close();
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
for (const argument of process.argv.slice(2)) {
	const [file, hostile] = argument.split("\t");

	await prints(browser, file, path.basename(file)).catch(e => wrong.push(`${path.basename(file)}, printed: ${e.message.slice(0, 400)}`));
	for (const width of [360, 1440])
		await look(browser, file, width, hostile).catch(e => wrong.push(`${path.basename(file)} at ${width}: ${e.message.slice(0, 400)}`));
}
await browser.close();
console.log([...new Set(wrong)].slice(0, 40).join("\n"));
console.log(Object.entries(counts).map(([k, v]) => `${v} ${k}`).join(", ") + `; ${wrong.length} wrong`);
process.exit(wrong.length || !counts.pages ? 1 : 0);
