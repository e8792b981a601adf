import { connect } from 'node:net';
import type { PostgresHost } from './postgres-url.ts';

/** The message SSLRequest (PostgreSQL, "Message Formats"). */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Whether a server declines to encrypt a connection. Asked only after a connection has failed, to say why: the driver
 * begins with TLS whatever the server answers. False if there is no answer.
 */
export function declinesEncryption({ name, port }: PostgresHost, milliseconds: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: name, port }, () => socket.write(sslRequest));
  socket.setTimeout(milliseconds, () => socket.destroy());
  socket.once('data', (answer) => {
    resolve(answer.toString('latin1', 0, 1) === 'N');
    socket.destroy();
  });
  socket.on('error', () => {});
  socket.once('close', () => resolve(false));
  return promise;
}
