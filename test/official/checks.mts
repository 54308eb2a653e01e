/**
 * What n8n's own tools say about the package: the scanner that n8n runs on published community
 * packages, and the lint of n8n's command line tool with the rules for n8n Cloud.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { npmEnvironment } from '../../host/environment.cjs';
import { packPackage } from '../../host/packageTarball.ts';
import { localFolder, repository } from '../../host/runtime.mjs';

/** What of the scanner's `scanner.mjs` is called here. */
interface Scanner {
	/** What the scanner lints of a package's repository. */
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage: (
		folder: string,
		patterns: string[],
	) => Promise<{ passed: boolean; message?: string; details?: string }>;
}

/** A tool's verdict on a folder: its findings, empty when there are none. */
type Check = (folder: string) => Promise<string> | string;

/** What the scanner lints of a published package. */
const tarballPatterns = ['**/*.js', 'package.json'];
const folder = path.join(localFolder, 'official');

/** What n8n reviews of the sources, with nothing but n8n's own configuration of ESLint. */
function copySources(): string {
	const target = path.join(folder, 'sources');
	mkdirSync(target, { recursive: true });
	const reviewed = ['package.json', 'tsconfig.json', 'eslint.config.mjs', 'nodes', 'credentials'];
	for (const entry of reviewed) {
		cpSync(path.join(repository, entry), path.join(target, entry), { recursive: true });
	}
	symlinkSync(path.join(repository, 'node_modules'), path.join(target, 'node_modules'), 'junction');
	return target;
}

async function unpackTarball(): Promise<string> {
	const { file } = await packPackage(path.join(folder, 'packed'));
	console.log(`The packed package has ${(statSync(file).size / 1000).toFixed(1)} kB.`);
	const target = path.join(folder, 'tarball');
	mkdirSync(target, { recursive: true });
	execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components=1']);
	return target;
}

async function scanWith(patterns: 'sources' | 'tarball'): Promise<Check> {
	const file = path.join(
		repository,
		'node_modules/@n8n/scan-community-package/scanner/scanner.mjs',
	);
	const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(
		pathToFileURL(file).href
	)) as Scanner;
	return async (target) => {
		const chosen = patterns === 'sources' ? SOURCE_FILE_PATTERNS : tarballPatterns;
		const { passed, message = '', details = '' } = await analyzePackage(target, chosen);
		if (message === 'No files found to analyze') return message;
		return passed ? '' : `${message}\n${details}`;
	};
}

/** `n8n-node lint`: ESLint's output, which is empty when there is nothing to say, warnings included. */
const lint: Check = (target) => {
	const program = path.join(repository, 'node_modules', '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');
	const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'lint'], {
		cwd: target,
		env: { ...npmEnvironment(), CI: 'true' },
		encoding: 'utf8',
	});
	const output = `${stdout}${stderr}`;
	return status === 0 && !/\d+ problems?\b/.test(output) ? '' : output;
};

/** Runs all checks and says what came of each. */
export async function runOfficialChecks(): Promise<{ passed: number; failed: number }> {
	rmSync(folder, { recursive: true, force: true });
	const tarball = await unpackTarball();
	const sources = copySources();
	const planted = path.join(folder, 'planted');
	cpSync(tarball, planted, { recursive: true });
	writeFileSync(path.join(planted, 'dist', 'planted.js'), "require('fs');\n");
	const scanTarball = await scanWith('tarball');
	/** Otherwise zero findings would say nothing. */
	const finds: Check = async (target) =>
		/planted/.test(await scanTarball(target)) ? '' : 'It did not find it.';
	const checks: [what: string, check: Check, target: string][] = [
		['scanner on a planted fault', finds, planted],
		['scanner on the packed tarball: zero findings', scanTarball, tarball],
		['scanner on the sources: zero findings', await scanWith('sources'), sources],
		['n8n-node lint with the rules for n8n Cloud, on the sources: zero findings', lint, sources],
	];
	let passed = 0;
	for (const [what, check, target] of checks) {
		const findings = await check(target);
		console.log(`${findings === '' ? '✓' : '✗'} ${what}\n${findings}`.trimEnd());
		if (findings === '') passed += 1;
	}
	rmSync(folder, { recursive: true, force: true });
	return { passed, failed: checks.length - passed };
}
