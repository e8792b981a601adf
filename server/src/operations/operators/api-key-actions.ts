import type { Timestamp } from '../../base/clock.ts';
import { recordKeyUse } from '../../domain/api-keys/api-keys.ts';
import type { ActionHandlers } from '../operation-handler.ts';

export interface ApiKeyActionInputs {
  markKeyUsed: { readonly id: string; readonly usedAt: Timestamp };
}

/** Actions of the service itself about API keys. */
export const apiKeyActions: ActionHandlers<ApiKeyActionInputs, object> = {
  markKeyUsed: (change, { id, usedAt }) => recordKeyUse(change, id, usedAt),
};
