import { once } from 'node:events';
import { ReadStream, type Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type SendOptions, type SendResult, send } from '@fastify/send';
import { readRequestPath } from '../../domain/access-rules/decision/request-path.ts';
import type { GateResult } from '../../domain/access-rules/site-access.ts';
import { cacheControlOf, type SiteContent, type Visit } from './content.ts';
import { locate } from './located-path.ts';
import { sendMessage } from './messages.ts';

const indexPage = 'index.html';
const notFoundPage = '404.html';
const unknownType = 'application/octet-stream';
/** Larger pieces take fewer turns of the event loop. A download buffers about two. */
const pieceBytes = 128 * 1024;

/** A file of the site, a folder, or the place where one could be. */
interface Entry {
  /** Its names below the folder of the site, after all symbolic links. */
  readonly names: readonly string[];
  /** Its names as the path of the request has them. */
  readonly requested: readonly string[];
  /** Whether something is there. */
  readonly exists: boolean;
}

/** What is at a path, if anything, or the decision that denies it. */
interface Opened {
  /** With the decision on the place where it really is. */
  readonly visit: Visit;
  readonly result?: SendResult | 'folder' | undefined;
  readonly denied?: GateResult;
}

/** Serves the files of a folder. */
export class Folder implements SiteContent {
  readonly #root: string;
  readonly opensFiles = true;
  readonly upgrades = () => false;

  /** @param root the path of the folder without symbolic links */
  constructor(root: string) {
    this.#root = root;
  }

  async send(visit: Visit): Promise<void> {
    const { request, response, target } = visit;
    request.resume();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendMessage(visit, 405, 'bad_request', { allow: 'GET, HEAD' });
    }
    // With the access token of a program, which it needs again at the next address.
    const [pathname = '', ...query] = request.url!.split('?');
    const names = readRequestPath(target)!;
    let page = await this.#open(visit, names);
    if (page?.result === 'folder') {
      if (!pathname.endsWith('/')) {
        const location = [`${pathname}/`, ...query].join('?');
        const headers = {
          location,
          'cache-control': 'private, no-cache',
          vary: 'Cookie',
          'content-length': 0,
        };
        return void response.writeHead(302, headers).end();
      }
      page = await this.#open(visit, [...names, indexPage]);
    } else if (page?.result && pathname.endsWith('/')) page = { visit, result: discard(page.result) };
    // The visitor does not learn where the link leads, nor what is there.
    if (page?.denied) return visit.deny({ ...page.denied, target });
    if (!page?.result || page.result === 'folder') return this.#sendNotFound(visit);
    return sendFile(page.visit, page.result);
  }

  close(): void {}

  /** Opens what a path names, if the visitor also has access to the place where it really is. */
  async #open(visit: Visit, names: readonly string[]): Promise<Opened | undefined> {
    const entry = await this.#find(names);
    if (!entry) return { visit };
    const result = await decideOnPlace(visit, entry);
    if (!result.decision.allowed) return { visit, denied: result };
    const allowed = { ...visit, ...result };
    return { visit: allowed, result: entry.exists ? await this.#read(allowed, entry) : undefined };
  }

  /** Finds what a path names. Undefined if there can be nothing that visitors may see, whatever the rules. */
  async #find(names: readonly string[]): Promise<Entry | undefined> {
    if (isHidden(names)) return undefined;
    const { place, exists } = await locate(this.#root, names);
    const below = path.relative(this.#root, place);
    const found = below === '' ? [] : below.split(path.sep);
    if (found[0] === '..' || path.isAbsolute(below) || isHidden(found)) return undefined;
    return { names: found, requested: names, exists };
  }

  /** Opens a file. Undefined if there is none that can be read. */
  async #read(
    { request }: Visit,
    { names }: Pick<Entry, 'names'>,
  ): Promise<SendResult | 'folder' | undefined> {
    if (names.length === 0) return 'folder';
    const options = { ...sendOptions, root: this.#root };
    const result = await send(request, targetOf({ names }), options).catch((error) => {
      if (error instanceof NotAFile) return undefined;
      throw error;
    });
    if (result?.type === 'directory') return 'folder';
    if (result?.type === 'error' && (result.statusCode === 404 || result.statusCode === 500))
      return undefined;
    if (!(result?.stream instanceof ReadStream)) return result;
    return once(result.stream, 'open').then(
      () => result,
      () => undefined,
    );
  }

  /** The folder may have its own page, if the visitor has access to it. */
  async #sendNotFound(visit: Visit): Promise<void> {
    const entry = await this.#find([notFoundPage]);
    const result = entry && (await visit.check(targetOf(entry)));
    const isShown = entry?.exists && result?.decision.allowed;
    const own = isShown ? await this.#read(withoutConditions(visit), entry) : undefined;
    if (!own || own === 'folder') return sendMessage(visit, 404, 'not_found');
    return sendFile({ ...visit, ...result }, { ...own, statusCode: 404 });
  }
}

