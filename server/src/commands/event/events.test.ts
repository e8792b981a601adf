import { expect, test } from 'vitest';
import { commandsOn } from '../../../test/command-line.ts';
import { aGroup, aMember } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  async function openSite() {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    return { site, slug, run: commandsOn(server.databaseUrl) };
  }

  test('events are printed as they happen, and before, until the command is stopped', async () => {
    const { site, slug, run } = await openSite();
    const [first] = (await site.get('/events')).body.data;
    const member = await aMember(site);
    let printed = '';
    const tail = run(['events', 'tail', '--site', slug, '--after', first.id, '--json'], {
      whileRunning: (child) => {
        child.stdout!.on('data', async (data) => {
          const isFirst = printed === '';
          printed += data;
          // A change of the service, which the command sees.
          if (isFirst) await site.post(`/members/${member.id}/block`, undefined);
          if (printed.includes('member.blocked')) child.kill('SIGINT');
        });
      },
    });
    const { exitCode, stdout } = await tail;
    expect(exitCode).toBe(0);
    const all = (await site.get('/events')).body.data;
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(all.slice(1));
  });

  test('they can be limited to types, and are one line each for people', async () => {
    const { site, slug, run } = await openSite();
    const [first] = (await site.get('/events')).body.data;
    await aGroup(site);
    await aMember(site, { displayName: 'Ada' });
    const args = ['events', 'tail', '--site', slug, '--after', first.id, '--type', 'member.created'];
    const { stdout } = await run(args, {
      whileRunning: (child) => void child.stdout!.once('data', () => child.kill('SIGTERM')),
    });
    expect(stdout).toMatch(/^20\S+Z {2}member\.created {2}Test key {2}m-\S+@example\.com\n$/);
  });

  test('wrong arguments are refused', async () => {
    const { slug, run } = await openSite();
    const refused = async (...args: string[]) =>
      (await run(['events', 'tail', '--site', slug, '--json', ...args])).json.error;
    expect(await refused('--type', 'member.exploded')).toMatchObject({ code: 'wrong_usage' });
    expect(await refused('--after', 'x')).toMatchObject({ code: 'wrong_usage' });
    const unknown = '01980a3e-7c22-7e0f-a417-90b8c6d5e4f3';
    expect(await refused('--after', unknown)).toMatchObject({ code: 'invalid_cursor' });
  });
});
