import { expect, test } from 'vitest';
import { commandsOn } from '../../test/command-line.ts';
import { forEachStore } from '../../test/stores.ts';

forEachStore((store) => {
  const withSite = async () => {
    const run = commandsOn(await store.migratedUrl());
    await run(['site', 'create', '--slug', 'club']);
    return run;
  };

  test('an operator is invited, listed and removed, before any server has started', async () => {
    const run = await withSite();
    expect((await run(['operator', 'list'])).stdout).toContain(
      './gatehouse operator invite <email> --role owner',
    );
    const invited = await run(['operator', 'invite', 'Grace@Example.com', '--role', 'admin', '--json']);
    expect(invited.json).toMatchObject({ email: 'grace@example.com', role: 'admin', status: 'invited' });
    const owner = ['operator', 'invite', 'ada@example.com', '--site', 'club', '--role', 'owner'];
    expect((await run([...owner, '--name', 'Ada Lovelace'])).stdout).toContain('Invited ada@example.com');
    const listed = (await run(['operator', 'list', '--site', 'club', '--json'])).json;
    expect(listed.map(({ email }: { email: string }) => email)).toEqual([
      'ada@example.com',
      'grace@example.com',
    ]);
    expect((await run(['operator', 'list'])).stdout).toContain('Ada Lovelace');
    expect(await run(['operator', 'remove', 'grace@example.com'])).toMatchObject({ exitCode: 0 });
    expect((await run(['operator', 'list', '--json'])).json).toMatchObject([{ email: 'ada@example.com' }]);
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
