import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** On macOS, only the first address and the last one can be listened on. */
const addresses = ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '::1'];

export interface LoopbackServers {
  /** The port for http, the same one on all addresses. */
  readonly port: number;
  /** The port for https. */
  readonly tlsPort: number;
  /** The certificate of https, to be trusted as an authority. */
  readonly certificate: string;
  /** The local address of each connection that was accepted. */
  readonly connections: string[];
  /** The connections that are open. */
  readonly sockets: Set<Socket>;
}

/** Starts servers for http and https on the addresses of loopback, for one test. */
export async function listenOnLoopback(answer: RequestListener): Promise<LoopbackServers> {
  const connections: string[] = [];
  const sockets = new Set<Socket>();
  const { key, certificate } = testCertificate();
  const counted = (server: Server) =>
    server.on('connection', (socket) => {
      connections.push(socket.localAddress ?? '');
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    });
  const servers: Server[] = [];
  const listen = (create: () => Server) => listenEverywhere(() => counted(create()), servers);
  onTestFinished(() => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  });
  const port = await listen(() => createServer(answer));
  const tlsPort = await listen(() => createTlsServer({ key, cert: certificate }, answer));
  return { port, tlsPort, certificate, connections, sockets };
}

/** Listens on all addresses with the same port, which it returns. */
async function listenEverywhere(create: () => Server, servers: Server[]): Promise<number> {
  const first = await listenAt(create(), addresses[0]!, 0);
  const { port } = first.address() as AddressInfo;
  const opened = [first];
  for (const address of addresses.slice(1)) {
    try {
      opened.push(await listenAt(create(), address, port));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EADDRNOTAVAIL') continue;
      for (const server of opened) server.close();
      if (code === 'EADDRINUSE') return listenEverywhere(create, servers);
      throw error;
    }
  }
  servers.push(...opened);
  return port;
}

async function listenAt(server: Server, address: string, port: number): Promise<Server> {
  server.listen(port, address);
  await once(server, 'listening');
  return server;
}

let created: { key: string; certificate: string } | undefined;

/** For `hooks.example.org` and the addresses 127.0.0.1 and ::1. */
function testCertificate(): { key: string; certificate: string } {
  if (created !== undefined) return created;
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-certificate-'));
  const [certificate, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const alternatives = 'subjectAltName=DNS:hooks.example.org,IP:127.0.0.1,IP:::1';
  const names = ['-subj', '/CN=hooks.example.org', '-addext', alternatives];
  const files = ['-days', '2', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...curve, ...names, ...files], { stdio: 'ignore' });
  created = { key: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') };
  rmSync(folder, { recursive: true });
  return created;
}
