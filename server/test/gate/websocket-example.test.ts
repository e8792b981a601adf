import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { type Club, clubHost, loggedIn, startClub } from './club.ts';
import { openWebSocket } from './open-web-socket.ts';
import { nginx, type RunningProxy } from './proxies.ts';
import type { ProxiedSite } from './visitor.ts';

const example = fileURLToPath(new URL('../../../examples/websockets/server.ts', import.meta.url));

describe.skipIf(nginx.leftOut())('the example with WebSockets', () => {
  let club: Club;
  let program: ChildProcess;
  let proxy: RunningProxy;
  let proxied: ProxiedSite;
  beforeAll(async () => {
    club = await startClub();
    const appPort = await freePort();
    program = spawn(process.execPath, [example], {
      env: {
        GATEHOUSE_URL: `http://127.0.0.1:${club.upstreams.gatehousePort}`,
        GATEHOUSE_KEY: await club.createKey('events:read'),
        PORT: String(appPort),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(program.stdout!, 'data');
    proxy = await nginx.start({ ...club.upstreams, appPort });
    proxied = { port: proxy.httpsPort, host: clubHost, certificate: club.certificate };
  });
  afterAll(async () => {
    program?.kill();
    await proxy?.stop();
    await club?.stop();
  });

  test('closes all connections when the rules change, and those of a member who is blocked', async () => {
    const [ada, bob] = [
      await club.createMember('ada@example.com'),
      await club.createMember('bob@example.com'),
    ];
    const [ofAda, ofBob] = [
      await loggedIn(proxied, await club.linkOf(ada)),
      await loggedIn(proxied, await club.linkOf(bob)),
    ];
    const connect = ({ cookieHeader }: { cookieHeader: string }) =>
      openWebSocket(proxied, '/app/live', cookieHeader);
    const early = await connect(ofAda);
    await club.setRules({ path: '/app', access: 'members' });
    expect(await early.closed).toBe(1012);

    const [first, second] = [await connect(ofAda), await connect(ofBob)];
    expect(await first.next()).toBe('Welcome, visitor.');
    expect(await second.next()).toBe('Welcome, visitor.');
    second.send('hello');
    expect(await first.next()).toBe('hello');
    expect(await second.next()).toBe('hello');

    await club.api('PATCH', `/members/${ada}`, { status: 'blocked' });
    expect(await first.closed).toBe(1012);
    await expect(connect(ofAda)).rejects.toThrow(/302|401/);
    second.send('still here');
    expect(await second.next()).toBe('still here');
    second.close();
  });
});
