/**
 * What `stryker.config.mjs` adds to Stryker: a fast runner for our tests, what is not mutated, samples,
 * and a table of the scores.
 */
import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { displayTexts } from './displayTexts.mts';
import { foldersReporter } from './folders.mts';
import { CircusRunner } from './runner.mts';
import { SampleChecker } from './sample.mts';

export const strykerPlugins = [
	declareClassPlugin(PluginKind.TestRunner, 'circus', CircusRunner),
	declareValuePlugin(PluginKind.Ignore, 'displayTexts', displayTexts),
	declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker),
	declareValuePlugin(PluginKind.Reporter, 'folders', foldersReporter),
];
