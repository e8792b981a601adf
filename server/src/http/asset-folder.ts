import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Asset {
  readonly mediaType: string;
  readonly plain: Buffer;
  /** The same in gzip, where that makes it shorter. */
  readonly compressed: Buffer | undefined;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const compressible = new Set(['.css', '.js', '.svg']);

/** The files of a build, whose names change with what is in them. Each is read and compressed when it is first asked for. */
export class AssetFolder {
  readonly #folder: string;
  readonly #assets = new Map<string, Promise<Asset>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file of that name; undefined where the folder has none. */
  async find(name: string): Promise<Asset | undefined> {
    const known = this.#assets.get(name);
    if (known) return known;
    const names = await readdir(this.#folder).catch((): string[] => []);
    if (!names.includes(name) || !(path.extname(name) in mediaTypes)) return undefined;
    const asset = this.#read(name);
    this.#assets.set(name, asset);
    asset.catch(() => this.#assets.delete(name));
    return asset;
  }

  async #read(name: string): Promise<Asset> {
    const extension = path.extname(name);
    const plain = await readFile(path.join(this.#folder, name));
    return {
      mediaType: mediaTypes[extension]!,
      plain,
      compressed: compressible.has(extension) ? await promisify(gzip)(plain) : undefined,
    };
  }
}
