import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJsonBody } from './json-body.ts';

const maxBodyBytes = 1024 * 1024;

/**
 * Makes a plugin parse JSON bodies of at most 1 MiB.
 * @param mayBeEmpty whether a request with the media type JSON may have an empty body, as some programs send
 */
export function acceptJson(
  server: FastifyInstance,
  mayBeEmpty: (request: FastifyRequest) => boolean = () => false,
): void {
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    async (request: FastifyRequest, body: Buffer) =>
      body.length === 0 && mayBeEmpty(request) ? undefined : parseJsonBody(body),
  );
}
