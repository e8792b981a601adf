import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { commandsOn, gatehouse, temporaryFile } from '../../test/command-line.ts';
import { forEachStore, forOneStore } from '../../test/stores.ts';
import { send } from '../../test/test-server.ts';

forEachStore((store) => {
  test('the service starts, prints its first key once, and stops on a signal', async () => {
    const url = await store.freshUrl();
    const serve = async () => {
      let address = '';
      let status = 0;
      const { exitCode, stdout } = await commandsOn(url)(
        ['serve', '--host', '127.0.0.1', '--port', '0', '--json'],
        {
          whileRunning: (child) => {
            let output = '';
            child.stdout!.on('data', async (data) => {
              output += data;
              const found = /"address":"(http:[^"]+)"/.exec(output)?.[1];
              if (!found || address) return;
              address = found;
              status = (await send(`${address}/readyz`, 'GET')).status;
              child.kill('SIGTERM');
            });
          },
        },
      );
      return {
        exitCode,
        status,
        lines: stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      };
    };
    const first = await serve();
    expect(first).toMatchObject({ exitCode: 0, status: 200 });
    expect(first.lines.filter((line) => line.firstKey?.startsWith('gate_'))).toHaveLength(1);
    const second = await serve();
    expect(second.lines.filter((line) => 'firstKey' in line)).toHaveLength(0);
    // Until the first operator has logged in, each start prints a new setup link.
    const links = [first, second].map(({ lines }) => lines.find((line) => 'dashboard' in line)?.dashboard);
    for (const link of links) expect(link).toMatch(/^http:\/\/localhost:0\/dashboard\/setup\/[\w-]{43}$/);
    expect(links[0]).not.toBe(links[1]);
    await commandsOn(url)(['operator', 'invite', 'ada@example.com', '--role', 'owner']);
    expect((await serve()).lines.filter((line) => 'dashboard' in line)).toEqual([]);
  });
});

forOneStore((store) => {
  test('a port in use is reported in one line', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    expect(await commandsOn(await store.freshUrl())(['serve', '--port', String(port)])).toMatchObject({
      exitCode: 1,
      // The database exists now, and no later start shows its key.
      stdout: expect.stringMatching(/its API key\. It is shown only once:\n\n {4}gate_\w{36}\n$/),
      stderr: `gatehouse: Port ${port} on 127.0.0.1 is in use. Stop the other program, or choose another port with --port.\n`,
    });
  });
});

test('invalid settings end with exit code 2', async () => {
  expect(await gatehouse(['serve'], { env: { GATEHOUSE_PORT: 'x' } })).toMatchObject({
    exitCode: 2,
    stderr: 'gatehouse: GATEHOUSE_PORT is "x". Use a port from 0 to 65535.\n',
  });
  expect(await gatehouse(['serve'], { env: { GATEHOUSE_EMAIL_LIMIT_SIGN_UP: '-1' } })).toMatchObject({
    exitCode: 2,
    stderr:
      'gatehouse: GATEHOUSE_EMAIL_LIMIT_SIGN_UP is "-1". Use a whole number: emails to people who are not members yet in an hour, ' +
      '0 for no limit.\n',
  });
  const misspelt = await gatehouse(['serve', '--json'], { env: { GATEHOUSE_PROT: '1' } });
  expect(misspelt).toMatchObject({ exitCode: 2, json: { error: { code: 'invalid_setting' } } });
  expect(await gatehouse(['serve', '--port', '99999'])).toMatchObject({ exitCode: 2 });
});

test('an unusable database is reported in one line', async () => {
  const unreachable = await commandsOn('postgres://nobody:secret@127.0.0.1:1/none')(['serve']);
  expect(unreachable).toMatchObject({ exitCode: 1 });
  expect(unreachable.stderr).toMatch(/^gatehouse: The database is unavailable: .*\n$/);
  expect(unreachable.stderr).not.toContain('secret');

  const junk = temporaryFile('junk.db', 'This is not a database, despite its name.'.repeat(50));
  const damaged = await commandsOn(`sqlite:${junk}`)(['serve', '--json']);
  expect(damaged).toMatchObject({ exitCode: 1, json: { error: { code: 'database_damaged' } } });
});
