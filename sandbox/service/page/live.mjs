// Keeps the parts of the page that change up to date. Without it, the page has its Refresh link.
const period = 1500;
const state = document.getElementById('live-state');
const toggle = document.getElementById('live-toggle');
/** What each part was last filled with: opened details change the markup that is on the page.
 * @type {WeakMap<Element, string>} */
const filled = new WeakMap();
let isPaused = false;

/** @param {string} text */
const say = (text) => {
	if (state && state.textContent !== text) state.textContent = text;
};

/** Whether somebody is using a part: selecting its text, or pressing a button in it.
 * @param {Element} part */
const isInUse = (part) => {
	const selection = getSelection();
	const isSelected =
		selection !== null &&
		!selection.isCollapsed &&
		selection.rangeCount > 0 &&
		selection.getRangeAt(0).intersectsNode(part);
	return isSelected || part.querySelector(':active') !== null;
};

/** @param {Element} part @param {Element} fresh */
const fill = (part, fresh) => {
	const html = fresh.innerHTML;
	if (html === (filled.get(part) ?? part.innerHTML) || isInUse(part)) return;
	const open = Array.from(part.querySelectorAll('details[open]'), ({ id }) => id);
	const focused = part.contains(document.activeElement) ? document.activeElement?.id : undefined;
	part.replaceChildren(...Array.from(document.importNode(fresh, true).childNodes));
	filled.set(part, html);
	for (const id of open) document.getElementById(id)?.setAttribute('open', '');
	if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
};

const refresh = async () => {
	const answer = await fetch(location.pathname + location.search);
	if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
	const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
	for (const part of Array.from(document.querySelectorAll('[data-live]'))) {
		const same = fresh.getElementById(part.id);
		if (same) fill(part, same);
	}
};

const keepUp = async () => {
	if (!isPaused && !document.hidden) {
		try {
			await refresh();
			say(isPaused ? 'Paused' : 'Live');
		} catch {
			say('No connection to the sandbox. Trying again.');
		}
	}
	setTimeout(keepUp, period);
};

if (toggle) {
	toggle.hidden = false;
	toggle.addEventListener('click', () => {
		isPaused = !isPaused;
		toggle.textContent = isPaused ? 'Resume' : 'Pause';
		say(isPaused ? 'Paused' : 'Live');
	});
}
/** Copies the value before a button; where the browser forbids it, selects the value.
 * @param {Element} button */
const copy = async (button) => {
	const value = button.previousElementSibling;
	if (!value) return;
	try {
		await navigator.clipboard.writeText(value.textContent ?? '');
		const text = button.textContent;
		button.textContent = 'Copied';
		setTimeout(() => (button.textContent = text), period);
	} catch {
		getSelection()?.selectAllChildren(value);
	}
};

document.documentElement.classList.add('scripted');
document.addEventListener('click', ({ target }) => {
	const button = target instanceof Element ? target.closest('.copy-button') : null;
	if (button) void copy(button);
});
say('Live');
setTimeout(keepUp, period);
