import { type Operation, operations, streamOperations } from '@gatehouse/contract';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../shared/credentials/admission.ts';
import type { Caller } from '../shared/credentials/authentication.ts';
import { isMethodUnknown, pathNotFoundMessage, sendError } from '../shared/errors/error-response.ts';
import { unknownPathHandler } from '../shared/errors/unknown-path.ts';
import { acceptJson } from '../shared/json/json-parser.ts';
import { addOpenApi } from './documentation.ts';
import type { EventStreams } from './event-streams.ts';
import { addOperation, apiPrefix, type OperationParts } from './operation-route.ts';

export interface ApiParts extends OperationParts {
  readonly admission: Admission;
  readonly streams: EventStreams;
  readonly version: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on operations of the contract that require a permission. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Set on operations of the contract. */
    operation?: Operation;
  }
}

/** The operations of the contract. Registered with the prefix `/api/v1/`. */
export const api: FastifyPluginAsync<ApiParts> = async (server, parts) => {
  server.decorateRequest('caller', null);
  acceptJson(server, ({ routeOptions }) => routeOptions.config.operation?.body === null);
  server.addHook('onRequest', (request, reply) => admit(parts, request, reply));
  server.setNotFoundHandler(sendUnknownPath);
  server.setErrorHandler((error, request, reply) =>
    isMethodUnknown(error) ? sendUnknownPath(request, reply) : sendError(error, request, reply),
  );
  for (const operation of Object.values(operations)) {
    if (operation.id !== 'getOpenApi') addOperation(server, parts, operation);
  }
  parts.streams.addTo(server);
  addOpenApi(server, parts.version);
};

/** Requests without a valid key are rejected before the path is looked up, so they do not reveal which paths exist. */
async function admit({ admission }: ApiParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { operation } = request.routeOptions.config;
  if (operation?.permission === null) await admission.admitAddress(request, reply);
  else request.caller = await admission.admitCaller(request, reply, operation);
}

const sendUnknownPath = unknownPathHandler(
  [...Object.values(operations), ...Object.values(streamOperations)],
  apiPrefix,
  pathNotFoundMessage,
);
