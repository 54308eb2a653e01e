const escape = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const count = (number) => Number(number ?? 0).toLocaleString('en-GB', { maximumFractionDigits: 1 });
const money = (amount) =>
	Number(amount ?? 0).toLocaleString('en-GB', {
		minimumFractionDigits: 2,
		maximumFractionDigits: 2,
	});
const percent = (part, whole) => (whole > 0 ? `${Math.floor((part / whole) * 100)} %` : '');
const sum = (numbers) => numbers.reduce((all, number) => all + Number(number ?? 0), 0);
/** A voice campaign has a name; an SMS campaign has a sender and a time. */
function nameOf({ campaignName, sender, firstTime, campaignId }) {
	if (campaignName || !sender) return String(campaignName ?? campaignId);
	return firstTime
		? `${sender}, ${DateTime.fromISO(firstTime, { zone: $now.zone }).toFormat('d MMMM, HH:mm')}`
		: String(sender);
}
const isCalls = ({ outcomes }) => outcomes !== undefined;

/** Figures that everybody looks at first: [what, figure, addition]. */
function tiles(figures) {
	return `<dl class="tiles">${figures
		.map(
			([what, figure, addition]) =>
				`<div><dt>${escape(what)}</dt><dd>${escape(figure)}${addition ? ` <small>${escape(addition)}</small>` : ''}</dd></div>`,
		)
		.join('')}</dl>`;
}

/** Good, bad, or still to come. */
function kindOf(status) {
	if (['Delivered', 'Reached'].includes(status)) return 'good';
	if (['Sent', 'Accepted'].includes(status)) return 'open';
	return ['Unknown', 'Other', 'None', 'Not reached'].includes(status) ? 'other' : 'bad';
}

/** How far something is: one bar divided by status, and what each colour means. */
function progress(title, counts, total) {
	const order = ['good', 'open', 'other', 'bad'];
	const parts = Object.entries(counts)
		.filter(([, number]) => number > 0)
		.map(([name, number]) => ({ name, number, kind: kindOf(name) }))
		.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.number - a.number);
	const rest = Math.max(0, total - sum(parts.map(({ number }) => number)));
	const whole = Math.max(1, total, sum(parts.map(({ number }) => number)));
	const seen = {};
	let x = 0;
	const drawn = parts.map(({ name, number, kind }) => {
		seen[kind] = (seen[kind] ?? 0) + 1;
		const shade = 1 - 0.22 * Math.min(3, seen[kind] - 1);
		const width = (number / whole) * 100;
		x += width;
		return {
			bar: `<rect class="${kind}" fill-opacity="${shade}" x="${x - width}" width="${Math.max(0.3, width - 0.3)}" height="10"/>`,
			row: `<li><i class="${kind}" style="opacity:${shade}"></i>${escape(name)} <b>${count(number)}</b></li>`,
		};
	});
	const waiting = rest > 0 ? `<li><i class="track"></i>Not yet <b>${count(rest)}</b></li>` : '';
	return `<h3>${escape(title)}</h3><svg class="progress" viewBox="0,0,100,10" preserveAspectRatio="none" role="img" aria-label="${escape(title)}">
<rect class="track" width="100" height="10"/>${drawn.map(({ bar }) => bar).join('')}</svg><ul>${drawn.map(({ row }) => row).join('')}${waiting}</ul>`;
}

/** How many of each, the most first. */
function bars(title, counts, write = count) {
	const entries = (Array.isArray(counts) ? counts : Object.entries(counts ?? {}))
		.filter(([, number]) => number > 0)
		.sort(([, a], [, b]) => b - a);
	if (entries.length === 0) return '';
	const [[, most]] = entries;
	return `<h3>${escape(title)}</h3><table class="bars">${entries
		.map(
			([name, number]) =>
				`<tr><td><bdi>${escape(name)}</bdi></td><td><svg viewBox="0,0,100,10" preserveAspectRatio="none" aria-hidden="true"><rect class="one" width="${(number / most) * 100}" height="10"/></svg></td><td class="count">${write(number)}</td></tr>`,
		)
		.join('')}</table>`;
}

/** 1, 2 or 5 and zeros: where an axis ends. */
function roundUp(number) {
	const unit = 10 ** Math.floor(Math.log10(number));
	return [1, 2, 5, 10].map((factor) => factor * unit).find((end) => end >= number);
}

