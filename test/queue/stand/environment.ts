/** What n8n processes do in queue mode: n8n's commands. */
export const n8nCommands = {
	main: ['start'],
	worker: ['worker', '--concurrency=10'],
	webhook: ['webhook'],
} as const;

/** The variables of a worker alone: its health check is all that it serves. */
export const workerEnvironment = { QUEUE_HEALTH_CHECK_ACTIVE: 'true' };

/**
 * What n8n's webhook processors serve, as the first part of the path. Everything else, test webhooks
 * included, is the main process's.
 */
export const webhookProcessorPaths = ['webhook', 'webhook-waiting', 'form', 'form-waiting', 'mcp'];

/**
 * The variables that every n8n process needs in queue mode, the same for all of them.
 * docs/queue-mode/compose.yaml sets the same ones; a test compares them.
 */
export function queueEnvironment(places: {
	postgres: { host: string; port: number; database: string; user: string; password: string };
	redis: { host: string; port: number };
	encryptionKey: string;
	/** Where browsers and the services out there reach n8n: the reverse proxy. */
	url: string;
}): Record<string, string> {
	const { postgres, redis, encryptionKey, url } = places;
	return {
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.host,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: postgres.database,
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: postgres.password,
		QUEUE_BULL_REDIS_HOST: redis.host,
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		N8N_ENCRYPTION_KEY: encryptionKey,
		N8N_EDITOR_BASE_URL: url,
		N8N_WEBHOOK_URL: url,
		N8N_PROXY_HOPS: '1',
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '5',
		N8N_PAYLOAD_SIZE_MAX: '16',
		N8N_FORMDATA_FILE_SIZE_MAX: '20',
	};
}
