import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';

/**
 * A listener of the streams of one connection. Node calls it from its event loop, where an error would end the process
 * for everyone: it ends this connection instead.
 */
export function contained<Arguments extends unknown[]>(
  socket: Duplex,
  logger: FastifyBaseLogger,
  listener: (...values: Arguments) => void,
): (...values: Arguments) => void {
  return (...values) => {
    try {
      listener(...values);
    } catch (error) {
      logger.error({ err: error }, 'a connection failed and was closed');
      socket.destroy();
    }
  };
}
