import type { OperationInput } from '../../parameters/operationInput';
import { additionalFields, clientIdField } from '../shared/fields';

/** The optional fields of both webhook operations. */
export const clientFields = additionalFields([clientIdField]);

/** The client whose webhook URL the call sets, where it is not the credential's. */
export function readClientId({ parameters }: OperationInput): string | undefined {
	return parameters.member('additionalFields', clientIdField)?.trim();
}
