import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { aDomain, aMember, aSession, everyItem } from '../../../test/contract/given.ts';
import { hour, movableTime } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { secretKey } from '../../../test/secret-key.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { newSecretKey, SecretBox } from '../../base/encryption/secret-box.ts';
import { signingKeySecrets } from './signing-key-secrets.ts';

const minute = 60_000;

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  const rotate = async (site: TestSite, body: object = {}): Promise<string> => {
    const answer = await site.post('/site/signing-keys', body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  };
  const listed = async (site: TestSite): Promise<string[]> =>
    (await site.get('/site/signing-keys')).body.data.map(({ id }: { id: string }) => id);
  const published = async (site: TestSite): Promise<string[]> =>
    JSON.parse((await site.visit('GET', '/_gatehouse/jwks.json')).text).keys.map(
      ({ kid }: { kid: string }) => kid,
    );

  /** The key that signs now, as a token says. */
  async function signing(site: TestSite): Promise<string | null> {
    const { token } = await aSession(site, (await aMember(site)).id);
    const { data } = (await site.post('/sessions/verify', { token, path: '/', edgeToken: true })).body;
    if (data.edgeToken === null) return null;
    return JSON.parse(Buffer.from(data.edgeToken.split('.')[0], 'base64url').toString()).kid;
  }

  test('without a key nothing is published and no token is signed; the first key signs at once', async () => {
    const site = await server.createSite();
    await aDomain(site);
    expect([await listed(site), await published(site), await signing(site)]).toEqual([[], [], null]);
    const first = await rotate(site);
    expect([await listed(site), await published(site), await signing(site)]).toEqual([
      [first],
      [first],
      first,
    ]);
  });

  test('a new key is published before it signs, and the old one for an hour after that', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const first = await rotate(site);
    const second = await rotate(site);
    expect([await published(site), await signing(site)]).toEqual([[second, first], first]);
    advance(5 * minute - 1);
    expect(await signing(site)).toBe(first);
    advance(1);
    expect([await published(site), await signing(site)]).toEqual([[second, first], second]);
    advance(hour - 1);
    expect(await published(site)).toEqual([second, first]);
    advance(1);
    expect([await published(site), await listed(site), await signing(site)]).toEqual([
      [second],
      [second],
      second,
    ]);
  });

  test('a key that does not sign yet is replaced by the next one', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const [first, second, third] = [await rotate(site), await rotate(site), await rotate(site)];
    expect(await published(site)).toEqual([third, first]);
    advance(5 * minute);
    expect(await signing(site)).toBe(third);
    const events = await everyItem(site, '/events?type=signing-key.created');
    expect(events.map(({ data }) => [data.signingKeyId, data.withdrawnKeyIds])).toEqual([
      [first, []],
      [second, []],
      [third, [second]],
    ]);
  });

  test('keys that somebody else may have are withdrawn at once', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const [first, second] = [await rotate(site), await rotate(site)];
    const third = await rotate(site, { revokeOld: true });
    expect([await published(site), await signing(site)]).toEqual([[third], third]);
    const [event] = (await everyItem(site, '/events?type=signing-key.created')).slice(-1);
    expect(event.data.withdrawnKeyIds).toEqual([second, first]);
  });

  test('the private key is nowhere in clear, and what is published has only the public part', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const { text } = await site.post('/site/signing-keys', {});
    const list = (await site.get('/site/signing-keys')).text;
    const { text: keySet, headers } = await site.visit('GET', '/_gatehouse/jwks.json');
    const row = await server.database.get<{ secret: string; public_key: string }>(
      sql`SELECT secret, public_key FROM signing_keys WHERE site_id = ${site.siteId}`,
    );
    expect(row!.secret).toMatch(/^1\.[0-9a-f]{12}\./);
    for (const shown of [text, list, keySet]) expect(shown).not.toMatch(/secret|"d"/);
    expect(JSON.parse(keySet)).toEqual({
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: row!.public_key,
          alg: 'EdDSA',
          use: 'sig',
          kid: JSON.parse(text).data.id,
        },
      ],
    });
    expect([headers['content-type'], headers['cache-control']]).toEqual([
      'application/jwk-set+json; charset=utf-8',
      'public, max-age=60',
    ]);
  });

  test('each site has its own keys', async () => {
    const [site, other] = [await server.createSite(), await server.createSite()];
    for (const each of [site, other]) await aDomain(each);
    const key = await rotate(site);
    expect([await published(site), await published(other), await listed(other)]).toEqual([[key], [], []]);
  });

  test('private keys are sealed with the new secret key, unless they cannot be opened', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const id = await rotate(site);
    const [newer, foreign] = [newSecretKey(), newSecretKey()];
    const { database } = server;
    const inspect = (...keys: string[]) =>
      signingKeySecrets.inspect({ db: database, siteId: site.siteId }, new SecretBox(keys));
    const both = new SecretBox([newer, secretKey]);
    expect(await inspect(foreign)).toEqual({ stored: 1, old: 0, unreadable: [`signing key ${id}`] });
    expect(await inspect(newer, secretKey)).toEqual({ stored: 1, old: 1, unreadable: [] });
    expect(await signingKeySecrets.findOldSites(database, both)).toContain(site.siteId);
    await database.transaction((tx) =>
      signingKeySecrets.renew({ db: tx, siteId: site.siteId }, new SecretBox([newer, foreign])),
    );
    expect(await inspect(secretKey)).toEqual({ stored: 1, old: 0, unreadable: [] });
    await database.transaction((tx) => signingKeySecrets.renew({ db: tx, siteId: site.siteId }, both));
    expect(await inspect(newer)).toEqual({ stored: 1, old: 0, unreadable: [] });
    expect(await signingKeySecrets.findOldSites(database, both)).not.toContain(site.siteId);
  });

  test('a private key that cannot be decrypted signs nothing, and pages work on', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const { siteId } = site;
    await rotate(site);
    await server.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE signing_keys SET secret = 'nonsense' WHERE site_id = ${siteId}`);
      await tx.signal();
    });
    await expect.poll(() => signing(site)).toBeNull();
  });

  test('keys that are no longer published are purged', async () => {
    const site = await server.createSite();
    await rotate(site);
    const second = await rotate(site);
    advance(2 * hour);
    await purgeExpired(server.database, clock);
    const rows = await server.database.all(sql`SELECT id FROM signing_keys WHERE site_id = ${site.siteId}`);
    expect(rows).toEqual([{ id: second }]);
  });
});
