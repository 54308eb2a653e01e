import type { IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import type { FileSource } from '../recipients/file/fields';
import { Problems, type StoreFile } from '../recipients/file/problems';

/** The problems of a file, and the file of all of them where the user wants one. */
export interface CollectedProblems {
	problems: Problems;
	binary: IBinaryKeyData;
}

/** Collects the problems of a file; each pass over it finds them anew. */
export function collectProblems(
	{ wantsProblemsFile }: FileSource,
	{ helpers }: IExecuteFunctions,
): CollectedProblems {
	const binary: IBinaryKeyData = {};
	const store: StoreFile = async (content, name) => {
		binary.problems = await helpers.prepareBinaryData(content, name);
	};
	return { problems: new Problems(wantsProblemsFile ? store : undefined), binary };
}
