import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const require = createRequire(import.meta.url);
/** A release brings this file alone; in a clone the whole package is installed. */
const releasedScript = fileURLToPath(new URL('../../assets/api-reference.js', import.meta.url));

/** The reader may use what this server gives, and ask no other host for anything. */
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

/** The reference of the API for people, at `/docs`. */
export function addDocumentation(server: FastifyInstance): void {
  const script = compressOnce(() =>
    existsSync(releasedScript)
      ? releasedScript
      : require.resolve('@scalar/api-reference/browser/standalone.js'),
  );
  server.get('/docs', (_, reply) => reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page));
  server.get('/docs/scalar.js', { config: { uncounted: true } }, async (request, reply) => {
    const { plain, compressed } = await script();
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    reply.headers({ 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' });
    if (takesGzip) reply.header('content-encoding', 'gzip');
    return reply.type('text/javascript; charset=utf-8').send(takesGzip ? compressed : plain);
  });
}

/** Reads and compresses a file when it is first asked for. */
function compressOnce(path: () => string): () => Promise<{ plain: Buffer; compressed: Buffer }> {
  let content: Promise<{ plain: Buffer; compressed: Buffer }> | undefined;
  const load = async () => {
    const plain = await readFile(path());
    return { plain, compressed: await promisify(gzip)(plain) };
  };
  return () => {
    content ??= load();
    return content;
  };
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
