import { createPrivateKey, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import sql from 'sql-template-tag';
import { SecretBox } from '../../server/src/base/encryption/secret-box.ts';
import { placeOfSigningKey } from '../../server/src/domain/signing-keys/signing-key.ts';
import { aGroup, aMember, aSession } from '../../server/test/contract/given.ts';
import { secretKey } from '../../server/test/secret-key.ts';
import type { TestServer } from '../../server/test/test-server.ts';

/** A site with a signing key: public, except for `/courses`, which requires a group, with two members of this group. */
export async function anEdgeSite(server: TestServer) {
  const site = await server.createSite();
  const host = `edge-${randomUUID()}.example.com`;
  await site.patch('/site', { domain: host });
  const { id: keyId } = (await site.post('/site/signing-keys', {})).body.data;
  const group = await aGroup(site);
  const rules = [
    { path: '/', access: 'public' },
    { path: '/courses', access: 'groups', groupIds: [group.id] },
    { path: '/courses/secret', access: 'paying_members' },
  ];
  await site.request('PUT', '/access-rules', { body: { rules } });
  const [ada, eve] = [
    await aMember(site, { accessGroupIds: [group.id] }),
    await aMember(site, { accessGroupIds: [group.id] }),
  ];
  const sessionOf = async (id: string) => `__Host-gatehouse_session=${(await aSession(site, id)).token}`;
  const { secret: key } = await site.createKey({ permissions: ['members:read'] });
  return {
    site,
    host,
    origin: `https://${host}`,
    keyId,
    key,
    group,
    ada,
    eve,
    adaSession: await sessionOf(ada.id),
    eveSession: await sessionOf(eve.id),
    privateKey: (id = keyId) => privateKeyOf(server, site.siteId, id),
    keySet: async () => (await site.visit('GET', '/_gatehouse/jwks.json')).text,
  };
}

export type EdgeSite = Awaited<ReturnType<typeof anEdgeSite>>;

async function privateKeyOf({ database }: TestServer, siteId: string, id: string) {
  const row = await database.get<{ secret: string; public_key: string }>(
    sql`SELECT secret, public_key FROM signing_keys WHERE site_id = ${siteId} AND id = ${id}`,
  );
  const d = new SecretBox([secretKey]).open(row!.secret, placeOfSigningKey(siteId, id));
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x: row!.public_key, d }, format: 'jwk' });
}

/** Signs any claims with the real key of a site. */
export async function signAnything(
  { privateKey, keyId }: EdgeSite,
  claims: object,
  header: object = {},
): Promise<string> {
  const protectedHeader = { alg: 'EdDSA', typ: 'gatehouse-edge+jwt', kid: keyId, ...header };
  return new SignJWT({ ...claims }).setProtectedHeader(protectedHeader).sign(await privateKey());
}
