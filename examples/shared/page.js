/** A page for a phone, in the theme of the person who looks at it. */
const pageOf = (title, content) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><style>
:root { color-scheme: light dark; --text: #1d2530; --quiet: #5b6675; --page: #f3f5f8; --card: #fff; --line: #dce2ea; --accent: #2f5fc4; }
@media (prefers-color-scheme: dark) { :root { --text: #e5e9f0; --quiet: #9aa5b4; --page: #12161c; --card: #1b212a; --line: #333d4a; --accent: #3f6dc0; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; color: var(--text); background: var(--page); margin: 0 auto; padding: 24px 16px 40px; max-width: 560px; }
main { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 20px; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 12px; } p { margin: 0 0 16px; }
table { width: 100%; border-collapse: collapse; font-size: 15px; margin: 0 0 16px; } th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); } th { font-weight: 500; color: var(--quiet); white-space: nowrap; } td { overflow-wrap: anywhere; }
form { display: grid; gap: 10px; } label { display: grid; gap: 4px; } input { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
button { font: inherit; font-weight: 600; color: #fff; background: var(--accent); border: 0; border-radius: 8px; padding: 12px; min-height: 48px; } button.quiet { color: var(--text); background: none; border: 1px solid var(--line); }
</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`;
