import { expect, test } from 'vitest';
import { commandsOn } from '../../../test/command-line.ts';
import { aDomain } from '../../../test/contract/given.ts';
import { forOneStore } from '../../../test/stores.ts';
import { visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

// The commands use the API, which other tests check on each store.
forOneStore((store) => {
  const server = useTestServer(store, { settings: { trustedProxies: ['127.0.0.1'] } });

  const start = async () => {
    const site = await server.createSite();
    const member = (await site.post('/members', { email: 'ada@example.com' })).body.data;
    const env = { GATEHOUSE_URL: server.address, GATEHOUSE_KEY: site.key };
    const run = (...args: string[]) => commandsOn(server.databaseUrl)(['member', 'token', ...args], { env });
    const status = async (secret: string, path: string) => {
      const headers = {
        'x-forwarded-host': await aDomain(site),
        'x-original-uri': path,
        authorization: `Bearer ${secret}`,
      };
      return (await visit(server.address, 'GET', '/_gatehouse/auth', { headers })).status;
    };
    return { site, member, run, status };
  };

  test('a token is created, used, listed without its secret, and deleted', async () => {
    const { member, run, status } = await start();
    const options = ['--name', 'Podcast app', '--path-prefix', '/podcast', '--expires-in', '90d'];
    const { json } = await run('create', 'ada@example.com', ...options, '--json');
    expect(json).toMatchObject({ memberId: member.id, name: 'Podcast app', pathPrefix: '/podcast' });
    expect(Date.parse(json.expiresAt) - Date.parse(json.createdAt)).toBeCloseTo(90 * 86_400_000, -4);
    expect([await status(json.secret, '/podcast/1'), await status(json.secret, '/')]).toEqual([204, 401]);

    const shown = await run('create', member.id, '--name', 'Reader');
    const [secret] = /^gmt_[\w-]{43}$/m.exec(shown.stdout)!;
    expect(shown.stdout).toContain('Does not expire.');
    expect(await status(secret, '/')).toBe(204);
    const lists = [await run('list', member.id), await run('list', 'ada@example.com', '--json')];
    expect(lists[0]!.stdout).toMatch(/Reader .* \/ .*\n.*Podcast app .* \/podcast /);
    expect(lists[1]!.json.map(({ name }: { name: string }) => name)).toEqual(['Reader', 'Podcast app']);
    for (const { stdout } of lists) expect(stdout).not.toContain('gmt_');

    expect((await run('delete', member.id, 'Podcast app', '--json')).json.id).toBe(json.id);
    expect(await status(json.secret, '/podcast/1')).toBe(401);
    expect(await run('delete', 'ada@example.com', lists[1]!.json[0].id)).toMatchObject({ exitCode: 0 });
    expect((await run('list', member.id)).stderr).toContain('./gatehouse members access-tokens create');
  });

  test('a last day is one of the site, or of UTC for a key that may not read the site', async () => {
    const { site, member, run } = await start();
    await site.patch('/site', { timeZone: 'America/Sao_Paulo' });
    const create = (name: string, ...options: string[]) =>
      run('create', member.id, '--name', name, '--expires-at', '2090-01-31', ...options);
    expect((await create('Reader', '--json')).json.expiresAt).toBe('2090-02-01T03:00:00.000Z');
    const permissions = ['members:read', 'login-links:write'] as const;
    const narrow = ['--key', (await site.createKey({ permissions })).secret];
    const other = await create('Podcast app', ...narrow);
    expect(other.stdout).toContain('Valid until the end of 2090-01-31 (UTC).');
    expect(other.stderr).toContain('permission site:read');
    expect((await run('list', member.id)).stdout).toMatch(/Reader .* 2090-01-31 /);
    const { stdout } = await run('list', member.id, ...narrow);
    expect(stdout).toMatch(/Reader .* 2090-02-01T03:00Z /);
    expect(stdout).toMatch(/Podcast app .* 2090-02-01T00:00Z /);
  });

  test('what is missing or unclear is said', async () => {
    const { site, member, run } = await start();
    for (const named of ['grace@example.com', site.siteId, 'Ada']) {
      const { exitCode, json } = await run('list', named, '--json');
      expect([named, exitCode, json.error.code]).toEqual([named, 1, 'member_not_found']);
    }
    expect((await run('delete', member.id, 'Reader', '--json')).json.error).toEqual({
      code: 'access_token_not_found',
      message: 'The site has no access token "Reader". See ./gatehouse members access-tokens list.',
    });
    for (let count = 0; count < 2; count += 1) await run('create', member.id, '--name', 'Reader');
    const { exitCode, json } = await run('delete', member.id, 'Reader', '--json');
    expect([exitCode, json.error.code]).toEqual([2, 'access_token_ambiguous']);
    for (const wrong of [
      ['--expires-in', '0'],
      ['--expires-in', '1d', '--expires-at', '2090-01-31'],
      ['--path-prefix', 'x'],
    ])
      expect(await run('create', member.id, '--name', 'Reader', ...wrong)).toMatchObject({ stdout: '' });
  });
});
