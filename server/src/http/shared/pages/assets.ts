import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** A file with its compressed variant. */
export interface Asset {
  readonly mediaType: string;
  readonly plain: Buffer;
  /** The gzip variant, if it is smaller. */
  readonly compressed: Buffer | undefined;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const compressible = new Set(['.css', '.html', '.js', '.svg']);

/** The files of a folder and its subfolders. Each is read and compressed once, on its first request. */
export class AssetFolder {
  readonly #folder: string;
  readonly #assets = new Map<string, Promise<Asset>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file with that name, or path below the folder; undefined if the folder has none. */
  async find(name: string): Promise<Asset | undefined> {
    const known = this.#assets.get(name);
    if (known) return known;
    const names = await readdir(this.#folder, { recursive: true }).catch((): string[] => []);
    if (!names.includes(name) || !(path.extname(name) in mediaTypes)) return undefined;
    const asset = readAsset(path.join(this.#folder, name));
    this.#assets.set(name, asset);
    asset.catch(() => this.#assets.delete(name));
    return asset;
  }
}

/** Sends a file, in gzip if the client prefers it (RFC 9110, section 12.5.3). */
export function sendAsset(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { mediaType, plain, compressed }: Asset,
  cacheControl: string,
): FastifyReply {
  reply.headers({ 'cache-control': cacheControl, vary: 'accept-encoding' }).type(mediaType);
  if (!compressed || new Negotiator({ headers }).encoding(['gzip', 'identity']) !== 'gzip') {
    // Also for a client that excludes both: it can read the plain file, and nothing else is left to send.
    return reply.send(plain);
  }
  return reply.header('content-encoding', 'gzip').send(compressed);
}

/** Reads a file and compresses it. @throws the error of the file system */
export async function readAsset(file: string): Promise<Asset> {
  const extension = path.extname(file);
  const plain = await readFile(file);
  const compressed = compressible.has(extension) ? await promisify(gzip)(plain) : undefined;
  return { mediaType: mediaTypes[extension] ?? 'text/plain; charset=utf-8', plain, compressed };
}
