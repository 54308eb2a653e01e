/** What `stryker.config.mjs` adds to Stryker: a fast runner for our tests, and what is not mutated. */
import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { displayTexts } from './displayTexts.mts';
import { CircusRunner } from './runner.mts';

export const strykerPlugins = [
	declareClassPlugin(PluginKind.TestRunner, 'circus', CircusRunner),
	declareValuePlugin(PluginKind.Ignore, 'displayTexts', displayTexts),
];
