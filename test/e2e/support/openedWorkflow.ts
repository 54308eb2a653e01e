import type { CredentialSummary, N8nClient, WorkflowContent } from '../../../host/n8nClient.ts';
import { startBrowser } from './browser.ts';
import { EditorPage } from './editorPage.ts';
import { loggedIn } from './host.ts';
import { createCredential } from './workflows.ts';

/** A workflow that is open in n8n's editor. */
export interface OpenedWorkflow {
	n8n: N8nClient;
	credential: CredentialSummary;
	workflowId: string;
	editor: EditorPage;
	/** Ends the browser. */
	close(): Promise<void>;
}

/**
 * Creates a workflow with a credential, and opens it in a browser of its own.
 * @param toWorkflow makes the workflow
 * @param options the name of the credential, and the height of the browser's window
 */
export async function openWorkflow(
	toWorkflow: (credential: CredentialSummary) => WorkflowContent,
	{ name = 'Messaging Service account', height = 800 } = {},
): Promise<OpenedWorkflow> {
	const n8n = await loggedIn();
	const credential = await createCredential(n8n, name);
	const { id: workflowId } = await n8n.createWorkflow(toWorkflow(credential));
	const browser = await startBrowser();
	const editor = await EditorPage.open(browser);
	await editor.page.setViewportSize({ width: 1280, height });
	await editor.openWorkflow(workflowId);
	return { n8n, credential, workflowId, editor, close: async () => await browser.close() };
}
