import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../base/api-error.ts';
import { systemContext } from '../../base/change-context.ts';
import type { Clock } from '../../base/clock.ts';
import { isUuid } from '../../base/ids.ts';
import { type Notification, readNotification } from '../../domain/sources/source/source-webhook.ts';
import type { Workspaces } from '../../domain/sources/workspaces/workspaces.ts';
import type { CallRunner } from '../../runtime/call.ts';
import type { Database } from '../../storage/database.ts';
import type { Admission } from '../shared/credentials/admission.ts';
import { sendNotFound } from '../shared/errors/error-response.ts';

export interface HooksParts {
  readonly admission: Admission;
  readonly database: Database;
  readonly writer: CallRunner;
  readonly workspaces: Workspaces;
  readonly clock: Clock;
}

/** The largest body; those of Notion are smaller than 2 KiB. */
const maxBodyBytes = 64 * 1024;

const unexpectedToken =
  'a verification token for a webhook was not accepted, because nobody has requested one in the last minutes: connect ' +
  'Notion on the page of the source, then let Notion send its token again';

interface Target {
  readonly type: string;
  readonly siteId: string;
  readonly sourceId: string;
}

/** The requests that workspaces send when something has changed there. */
export const hooks: FastifyPluginAsync<HooksParts> = async (server, parts) => {
  server.addHook('onRequest', (request, reply) => parts.admission.admitAddress(request, reply));
  // The signature is computed from the bytes.
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_, body, done) =>
    done(null, body),
  );
  server.post<{ Params: Target }>('/:type/:siteId/:sourceId', (request, reply) =>
    receive(parts, request, reply),
  );
};

/**
 * An unknown source, another kind of source, a wrong signature, a token that no one has requested and a secret that cannot
 * be decrypted get the same response.
 */
async function receive(
  parts: HooksParts,
  request: FastifyRequest<{ Params: Target }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const notification = await notificationIn(request, parts);
  if (!notification) return sendNotFound(request, reply);
  await parts.writer.run({
    action: 'acceptNotification',
    siteId: request.params.siteId,
    changeContext: { ...systemContext(parts.clock().toISOString()), requestId: request.id },
    input: notification,
  });
  return reply.code(204).send();
}

async function notificationIn(
  request: FastifyRequest<{ Params: Target }>,
  { database, workspaces, clock }: HooksParts,
): Promise<Notification | undefined> {
  const { siteId, ...source } = request.params;
  const { sourceId } = source;
  if (!isUuid(siteId) || !isUuid(sourceId)) return undefined;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  try {
    const sent = { body, headers: request.headers };
    const view = { db: database, siteId, now: clock().toISOString() };
    const read = await readNotification(view, workspaces, source, sent);
    if (read?.kind !== 'unexpected') return read;
    request.log.warn({ requestId: request.id, sourceId }, unexpectedToken);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    request.log.warn({ requestId: request.id, sourceId, reason: error.message }, 'a webhook was rejected');
    return undefined;
  }
}
