import type { FastifyRequest } from 'fastify';
import { withoutAppended } from '../../../base/text/appended-characters.ts';

/** The token at the end of the address of a link (`/link/*`), without what was appended to it. */
export function tokenOf({ params }: FastifyRequest): string {
  return withoutAppended((params as { '*': string })['*']);
}