/** How many more per minute, over the hour before `end`; samples are [time, how many so far]. */
function perMinute(title, samples, end) {
	const hour = 3_600_000;
	const steps = samples.slice(1).map(([time, number], index) => {
		const [start, before] = samples[index];
		return {
			start,
			time,
			rate: (Math.max(0, number - before) / Math.max(1, time - start)) * 60_000,
		};
	});
	if (!steps.some(({ rate }) => rate > 0)) return '';
	const top = roundUp(Math.max(1, ...steps.map(({ rate }) => rate)));
	const place = (time) => Math.max(0, 100 - ((end - time) / hour) * 100);
	const drawn = steps.map(
		({ start, time, rate }) =>
			`<rect class="one" x="${place(start)}" width="${Math.max(0.2, (place(time) - place(start)) * 0.85)}" y="${100 - (rate / top) * 100}" height="${(rate / top) * 100}"/>`,
	);
	const clock = (time) => DateTime.fromMillis(time).setZone($now.zone).toFormat('HH:mm');
	const lines = [0, 50, 100].map((y) => `<line x1="0" x2="100" y1="${y}" y2="${y}"/>`);
	return `<h3>${escape(title)}</h3><div class="plot"><div class="y"><span>${count(top)}</span><span>${count(top / 2)}</span><span>0</span></div>
<svg viewBox="0,0,100,100" preserveAspectRatio="none" role="img" aria-label="${escape(title)}">${lines.join('')}${drawn.join('')}</svg>
<div class="x"><span>${clock(end - hour)}</span><span>${clock(end - hour / 2)}</span><span>${clock(end)}</span></div></div>`;
}

/** A whole page: a section over its width, and others below it. */
function pageOf(title, subtitle, top, sections, head = '') {
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>${escape(title)}</title><style>
:root { color-scheme: light dark; --text: #1d2530; --quiet: #5b6675; --page: #f3f5f8; --card: #fff; --line: #dce2ea; --one: #3b6fd8; --good: #14866d; --open: #6b9bec; --bad: #cf4b3a; --other: #98a2b0; }
@media (prefers-color-scheme: dark) { :root { --text: #e5e9f0; --quiet: #9aa5b4; --page: #12161c; --card: #1b212a; --line: #333d4a; --one: #7aa5f5; --good: #3fb795; --open: #4f7fd0; --bad: #ea7163; --other: #727d8c; } }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', sans-serif; color: var(--text); background: var(--page); margin: 0 auto; padding: 24px 16px 40px; max-width: 1120px; }
h1 { font-size: 24px; line-height: 1.2; margin: 0; } h2 { font-size: 17px; line-height: 1.3; margin: 0; flex: 1; min-width: 0; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; unicode-bidi: isolate; }
h3 { font-size: 13px; font-weight: 600; margin: 20px 0 6px; } .sub { color: var(--quiet); margin: 4px 0 20px; } section .sub { margin: 2px 0 0; font-size: 13px; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(380px, 100%), 1fr)); column-gap: 16px; align-items: start; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px 18px; margin: 0 0 16px; break-inside: avoid; } section > h3:first-child, section > .tiles:first-child { margin-top: 0; }
header { display: flex; gap: 12px; align-items: flex-start; } .badge { font-size: 12px; font-weight: 600; border: 1px solid currentColor; border-radius: 99px; padding: 1px 9px; color: var(--quiet); } .badge.running { color: var(--good); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(110px, 1fr)); gap: 12px 16px; margin: 16px 0 0; } dt { font-size: 13px; color: var(--quiet); } dd { margin: 0; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; } dd small { font-size: 13px; font-weight: 400; color: var(--quiet); }
svg { display: block; width: 100%; height: 10px; } .progress { height: 16px; border-radius: 4px; }
.good { fill: var(--good); background: var(--good); } .open { fill: var(--open); background: var(--open); } .bad { fill: var(--bad); background: var(--bad); } .other { fill: var(--other); background: var(--other); } .track { fill: var(--line); background: var(--line); } .one { fill: var(--one); }
ul { list-style: none; padding: 0; margin: 8px 0 0; display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 13px; } i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 6px; }
.plot { display: grid; grid-template-columns: auto 1fr; gap: 4px 8px; font-size: 11px; line-height: 1; color: var(--quiet); font-variant-numeric: tabular-nums; } .plot svg { height: 88px; } .plot line { stroke: var(--line); vector-effect: non-scaling-stroke; } .y, .x { display: flex; justify-content: space-between; } .y { flex-direction: column; text-align: right; margin: -5px 0; } .x { grid-column: 2; }
table { width: 100%; border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; } .bars { table-layout: fixed; } .bars td { padding: 2px 0; } .bars td:first-child { width: 42%; padding-right: 10px; } .bars bdi { overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; line-height: 1.3; } .bars .count { width: 5em; text-align: right; }
.list { font-size: 14px; margin-top: 20px; } .list th { font-weight: 600; color: var(--quiet); font-size: 12px; } .list th, .list td { text-align: right; padding: 7px 0 7px 12px; border-bottom: 1px solid var(--line); vertical-align: top; } .list th:first-child, .list td:first-child { text-align: left; padding-left: 0; overflow-wrap: anywhere; } .list small { display: block; color: var(--quiet); } .list tr:last-child td { font-weight: 600; border: 0; padding-bottom: 0; }
</style></head><body><h1>${escape(title)}</h1><p class="sub">${escape(subtitle)}</p>${top}<main>${sections}</main></body></html>`;
}
