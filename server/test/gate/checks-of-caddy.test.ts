import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clubHost, makeCertificate, writeSite } from './club.ts';
import { caddy, caddyForFiles } from './proxies.ts';
import { Visitor } from './visitor.ts';

describe.each([
  ['a program', caddy, '/app/x'],
  ['files', caddyForFiles, '/members/'],
] as const)('checks of Caddy in front of %s', (_, proxy, target) => {
  test.skipIf(proxy.leftOut())('never share a connection, which could lead to a program', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-checks-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const site = path.join(folder, 'site');
    writeSite(site, 'members only');
    const [certificate, certificateKey] = makeCertificate(folder);
    const connections: unknown[] = [];
    const gatehousePort = await startServer((request, response) => {
      connections.push(request.socket);
      response.writeHead(204, { 'remote-cache': 'private' }).end();
    });
    const appPort = await startServer((_, response) => response.end('members only'));
    const running = await proxy.start({ gatehousePort, appPort, site, certificate, certificateKey });
    onTestFinished(running.stop);
    const proxied = {
      port: running.httpsPort,
      host: clubHost,
      certificate: readFileSync(certificate, 'utf8'),
    };
    const visitor = new Visitor(proxied);
    const answers = [await visitor.get(target), ...(await visitor.getAll(Array(30).fill(target)))];
    expect(answers.map(({ text }) => text.includes('members only'))).toEqual(Array(31).fill(true));
    expect([connections.length, new Set(connections).size]).toEqual([31, 31]);
  });
});

/** Returns the port. */
async function startServer(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
