import { listSigningKeys, rotateSigningKeys } from '../../domain/signing-keys/signing-keys.ts';
import { data, type OperationHandlers } from '../operation-handler.ts';

export const signingKeyHandlers = {
  listSigningKeys: (view) => data(listSigningKeys(view)),

  rotateSigningKeys: ({ change, workspaces }, { body }) =>
    data(rotateSigningKeys(change, body, workspaces.secrets)),
} satisfies OperationHandlers;