/**
 * Decides on the place of a file if the request names it in another way: through a link, in other letters, or with
 * accents in another form. Rules have composed names, and a name in another form must follow the same rule.
 */
async function decideOnPlace(visit: Visit, { names, requested }: Entry): Promise<GateResult> {
  if (isSame(names, requested)) return visit;
  const composed = names.map((name) => name.normalize('NFC'));
  const result = isSame(composed, requested) ? visit : await visit.check(targetOf({ names: composed }));
  if (!result.decision.allowed || isSame(names, composed)) return result;
  // The names of the rule itself are those of the composed path: no rule can have them in another form.
  const ofRule = result.decision.rule?.path.split('/').filter(Boolean).length ?? 0;
  const target = targetOf({ names: [...composed.slice(0, ofRule), ...names.slice(ofRule)] });
  return visit.check(target);
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.join('/') === others.join('/');
}

class NotAFile extends Error {}

/** Pipes, devices and sockets are no pages: reading them may never end. */
function requireFile(_: string, stats: Stats): void {
  if (!stats.isFile()) throw new NotAFile();
}

const sendOptions: SendOptions = {
  dotfiles: 'allow',
  index: false,
  cacheControl: false,
  highWaterMark: pieceBytes,
  onFile: requireFile,
};

/** Names that begin with a dot are not for visitors: `.git`, `.env`. The exception is for certificates (RFC 8615). */
function isHidden(names: readonly string[]): boolean {
  return names.some((name, index) => name.startsWith('.') && !(index === 0 && name === '.well-known'));
}

function targetOf({ names }: Pick<Entry, 'names'>): string {
  return `/${names.map(encodeURIComponent).join('/')}`;
}

/** The page for a missing file is complete and always sent. */
function withoutConditions(visit: Visit): Visit {
  const { method } = visit.request;
  return { ...visit, request: { method, headers: {} } as IncomingMessage };
}

function discard(result: SendResult | undefined): undefined {
  result?.stream.destroy();
}

async function sendFile(visit: Visit, { statusCode, headers, stream }: SendResult): Promise<void> {
  const { response } = visit;
  response.writeHead(statusCode, {
    ...headers,
    ...(statusCode !== 304 && { 'Content-Type': headers['Content-Type'] ?? unknownType }),
    'cache-control': cacheControlOf(visit),
    vary: 'Cookie',
    'x-content-type-options': 'nosniff',
  });
  const length = Number(headers['Content-Length']);
  if (stream instanceof ReadStream && length > 0 && length <= pieceBytes) {
    return sendAtOnce(response, stream, length);
  }
  // The visitor may leave at any time.
  await pipeline(stream, response).catch(() => response.destroy());
  const isShorter = stream instanceof ReadStream && stream.bytesRead < length;
  // The file was cut while it was sent: without the end of the connection the visitor would wait for the rest.
  if (isShorter) response.destroy();
}

/** Sends a file of one piece together with its headers: a pipeline would cost as much as the rest of the request. */
function sendAtOnce(response: ServerResponse, stream: ReadStream, length: number): void {
  stream
    .once('data', (data) => {
      if (data.length === length) response.end(data);
      else response.destroy();
    })
    .once('error', () => response.destroy())
    // Without data, the file has become empty.
    .once('end', () => {
      if (!response.writableEnded) response.destroy();
    });
}
