import { listSigningKeys, rotateSigningKeys } from '../../domain/signing-keys/signing-keys.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const signingKeyHandlers = {
  listSigningKeys: async (view) => ({
    body: { data: await listSigningKeys(view) },
  }),

  rotateSigningKeys: async ({ change, workspaces }, { body }) => ({
    body: { data: await rotateSigningKeys(change, body, workspaces.secrets) },
  }),
} satisfies OperationHandlers;
