import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Operation, openApiDocument, operations } from '@gatehouse/contract';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { installation } from '../../base/installation.ts';
import type { CallResponse } from '../../runtime/call.ts';
import type { Admission } from '../shared/credentials/admission.ts';
import { compileShapeCheck } from '../shared/json/validation.ts';
import { type Asset, readAsset, sendAsset } from '../shared/pages/assets.ts';
import { sendResponse } from './operation-response.ts';

/** A release contains only this file; in a clone the whole package is installed. */
const releasedScript = fileURLToPath(new URL('server/assets/api-reference.js', installation));

/** The reference may load only from this server. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

const configuration = {
  url: '/api/v1/openapi.json',
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse API</title>
<link rel="icon" href="data:,">
</head>
<body>
<script id="api-reference" data-configuration="${escapeAttribute(JSON.stringify(configuration))}"></script>
<script src="/docs/scalar.js"></script>
</body>
</html>
`;

/** The API reference for people, at `/docs`. */
export const documentation: FastifyPluginAsync<{ readonly admission: Admission }> = async (
  server,
  { admission },
) => {
  const counted = (request: FastifyRequest, reply: FastifyReply) => admission.admitAddress(request, reply);
  const uncounted = async (_: FastifyRequest, reply: FastifyReply) => admission.admitUncounted(reply);
  let script: Promise<Asset> | undefined;
  server.get('/docs', { onRequest: counted }, (_, reply) =>
    reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page),
  );
  server.get('/docs/scalar.js', { onRequest: uncounted }, async (request, reply) => {
    script ??= readAsset(scriptFile());
    return sendAsset(request, reply, await script, 'public, max-age=3600');
  });
};

function scriptFile(): string {
  if (existsSync(releasedScript)) return releasedScript;
  // Of the packages with this script it has by far the fewest dependencies.
  return fileURLToPath(new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference')));
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** The only operation without a key, and therefore without a site: its response is always the same. */
export function addOpenApi(server: FastifyInstance, version: string): void {
  const operation: Operation = operations.getOpenApi;
  const checkShape = compileShapeCheck(operation);
  let response: CallResponse | undefined;
  server.get(operation.path, { config: { operation } }, (request, reply) => {
    checkShape({ params: request.params, query: request.query, body: undefined });
    // Written for the first request: writing it would delay the start of the service.
    response ??= { kind: 'success', payload: JSON.stringify(openApiDocument({ version })), headers: {} };
    return sendResponse(operation, request, reply, response);
  });
}
