import type { Input } from '@gatehouse/contract';
import {
  type DashboardOperation,
  dashboardApiPrefix,
  dashboardOperations,
  dashboardStreamOperations,
} from '@gatehouse/contract/dashboard';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isMethodUnknown, sendError } from '../../shared/errors/error-response.ts';
import { unknownPathHandler } from '../../shared/errors/unknown-path.ts';
import { acceptJson } from '../../shared/json/json-parser.ts';
import { compileShapeCheck } from '../../shared/json/validation.ts';
import type { DashboardApiParts, DashboardHandlers, OperatorContext } from './dashboard-handler.ts';
import { mailServerHandlers } from './mail-server.ts';
import { meHandlers } from './me.ts';
import { admitOperator } from './operator-admission.ts';
import { passkeyLoginHandlers } from './passkey-login.ts';
import { passkeyHandlers } from './passkeys.ts';
import { previewHandlers } from './previews.ts';
import { savedViewHandlers } from './saved-views.ts';
import { sessionHandlers } from './sessions.ts';
import { siteHandlers } from './sites.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on operations of the dashboard's own API. */
    dashboardOperation?: DashboardOperation;
  }
}

const handlers: DashboardHandlers<keyof typeof dashboardOperations> = {
  ...meHandlers,
  ...siteHandlers,
  ...sessionHandlers,
  ...passkeyHandlers,
  ...passkeyLoginHandlers,
  ...previewHandlers,
  ...savedViewHandlers,
  ...mailServerHandlers,
};

const sendUnknownPath = unknownPathHandler(
  [...Object.values(dashboardOperations), ...Object.values(dashboardStreamOperations)],
  dashboardApiPrefix,
  'This path does not exist. Check the path.',
);

/** The API that only the dashboard uses, in addition to the public API: a plugin with its own parsers and errors. */
export async function dashboardApi(api: FastifyInstance, parts: DashboardApiParts): Promise<void> {
  api.decorateRequest('operator', null);
  api.decorateRequest('site', null);
  acceptJson(api, ({ routeOptions }) => routeOptions.config.dashboardOperation?.body === null);
  api.setErrorHandler((error, request, reply) =>
    isMethodUnknown(error) ? sendUnknownPath(request, reply) : sendError(error, request, reply),
  );
  api.addHook('onRequest', (request, reply) => admitOperator(parts, request, reply));
  for (const operation of Object.values(dashboardOperations)) addOperation(api, parts, operation);
  parts.siteChanges.addTo(api, parts);
  api.all('/*', async (request, reply) => sendUnknownPath(request, reply));
}

function addOperation(api: FastifyInstance, parts: DashboardApiParts, operation: DashboardOperation): void {
  const checkShape = compileShapeCheck(operation);
  const handle = handlers[operation.id as keyof typeof handlers] as AnyHandler;
  api.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { dashboardOperation: operation },
    handler: async (request, reply) => {
      const { params, query, operator } = request;
      const input = { params, query, body: operation.body === null ? undefined : request.body };
      checkShape(input);
      return send(operation, reply, await handle({ parts, request, reply, operator: operator! }, input));
    },
  });
}

type AnyHandler = (
  context: OperatorContext,
  input: { [Part in keyof Input<DashboardOperation>]: unknown },
) => Promise<unknown>;

function send({ success }: DashboardOperation, reply: FastifyReply, body: unknown): FastifyReply {
  reply.code(success.status);
  if (success.body === null) return reply.send();
  if (success.mediaType) return reply.type(`${success.mediaType}; charset=utf-8`).send(body);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}
