import { timestampBefore } from '../base/clock.ts';
import { requireTimestamp } from '../base/refusal.ts';
import type { Routes } from '../routing/route.ts';
import type { ApiKey } from './api-key.ts';
import { type CreatedApiKey, createApiKey, listApiKeyPage, revokeApiKey, rotateApiKey } from './api-keys.ts';
import { findSite } from './sites.ts';

export const siteRoutes: Routes<'getSite'> = {
  getSite: async ({ db, siteId }) => ({ body: { data: await findSite(db, siteId) } }),
};

export const apiKeyRoutes: Routes<'listApiKeys' | 'createApiKey' | 'rotateApiKey' | 'revokeApiKey'> = {
  listApiKeys: async ({ db, siteId }, { query }) => {
    const { data, pagination } = await listApiKeyPage(db, siteId, query);
    return { body: { data: data.map(withoutSite), pagination } };
  },

  createApiKey: async ({ db, siteId, cause, permissions }, { body }) => {
    const { expiresAt } = body;
    const input = expiresAt ? { ...body, expiresAt: requireTimestamp('/expiresAt', expiresAt) } : body;
    return { body: { data: withSecret(await createApiKey(db, siteId, input, cause, permissions)) } };
  },

  rotateApiKey: async ({ db, siteId, cause, permissions }, { params, body: { overlapHours = 24 } }) => {
    const validUntil = timestampBefore(cause.at, -overlapHours * millisecondsPerHour);
    const created = await rotateApiKey(db, siteId, params.keyId, validUntil, cause, permissions);
    return { body: { data: withSecret(created) } };
  },

  revokeApiKey: async ({ db, siteId, cause }, { params }) => {
    await revokeApiKey(db, siteId, params.keyId, cause);
    return { body: undefined };
  },
};

const millisecondsPerHour = 3_600_000;

/** Whoever sees a key knows its site. */
function withoutSite({ siteId: _, ...told }: ApiKey) {
  return { ...told, permissions: [...told.permissions] };
}

function withSecret({ apiKey, secret }: CreatedApiKey) {
  return { ...withoutSite(apiKey), secret };
}
