import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { gatehouse, temporaryFile } from '../../../test/command-line.ts';

const membersCsv = 'email\nada@example.com\n';
const commands = () => [
  ['member', 'list'],
  ['member', 'export', '--file', 'members.csv'],
  ['member', 'import', temporaryFile('people.csv', membersCsv)],
];

/** A server that listens and is not Gatehouse. */
async function listen(onConnection: (socket: Socket) => void) {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    onConnection(socket);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, connections: () => connections, stop };
}

const run = (args: readonly string[], url: string) =>
  gatehouse([...args, '--json'], { env: { GATEHOUSE_KEY: 'gate_x', GATEHOUSE_URL: url } });

test('a service that is not running is reported after one attempt, with its URL and what to do', async () => {
  const breaksOff = await listen((socket) => socket.destroy());
  for (const command of commands()) {
    const before = breaksOff.connections();
    const { exitCode, stdout, json } = await run(command, breaksOff.url);
    expect({ exitCode, stdout, code: json.error.code }).toEqual({
      exitCode: 1,
      stdout: '',
      code: 'no_answer',
    });
    expect(breaksOff.connections() - before).toBe(1);
  }
  breaksOff.stop();
  const { json } = await run(['member', 'list'], breaksOff.url);
  expect(json.error.message).toContain(`There is no response from ${breaksOff.url} (`);
  expect(json.error.message).toMatch(/Is Gatehouse running there\?.*\.\/gatehouse serve.*--url/);
});

// With the 30 s limit of later requests for each attempt, this test would time out.
test('a service that never responds is reported quickly', { timeout: 30_000 }, async () => {
  const silent = await listen(() => {});
  const { json } = await run(['member', 'list'], silent.url);
  expect(json.error).toMatchObject({
    code: 'no_answer',
    message: expect.stringContaining('no answer within 2.5 s'),
  });
  expect(silent.connections()).toBe(1);
});

test.each(['0', '70000', '6000'])('the invalid port %s is a usage error', async (port) => {
  const { exitCode, json } = await run(['member', 'list'], `http://127.0.0.1:${port}`);
  expect({ exitCode, code: json.error.code }).toEqual({ exitCode: 2, code: 'wrong_usage' });
  expect(json.error.message).toContain(`port ${port} of http://127.0.0.1:${port}`);
});
