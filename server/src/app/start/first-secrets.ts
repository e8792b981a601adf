import { fstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { withInstalledName } from '../../base/installed-package.ts';
import { hashKey, isWellFormedKey } from '../../domain/api-keys/api-key.ts';
import type { CallerObserver } from '../../http/shared/credentials/authentication.ts';
import { dialectOf, sqlitePath } from '../../storage/database-url.ts';

/** The secrets of a new installation, which are shown only once. */
export interface Secrets {
  readonly firstKey?: string | undefined;
  readonly setupUrl?: string | undefined;
}

/** Whether somebody stores the standard output, so that a secret would stay there. */
export function isOutputStored(environment: NodeJS.ProcessEnv): boolean {
  return isJournal(environment) || isLogOfContainer(environment);
}

/**
 * Containers name their kind to their programs (systemd.io, Container Interface). Our image does it for every engine, and
 * engines store also what a terminal shows; somebody may work in the terminal of another one.
 */
function isLogOfContainer({ container }: NodeJS.ProcessEnv): boolean {
  return container === 'oci' || (container !== undefined && !process.stdout.isTTY);
}

/**
 * Whether the standard output goes to the journal of systemd: systemd names the device and the inode of its stream
 * (systemd.exec, `JOURNAL_STREAM`), which programs compare, because a child may have another output.
 */
function isJournal({ JOURNAL_STREAM: stream }: NodeJS.ProcessEnv, descriptor = 1): boolean {
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}

const fileName = 'first-secrets.txt';

/**
 * The file with the first key and the setup link of a service whose output is stored. It is in the folder of
 * the database, or for PostgreSQL in `data`. Every process of the folder deletes it when it sees that someone has read
 * it: at the first use of the key, and at the first request of an operator.
 */
export class FirstSecretsFile implements CallerObserver {
  readonly path: string;
  readonly #logger: Logger;
  /** The hash of the key in the file; undefined if there is no file. */
  #keyHash: string | undefined;
  #exists = false;

  constructor(databaseUrl: string, logger: Logger) {
    const folder =
      dialectOf(databaseUrl) === 'sqlite' ? path.dirname(sqlitePath(databaseUrl)) : path.resolve('data');
    this.path = path.join(folder, fileName);
    this.#logger = logger;
    this.#load();
  }

  /**
   * Writes the secrets; a key of an earlier start that no one has read stays there. Returns the path; undefined if it
   * cannot be written, which is logged with what to do.
   */
  write({ firstKey = this.#readKey(), setupUrl }: Secrets): string | undefined {
    try {
      const temporary = `${this.path}.new-${process.pid}`;
      mkdirSync(path.dirname(this.path), { recursive: true, mode: 0o700 });
      rmSync(temporary, { force: true });
      writeFileSync(temporary, textOf({ firstKey, setupUrl }), { mode: 0o600, flag: 'wx' });
      renameSync(temporary, this.path);
      this.#load();
      return this.path;
    } catch (error) {
      this.#logger.warn(
        { err: error },
        withInstalledName(
          `The first key and the setup link could not be written to ${this.path}. Run ./gatehouse setup-link for another ` +
            'link, and ./gatehouse api-keys create for another key',
        ),
      );
      return undefined;
    }
  }

  /** A request with the key that has this hash was accepted. */
  keyUsed(hash: string): void {
    if (this.#exists && hash === this.#keyHash) this.delete();
  }

  /** A request of an operator was accepted: no one needs the setup link any more. */
  operatorSeen(): void {
    if (this.#exists) this.delete();
  }

  delete(): void {
    this.#exists = false;
    rmSync(this.path, { force: true });
  }

  #load(): void {
    const key = this.#readKey();
    this.#keyHash = key === undefined ? undefined : hashKey(key);
  }

  #readKey(): string | undefined {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch {
      this.#exists = false;
      return undefined;
    }
    this.#exists = true;
    return text.split(/\s+/).find(isWellFormedKey);
  }
}

function textOf({ firstKey, setupUrl }: Secrets): string {
  const link = setupUrl === undefined ? '' : `Open the dashboard: ${setupUrl}\n`;
  const key = firstKey === undefined ? '' : `API key of the first site: ${firstKey}\n`;
  return `${link}${key}This file is deleted when one of them is used.\n`;
}
