import { listSigningKeys, rotateSigningKeys } from '../../domain/signing-keys/signing-keys.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const signingKeyHandlers = {
  listSigningKeys: async ({ db, siteId, now }) => ({
    body: { data: await listSigningKeys(db, siteId, now) },
  }),

  rotateSigningKeys: async ({ change, workspaces }, { body }) => ({
    body: { data: await rotateSigningKeys(change, body, workspaces.secrets) },
  }),
} satisfies OperationHandlers;
