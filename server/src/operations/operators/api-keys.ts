import { requireTimestamp } from '../../base/api-error.ts';
import { timestampAfter } from '../../base/clock.ts';
import type { ApiKey } from '../../domain/api-keys/api-key.ts';
import {
  type CreatedApiKey,
  createApiKey,
  listApiKeyPage,
  revokeApiKey,
  rotateApiKey,
} from '../../domain/api-keys/api-keys.ts';
import { noContent, type OperationHandlers } from '../operation-handler.ts';
import { authorityOf } from './caller-authority.ts';

export const apiKeyHandlers = {
  listApiKeys: async (view, { query }) => {
    const { data, pagination } = await listApiKeyPage(view, query);
    return { body: { data: data.map(withoutSite), pagination } };
  },

  createApiKey: async (context, { body }) => {
    const { expiresAt } = body;
    const input = expiresAt ? { ...body, expiresAt: requireTimestamp('/expiresAt', expiresAt) } : body;
    return {
      body: { data: withSecret(await createApiKey(context.change, input, await authorityOf(context))) },
    };
  },

  rotateApiKey: async (context, { params: { keyId }, body: { overlapHours = 24 } }) => {
    const validUntil = timestampAfter(context.now, overlapHours * millisecondsPerHour);
    const authority = await authorityOf(context);
    const created = await rotateApiKey(context.change, keyId, validUntil, authority);
    return { body: { data: withSecret(created) } };
  },

  revokeApiKey: {
    // Its invitations end with it.
    changesMany: true,
    handle: async (context, { params: { keyId } }) =>
      noContent(revokeApiKey(context.change, keyId, await authorityOf(context))),
  },
} satisfies OperationHandlers;

const millisecondsPerHour = 3_600_000;

/** The API key determines the site, so the site id is omitted. */
function withoutSite<Key extends ApiKey>({ siteId: _, ...fields }: Key) {
  return { ...fields, permissions: [...fields.permissions] };
}

function withSecret({ apiKey, secret }: CreatedApiKey) {
  return { ...withoutSite(apiKey), lastUsedAt: null, secret };
}
