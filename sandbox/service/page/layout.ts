import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Html, html, type Part } from './html.ts';
import { zoneOf, type View } from './view.ts';

const fileBeside = (name: string): string =>
	readFileSync(path.join(import.meta.dirname, name), 'utf8');

/** The style sheet: a library's for plain elements, and what only this page has. */
export const style =
	readFileSync(
		createRequire(import.meta.url).resolve('@picocss/pico/css/pico.classless.min.css'),
		'utf8',
	) + fileBeside('style.css');
const script = fileBeside('live.mjs');
const icon = 'data:image/svg+xml,' + encodeURIComponent(fileBeside('icon.svg'));

const hashOf = (text: string): string =>
	`'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Where the style sheet is: another address for another content, so that it can be kept. */
export const stylePath = `/_sandbox/page/${createHash('sha256').update(style).digest('hex').slice(0, 12)}.css`;

/** Nothing but this page's own style sheet and script, known by its hash, can run in it or be loaded by it. */
export const pageHeaders = {
	'content-type': 'text/html; charset=utf-8',
	'content-security-policy': [
		"default-src 'none'",
		"style-src 'self'",
		`script-src ${hashOf(script)}`,
		"connect-src 'self'",
		'img-src data:',
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	].join('; '),
	'cache-control': 'no-store',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'same-origin',
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
};

/** The whole document. */
export const layout = (
	{ service }: View,
	content: Part,
	links: [address: string, text: string][],
): string =>
	`<!doctype html>\n${
		html`<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<title>Messaging service sandbox</title>
				<link rel="icon" href="${icon}" />
				<link rel="stylesheet" href="${stylePath}" />
			</head>
			<body>
				<a class="skip" href="#main">Skip to the content</a>
				<header>
					<h1><a href="/">Messaging service sandbox</a></h1>
					<p class="refresh">
						<small>Times in ${zoneOf(service)}</small>
						<small id="live-state" role="status"></small>
						<button type="button" id="live-toggle" hidden>Pause</button>
						<a href="/">Refresh</a>
					</p>
					<nav aria-label="Sections">
						<ul>
							${links.map(([address, text]) => html`<li><a href="${address}">${text}</a></li>`)}
						</ul>
					</nav>
				</header>
				<main id="main">${content}</main>
				${new Html(`<script type="module">${script}</script>`)}
			</body>
		</html>`.text
	}\n`;
