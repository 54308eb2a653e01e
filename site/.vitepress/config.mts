/** The pages as a site: `npm run docs:site` writes it to .local/site/pages. */
import { createRequire } from 'node:module';
import { defineConfig } from 'vitepress';
import { pagesOfRepository, slugOf } from './markdown.mts';

const repository = 'https://github.com/example/n8n-nodes-messaging-service';

/** The pages lie outside of this folder, where Vue is not found. */
const { resolve } = createRequire(import.meta.url);

const item = (text: string, link: string) => ({ text, link });

export default defineConfig({
	title: 'Messaging Service for n8n',
	description: 'Bulk SMS and outbound calls from n8n',
	base: '/n8n-nodes-messaging-service/',
	// None, so that browsers do not ask for one.
	head: [
		['link', { rel: 'icon', href: 'data:,' }],
		// On narrow screens, Tab would lead into the closed menu beside the screen.
		['style', {}, '@media (max-width: 959px) { .VPSidebar:not(.open) { visibility: hidden } }'],
	],
	srcDir: '..',
	srcExclude: ['{host,site,test,node_modules,dist,.local}/**'],
	outDir: '../.local/site/pages',
	cacheDir: '../.local/site/cache',
	rewrites: {
		'README.md': 'index.md',
		'examples/README.md': 'examples/index.md',
		'sandbox/README.md': 'sandbox/index.md',
	},
	vite: {
		resolve: {
			alias: [
				{ find: /^vue$/, replacement: resolve('vue/dist/vue.runtime.esm-bundler.js') },
				{ find: /^vue\/server-renderer$/, replacement: resolve('vue/server-renderer') },
			],
		},
	},
	markdown: {
		anchor: { slugify: slugOf },
		config: (markdown) => pagesOfRepository(markdown, repository),
	},
	themeConfig: {
		search: {
			provider: 'local',
			options: {
				miniSearch: {
					searchOptions: {
						// What people read who use the package comes first.
						boostDocument: (page: string) =>
							/\/(development|operations)\/|\/reference|\/[A-Z]+(\.html)?#/.test(page) ? 0.1 : 1,
					},
				},
			},
		},
		outline: [2, 3],
		socialLinks: [{ icon: 'github', link: repository }],
		sidebar: [
			item('Is this for me?', '/'),
			{
				text: 'Start',
				items: [
					item('Getting started', '/docs/getting-started'),
					item('Recipes', '/docs/recipes'),
					item('Examples', '/examples/'),
					item('Install and update', '/docs/install'),
				],
			},
			{
				text: 'Send',
				items: [
					item('Bulk sending', '/docs/bulk'),
					item('Campaigns from a file', '/docs/files'),
					item('Phone numbers', '/docs/phone-numbers'),
					item('Calls', '/docs/voice'),
					item('Opt-outs', '/docs/opt-outs'),
					item('Sending policy', '/docs/sending-policy'),
				],
			},
			{
				text: 'Get results',
				items: [
					item('Webhook trigger', '/docs/trigger'),
					item('Poll trigger', '/docs/poll-trigger'),
				],
			},
			{
				text: 'When it goes wrong',
				items: [item('What is sent twice?', '/docs/sent-twice'), item('Errors', '/docs/errors')],
			},
			{
				text: 'Run it',
				items: [
					item('Self-hosting', '/docs/self-hosting'),
					item('Privacy', '/docs/privacy'),
					item('Service conventions', '/docs/service-conventions'),
					item('Sandbox', '/sandbox/'),
					item('Security', '/SECURITY'),
					item('Changelog', '/CHANGELOG'),
				],
			},
			{
				text: 'Operations',
				collapsed: true,
				items: [
					item('SMS Message', '/docs/operations/sms-message'),
					item('SMS Campaign', '/docs/operations/sms-campaign'),
					item('Voice Campaign', '/docs/operations/voice-campaign'),
					item('Phone Number Storage', '/docs/operations/phone-number-storage'),
					item('Phone Number', '/docs/operations/phone-number'),
					item('Webhook', '/docs/operations/webhook'),
					item('Service', '/docs/operations/service'),
				],
			},
			{
				text: 'Development',
				collapsed: true,
				items: [
					item('Contributing', '/CONTRIBUTING'),
					item('Architecture', '/docs/development/architecture'),
					item('Features of n8n', '/docs/development/n8n-features'),
					item('Benchmarks', '/docs/development/benchmarks'),
					item('Reliability', '/docs/development/reliability'),
					item('What Service: Check finds', '/docs/development/service-check'),
					item('Security tests', '/docs/development/security-tests'),
					item('Phone numbers', '/docs/development/phone-numbers'),
					item('Guidelines', '/docs/development/guidelines'),
					item('Releasing', '/docs/development/releasing'),
				],
			},
		],
	},
});
