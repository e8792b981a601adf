import { timestampBefore } from '../base/clock.ts';
import { requireTimestamp } from '../base/refusal.ts';
import type { RouteContext, Routes } from '../routing/route.ts';
import type { Transaction } from '../storage/database.ts';
import type { ApiKey } from './api-key.ts';
import {
  type CreatedApiKey,
  createApiKey,
  keyAuthorityOf,
  listApiKeyPage,
  revokeApiKey,
  rotateApiKey,
} from './api-keys.ts';
import { findSite } from './sites.ts';

export const siteRoutes: Routes<'getSite'> = {
  getSite: async ({ db, siteId }) => ({ body: { data: await findSite(db, siteId) } }),
};

export const apiKeyRoutes: Routes<'listApiKeys' | 'createApiKey' | 'rotateApiKey' | 'revokeApiKey'> = {
  listApiKeys: async ({ db, siteId }, { query }) => {
    const { data, pagination } = await listApiKeyPage(db, siteId, query);
    return { body: { data: data.map(withoutSite), pagination } };
  },

  createApiKey: async (context, { body }) => {
    const { db, siteId, cause } = context;
    const { expiresAt } = body;
    const input = expiresAt ? { ...body, expiresAt: requireTimestamp('/expiresAt', expiresAt) } : body;
    return {
      body: { data: withSecret(await createApiKey(db, siteId, input, cause, await authorityOf(context))) },
    };
  },

  rotateApiKey: async (context, { params: { keyId }, body: { overlapHours = 24 } }) => {
    const { db, siteId, cause } = context;
    const validUntil = timestampBefore(cause.at, -overlapHours * millisecondsPerHour);
    const authority = await authorityOf(context, keyId);
    const created = await rotateApiKey(db, siteId, keyId, validUntil, cause, authority);
    return { body: { data: withSecret(created) } };
  },

  revokeApiKey: async (context, { params: { keyId } }) => {
    const { db, siteId, cause } = context;
    await revokeApiKey(db, siteId, keyId, cause, await authorityOf(context, keyId));
    return { body: undefined };
  },
};

const millisecondsPerHour = 3_600_000;

function authorityOf(
  { db, siteId, cause, permissions, defaultRateLimit }: RouteContext<Transaction>,
  changedKeyId?: string,
) {
  const caller = { actor: cause.actor, permissions };
  return keyAuthorityOf(db, siteId, caller, defaultRateLimit, cause.at, changedKeyId);
}

/** Whoever sees a key knows its site. */
function withoutSite({ siteId: _, ...told }: ApiKey) {
  return { ...told, permissions: [...told.permissions] };
}

function withSecret({ apiKey, secret }: CreatedApiKey) {
  return { ...withoutSite(apiKey), secret };
}
