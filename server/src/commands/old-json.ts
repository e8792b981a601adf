import { type AnyShape, everyItem, type SiteApi } from './api/calls/site-api.ts';
import { statusOfKey } from './api/columns.ts';
import type { ToJson } from './api/mode.ts';
import { findApiKey } from './api/notes.ts';

// The JSON of commands as they were before 0.1.0, which programs know, where it differs from that of the operation.

const createdKey = async (api: SiteApi, { secret, ...key }: AnyShape) => {
  const { data: site } = (await api.send('getSite', {})) as AnyShape;
  const { id, name, last4, permissions, rateLimit, createdAt, expiresAt } = key;
  return { id, key: secret, site: site.slug, name, last4, permissions, rateLimit, createdAt, expiresAt };
};

export const keyCreation: ToJson = async (_, api) => (created) => createdKey(api, created);

export const keyRotation: ToJson =
  async ({ params }, api) =>
  async (created) => {
    const { id, last4, expiresAt } = await findApiKey(api, params!.keyId!);
    return { ...(await createdKey(api, created)), replaces: { id, last4, expiresAt } };
  };

export const keyRevocation: ToJson =
  async ({ params }, api) =>
  async () => {
    const { id, last4, revokedAt } = await findApiKey(api, params!.keyId!);
    return { id, last4, revokedAt };
  };

export const keyList: ToJson = async (_, api) => {
  const { data: site } = (await api.send('getSite', {})) as AnyShape;
  return (keys) => (keys as AnyShape[]).map((key) => ({ ...key, siteId: site.id, status: statusOfKey(key) }));
};

export const invitation: ToJson = async (_, api) => (operator) => ({
  ...(operator as object),
  endedSetupLink: api.notes.length > 0,
});

export const removal: ToJson = async ({ params }, api) => {
  const operator = await find(api, 'listOperators', {}, params!.operatorId!);
  return () => operator;
};

export const tokenDeletion: ToJson = async ({ params }, api) => {
  const { memberId, tokenId } = params!;
  const { id, name } = await find(api, 'listAccessTokens', { memberId: memberId! }, tokenId!);
  return () => ({ id, name, memberId });
};

export const sourceDeletion: ToJson = async ({ params, query }, api) => {
  const { id, name } = await find(api, 'listSources', {}, params!.sourceId!);
  return () => ({ id, name, groups: query?.groups ?? 'keep' });
};

export const sourceWebhook: ToJson =
  async ({ params }, api) =>
  async () =>
    ((await api.send('getSourceWebhook', { params: params! })) as AnyShape).data;

async function find(
  api: SiteApi,
  list: 'listOperators' | 'listAccessTokens' | 'listSources',
  params: Readonly<Record<string, string>>,
  id: string,
): Promise<AnyShape> {
  for await (const item of everyItem(api, list, { params })) if ((item as AnyShape).id === id) return item;
  return { id };
}
