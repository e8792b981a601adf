import type { FastifyInstance } from 'fastify';
import { findKeySet } from '../../domain/signing-keys/signing-keys.ts';
import type { PageParts } from '../shared/requests/page-request.ts';

/** Shorter than the time for which a new key is published before it signs. */
const headers = { 'cache-control': 'public, max-age=60' };

/** The public keys with which programs verify the tokens of a site: a JSON Web Key Set (RFC 7517, section 5). */
export function addKeySet(pages: FastifyInstance, { database, clock }: PageParts): void {
  pages.get('/jwks.json', async (request, reply) => {
    const keySet = await findKeySet(database, request.site!.id, clock().toISOString());
    return reply.headers(headers).type('application/jwk-set+json').send(JSON.stringify(keySet));
  });
}
