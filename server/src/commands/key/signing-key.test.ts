import { expect, test } from 'vitest';
import { commandsOn } from '../../../test/command-line.ts';
import { aDomain } from '../../../test/contract/given.ts';
import { secretKey } from '../../../test/secret-key.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { newSecretKey } from '../../base/encryption/secret-box.ts';

forEachStore((store) => {
  const server = useTestServer(store, {});

  async function openSite() {
    const site = await server.createSite();
    await aDomain(site);
    const { slug } = (await site.get('/site')).body.data;
    const env = { GATEHOUSE_SECRET_KEY: secretKey };
    const text = (args: string[], more = env) => commandsOn(server.databaseUrl)(args, { env: more });
    return { site, slug, run: (...args: string[]) => text([...args, '--json']), text };
  }

  test('a key can be created, listed and rotated', async () => {
    const { site, slug, run, text } = await openSite();
    expect((await text(['signing-key', 'list', '--site', slug])).stderr).toContain('no signing key');
    const first = (await run('signing-key', 'rotate', '--site', slug)).json;
    const second = await text(['signing-key', 'rotate', '--site', slug]);
    expect(second.stdout).toContain('It signs from 20');
    const { stdout } = await text(['signing-key', 'list', '--site', slug]);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/).at(-1)),
    ).toEqual(['STATUS', 'waiting', 'signing']);
    const ids = (await run('signing-key', 'list', '--site', slug)).json.map(({ id }: { id: string }) => id);
    expect(ids[1]).toBe(first.id);
    const third = (await run('signing-key', 'rotate', '--site', slug, '--revoke-old')).json;
    const keySet = JSON.parse((await site.visit('GET', '/_gatehouse/jwks.json')).text);
    expect(keySet.keys.map(({ kid }: { kid: string }) => kid)).toEqual([third.id]);
  });

  test('a key that the service could not use is not created', async () => {
    const { slug, run, text } = await openSite();
    await run('signing-key', 'rotate', '--site', slug);
    const rotate = ['signing-key', 'rotate', '--site', slug];
    const env = { GATEHOUSE_SECRET_KEY: newSecretKey() };
    expect(await text(rotate, env)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('cannot be opened'),
    });
  });

  test('identity headers can be named', async () => {
    const { site, slug, run } = await openSite();
    await run('signing-key', 'rotate', '--site', slug);
    const headers = ['--header', 'user=X-WebAuth-User', 'email=', 'signed=gatehouse-identity'];
    await run('site', 'update', slug, ...headers, '--header-encoding', 'utf8');
    expect((await site.get('/site')).body.data.identityHeaders).toEqual({
      encoding: 'utf8',
      user: 'x-webauth-user',
      email: null,
      name: 'remote-name',
      groups: 'remote-groups',
      signed: 'gatehouse-identity',
    });
    for (const wrong of ['color=a', 'user', 'user=cookie', 'user=a b', 'user=remote-name'])
      expect([wrong, (await run('site', 'update', slug, '--header', wrong)).exitCode]).not.toEqual([
        wrong,
        0,
      ]);
  });
});
