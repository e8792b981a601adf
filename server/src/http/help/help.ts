import path from 'node:path';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../shared/credentials/admission.ts';
import { type Asset, AssetFolder, readAsset, sendAsset } from '../shared/pages/assets.ts';

export interface HelpParts {
  readonly admission: Admission;
  /** The folder that the documentation is built into. */
  readonly helpFolder: string;
}

/** The documentation may load only from this server. Colors of code are attributes in its pages. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const notFound = 'There is no such page of the documentation. Its first page is /help/.\n';

const notBuilt =
  'The documentation is not built here. Read docs/README.md in the folder of Gatehouse, or build it: npm run docs\n';

/** The documentation for people, below `/help`, if it was built. */
export const help: FastifyPluginAsync<HelpParts> = async (server, { admission, helpFolder }) => {
  const counted = (request: FastifyRequest, reply: FastifyReply) => admission.admitAddress(request, reply);
  const uncounted = async (_: FastifyRequest, reply: FastifyReply) => admission.admitUncounted(reply);
  const assets = new AssetFolder(path.join(helpFolder, 'assets'));

  server.addHook('onRequest', async (_, reply) => {
    reply.headers({ 'content-security-policy': policy, 'x-robots-tag': 'noindex' });
  });
  server.get('', { onRequest: counted }, (_, reply) => reply.redirect('/help/', 302));
  server.get('/assets/*', { onRequest: uncounted }, async (request, reply) => {
    const asset = await assets.find(pathOf(request));
    // The name of a file changes with its content.
    return asset
      ? sendAsset(request, reply, asset, 'public, max-age=31536000, immutable')
      : sendText(reply, notFound);
  });
  server.get('/*', { onRequest: counted }, async (request, reply) => {
    const page = await readPage(helpFolder, pathOf(request));
    if (page) return sendAsset(request, reply, page, 'no-cache');
    const isBuilt = (await readPage(helpFolder, '')) !== undefined;
    return sendText(reply, isBuilt ? notFound : notBuilt);
  });
};

function pathOf({ params }: FastifyRequest): string {
  return (params as { '*': string })['*'];
}

/** A page, or another file that is not an asset. The path of a folder is that of its `index.html`. */
async function readPage(folder: string, name: string): Promise<Asset | undefined> {
  const file = name.replace(/(^|\/)$/, '$1index.html');
  // No part is empty or begins with a dot, so the path stays in the folder.
  if (!/^(?!\.)[\w@.-]+(\/(?!\.)[\w@.-]+)*$/.test(file)) return undefined;
  return readAsset(path.join(folder, file)).catch(() => undefined);
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.code(404).type('text/plain; charset=utf-8').send(text);
}
