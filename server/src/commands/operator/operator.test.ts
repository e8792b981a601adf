import { expect, test } from 'vitest';
import { commandsOn } from '../../../test/command-line.ts';
import { forEachStore, stopInTheEnd } from '../../../test/stores.ts';
import { createFirstSite, setupUrl } from '../../app/start/first-start.ts';
import { ensureOperatorTenant } from '../../domain/sites/operator-tenant.ts';
import { openDatabase } from '../../storage/open.ts';

forEachStore((store) => {
  const withSite = async () => {
    const run = commandsOn(await store.migratedUrl());
    await run(['site', 'create', '--slug', 'club']);
    return run;
  };

  test('an operator is invited, listed and removed, before any server has started', async () => {
    const run = await withSite();
    expect((await run(['operator', 'list'])).stderr).toContain(
      './gatehouse operators invite --email <text> --role <text>',
    );
    const invited = await run(['operator', 'invite', 'Grace@Example.com', '--role', 'admin', '--json']);
    expect(invited.json).toMatchObject({ email: 'grace@example.com', role: 'admin', status: 'invited' });
    const owner = ['operator', 'invite', 'ada@example.com', '--site', 'club', '--role', 'owner'];
    expect((await run([...owner, '--name', 'Ada Lovelace'])).stdout).toMatch(/^Email +ada@example\.com$/m);
    const listed = (await run(['operator', 'list', '--site', 'club', '--json'])).json;
    expect(listed.map(({ email }: { email: string }) => email)).toEqual([
      'ada@example.com',
      'grace@example.com',
    ]);
    expect(listed[1].id).toBe(invited.json.id);
    expect((await run(['operator', 'list'])).stdout).toContain('Ada Lovelace');
    expect(await run(['operator', 'remove', 'grace@example.com'])).toMatchObject({ exitCode: 0 });
    expect((await run(['operator', 'list', '--json'])).json).toMatchObject([{ email: 'ada@example.com' }]);
  });

  test('an operator of two sites has an id of its own on each', async () => {
    const run = await withSite();
    await run(['site', 'create', '--slug', 'forum']);
    const ids = [];
    for (const site of ['club', 'forum']) {
      const invite = ['operator', 'invite', 'grace@example.com', '--site', site, '--role', 'owner', '--json'];
      const { id } = (await run(invite)).json;
      expect((await run(['operator', 'list', '--site', site, '--json'])).json).toMatchObject([{ id }]);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(2);
  });

  const installation = async (setupLinkCreatedAt: Date) => {
    const databaseUrl = await store.migratedUrl();
    const database = openDatabase(databaseUrl);
    stopInTheEnd(() => database.close());
    const publicUrl = 'http://localhost:8080';
    await ensureOperatorTenant(database, publicUrl);
    await createFirstSite(database, { url: publicUrl, isSample: false }, setupLinkCreatedAt);
    await setupUrl(database, publicUrl, setupLinkCreatedAt);
    return (email: string, ...options: string[]) =>
      commandsOn(databaseUrl)(['operator', 'invite', email, '--role', 'owner', ...options]);
  };
  const setupLinkEnded = 'The setup link that the service printed no longer works';

  test('only the invitation that ends the setup link says so', async () => {
    const invite = await installation(new Date());
    expect((await invite('no address')).stdout).toBe('');
    expect((await invite('ada@example.com')).stdout).toContain(setupLinkEnded);
    expect((await invite('grace@example.com')).stdout).not.toContain(setupLinkEnded);
    expect((await invite('olga@example.com', '--json')).json).toMatchObject({ endedSetupLink: false });
  });

  test('an invitation does not mention a setup link that had expired', async () => {
    const invite = await installation(new Date(Date.now() - 2 * 86_400_000));
    expect((await invite('ada@example.com')).stdout).not.toContain(setupLinkEnded);
  });

  test('invalid input is rejected with what to do next', async () => {
    const run = await withSite();
    await run(['operator', 'invite', 'ada@example.com', '--role', 'owner']);
    const rejected = async (...args: string[]) => {
      const { exitCode, json } = await run(['operator', ...args, '--json']);
      return [exitCode, json.error.code];
    };
    expect(await rejected('invite', 'ada@example.com', '--role', 'viewer')).toEqual([1, 'operator_exists']);
    expect(await rejected('invite', 'ada', '--role', 'viewer')).toEqual([2, 'invalid_request']);
    expect(await rejected('remove', 'ada@example.com')).toEqual([1, 'last_owner']);
    expect(await rejected('remove', 'nobody@example.com')).toEqual([1, 'operator_not_found']);
    expect(await rejected('list', '--site=-operators')).toEqual([1, 'site_not_found']);
    expect((await run(['operator', 'invite', 'eve@example.com', '--role', 'king'])).exitCode).toBe(2);
    expect((await run(['operator', 'invite', 'eve@example.com'])).exitCode).toBe(2);
    expect((await run(['site', 'list', '--json'])).json).toHaveLength(1);
  });
});
