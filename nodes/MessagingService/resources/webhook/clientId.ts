import type { OperationCall } from '../operation';
import { additionalFields, clientIdField } from '../shared/fields';

/** The optional fields of both webhook operations. */
export const clientFields = additionalFields([clientIdField]);

/** The client whose webhook URL the call sets, where it is not the credential's. */
export function readClientId({ parameters }: OperationCall): string | undefined {
	return parameters.member('additionalFields', clientIdField)?.trim();
}

/** A client has one webhook URL: its calls run in order, so that the last one holds. */
export function clientSequence(call: OperationCall): string {
	return readClientId(call) ?? call.client.settings.clientId;
}
