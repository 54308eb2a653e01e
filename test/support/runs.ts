/**
 * How many cases a property tries. `npm test` tries `usual` of them; with the environment variable
 * PROPERTY_RUNS=10, ten times as many.
 */
export const runs = (usual: number): number =>
	Math.ceil(usual * Number(process.env.PROPERTY_RUNS ?? 1));
