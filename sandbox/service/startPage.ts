import type { Service } from './service.ts';

/** The page at `/`: what this is and where things are. */
export const startPage = ({ contract }: Service): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Messaging service sandbox</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}code{white-space:nowrap}</style>
</head>
<body>
<h1>Messaging service sandbox</h1>
<p>A local stand-in for a bulk messaging service (SMS and outbound voice). It sends nothing to anybody: messages and
calls are simulated, webhook events are delivered for real.</p>
<ul>
<li><a href="/_sandbox/summary">/_sandbox/summary</a>: what it holds</li>
<li><a href="/_sandbox/requests">/_sandbox/requests</a>: requests it has received</li>
<li><a href="/_sandbox/deliveries">/_sandbox/deliveries</a>: events it has delivered</li>
<li><a href="/_sandbox/webhook">/_sandbox/webhook</a>: the registered webhook</li>
<li><a href="/_sandbox/settings">/_sandbox/settings</a>: its settings</li>
</ul>
<h2>Operations</h2>
<ul>
${contract.operations.map(({ method, path }) => `<li><code>${method} ${path}</code></li>`).join('\n')}
</ul>
<p>Phone numbers choose their results by their last digits; see <code>sandbox/README.md</code>.</p>
</body>
</html>
`;
