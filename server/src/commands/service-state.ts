import { hash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { settingsPath } from '../http/self-check.ts';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import type { Settings } from './settings.ts';

/**
 * What a running service leaves for `./gatehouse doctor`, which may be started with other settings or none. It has no secret
 * that outlives the service: the settings are asked for.
 */
export interface ServiceState extends ServiceTokens {
  readonly pid: number;
  readonly startedAt: string;
  /** Where it listens. */
  readonly address: string;
  /** Which database it runs on, as a hash: the URL may have a password. */
  readonly database: string;
}

/** Known to the service, and to whoever can read its state file. */
export interface ServiceTokens {
  /** For the self-check, which goes by way of proxies: it tells how a request arrived. */
  readonly selfCheckToken: string;
  /** For the settings with their secrets. Sent to the service itself alone. */
  readonly settingsToken: string;
}

export function newTokens(): ServiceTokens {
  const newToken = () => randomBytes(32).toString('base64url');
  return { selfCheckToken: newToken(), settingsToken: newToken() };
}

/**
 * Writes the state of this process into a file that its user alone can read: beside an SQLite file, or for PostgreSQL in a
 * folder of the user's own among the temporary ones.
 * @returns what removes it
 */
export function writeServiceState(address: string, tokens: ServiceTokens, databaseUrl: string): () => void {
  const place = placeOf(databaseUrl);
  if (place.isShared) makeOwnFolder(place.folder);
  for (const { file, pid } of stateFiles(place)) if (!isAlive(pid)) rmSync(file, { force: true });
  const file = join(place.folder, `${place.start}${process.pid}.json`);
  const startedAt = new Date().toISOString();
  const database = hashOf(databaseUrl);
  const content: ServiceState = { pid: process.pid, startedAt, address, database, ...tokens };
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  return () => rmSync(file, { force: true });
}

/**
 * The service that runs on a database, the one started last where there are several. Where no database is named and the
 * usual one is not there, any service of this user.
 */
export function findService({ databaseUrl }: Settings, isNamed: boolean): ServiceState | undefined {
  const wanted = hashOf(databaseUrl);
  const own = running(placeOf(databaseUrl)).filter(({ database }) => database === wanted);
  const found = own.length > 0 || isNamed ? own : running(sharedPlace());
  return found.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0];
}

const settingsTimeoutMilliseconds = 3_000;

/** The settings of a running service, with their secrets; undefined where it does not answer. */
export async function findSettings({ address, settingsToken }: ServiceState): Promise<Settings | undefined> {
  try {
    const response = await fetch(address + settingsPath, {
      headers: { authorization: `Bearer ${settingsToken}` },
      redirect: 'error',
      signal: AbortSignal.timeout(settingsTimeoutMilliseconds),
    });
    return response.ok ? ((await response.json()) as Settings) : undefined;
  } catch {
    return undefined;
  }
}

interface Place {
  readonly folder: string;
  /** How the names of the files begin, before the process id. */
  readonly start: string;
  readonly isShared: boolean;
}

function placeOf(databaseUrl: string): Place {
  if (dialectOf(databaseUrl) === 'postgres') return sharedPlace();
  const path = sqlitePath(databaseUrl);
  return { folder: dirname(path), start: `${basename(path)}.service-`, isShared: false };
}

function sharedPlace(): Place {
  return {
    folder: join(tmpdir(), `gatehouse-${process.getuid?.() ?? 0}`),
    start: 'service-',
    isShared: true,
  };
}

/** Anybody may make a folder of that name first: then nothing is written there, and nothing believed. */
function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOwnFolder(folder)) throw new Error(`${folder} belongs to somebody else, or others can read it.`);
}

function isOwnFolder(folder: string): boolean {
  const state = lstatSync(folder, { throwIfNoEntry: false });
  return state?.isDirectory() === true && state.uid === process.getuid?.() && (state.mode & 0o077) === 0;
}

function running(place: Place): ServiceState[] {
  if (place.isShared && !isOwnFolder(place.folder)) return [];
  return stateFiles(place)
    .filter(({ pid }) => isAlive(pid))
    .flatMap(({ file }) => {
      try {
        return [JSON.parse(readFileSync(file, 'utf8')) as ServiceState];
      } catch {
        // Gone meanwhile, or another user's.
        return [];
      }
    });
}

function stateFiles({ folder, start }: Place): { file: string; pid: number }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.startsWith(start) && /^\d+\.json$/.test(name.slice(start.length)))
    .map((name) => ({ file: join(folder, name), pid: Number.parseInt(name.slice(start.length), 10) }));
}

function hashOf(databaseUrl: string): string {
  return hash('sha256', absoluteUrl(databaseUrl), 'hex');
}

/** The same from whichever folder it is read. */
export function absoluteUrl(databaseUrl: string): string {
  return dialectOf(databaseUrl) === 'sqlite' ? `sqlite:${sqlitePath(databaseUrl)}` : databaseUrl;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
