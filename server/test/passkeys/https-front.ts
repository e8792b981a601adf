import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer } from 'node:tls';
import { makeCertificate } from '../gate/club.ts';

export interface HttpsFront {
  readonly port: number;
  stop(): void;
}

/** Accepts https for a server, as its reverse proxy does, with a certificate that no browser trusts. */
export async function startHttpsFront(address: string): Promise<HttpsFront> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-https-'));
  const [cert, key] = makeCertificate(folder).map((file) => readFileSync(file));
  rmSync(folder, { recursive: true });
  const target = Number(new URL(address).port);
  const server = createServer({ cert, key }, (socket) => {
    const onward = connect(target, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    // Browsers leave connections open that they no longer need.
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() };
}
