import { hash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { versionAndCommit } from '../base/version.ts';
import { settingsPath } from '../http/health/self-check.ts';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import type { Settings } from './settings/settings.ts';

/**
 * The state that a running service stores for `./gatehouse doctor`, which may be started with other settings or none.
 * It contains no secret that outlives the service: the settings are requested from the service.
 */
export interface ServiceState extends ServiceTokens {
  readonly pid: number;
  readonly startedAt: string;
  /** Of the program, with the commit. */
  readonly version: string;
  /** The URL on which it listens. */
  readonly address: string;
  /** The hash of the database URL, which may contain a password. */
  readonly database: string;
}

/** The tokens that the service and the readers of its state file know. */
export interface ServiceTokens {
  /** For the self-check, which reports how a request through the proxies arrived. */
  readonly selfCheckToken: string;
  /** For the settings with their secrets. Sent only directly to the service. */
  readonly settingsToken: string;
}

export function newTokens(): ServiceTokens {
  const newToken = () => randomBytes(32).toString('base64url');
  return { selfCheckToken: newToken(), settingsToken: newToken() };
}

/**
 * Writes the state of this process to a file that only its user can read: next to an SQLite file, or for PostgreSQL
 * in a folder of the user within the temporary folder.
 * @returns a function that removes the file
 */
export function writeServiceState(address: string, tokens: ServiceTokens, databaseUrl: string): () => void {
  const stateFolder = stateFolderOf(databaseUrl);
  if (stateFolder.isShared) makeOwnFolder(stateFolder.folder);
  for (const mark of [stateMark, aheadMark]) {
    for (const { file, pid } of stateFiles(stateFolder, mark))
      if (!isAlive(pid) || pid === process.pid) rmSync(file, { force: true });
  }
  const file = join(stateFolder.folder, `${stateFolder.start}${process.pid}.json`);
  const startedAt = new Date().toISOString();
  const database = hashOf(databaseUrl);
  const content: ServiceState = {
    pid: process.pid,
    startedAt,
    version: versionAndCommit,
    address,
    database,
    ...tokens,
  };
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  return () => rmSync(file, { force: true });
}

/** Lets doctor know that the ids of this process are ahead of the clock. @param lastTime in milliseconds since 1970 */
export function writeIdsAhead(databaseUrl: string, lastTime: number): void {
  const stateFolder = stateFolderOf(databaseUrl);
  if (stateFolder.isShared) makeOwnFolder(stateFolder.folder);
  const content = JSON.stringify({ database: hashOf(databaseUrl), lastTime });
  const file = join(stateFolder.folder, `${stateFolder.start}${process.pid}${aheadMark}`);
  writeFileSync(file, content, { mode: 0o600 });
}

export function deleteIdsAhead(databaseUrl: string): void {
  const { folder, start } = stateFolderOf(databaseUrl);
  rmSync(join(folder, `${start}${process.pid}${aheadMark}`), { force: true });
}

/** A process whose ids were ahead of the clock when it wrote this. */
export interface IdsAhead {
  readonly pid: number;
  /** In milliseconds since 1970. */
  readonly lastTime: number;
}

/** The running processes on a database whose ids were ahead of the clock. */
export function findIdsAhead(databaseUrl: string): IdsAhead[] {
  const wanted = hashOf(databaseUrl);
  const stateFolder = stateFolderOf(databaseUrl);
  if (stateFolder.isShared && !isOwnFolder(stateFolder.folder)) return [];
  return stateFiles(stateFolder, aheadMark)
    .filter(({ pid }) => isAlive(pid))
    .flatMap(({ file, pid }) => {
      const { database, lastTime } = JSON.parse(readFileSync(file, 'utf8'));
      return database === wanted ? [{ pid, lastTime }] : [];
    });
}

/**
 * The service that runs on a database, or the one started last if there are several. If no database is named and the
 * default one does not exist, any service of this user.
 */
export function findService({ databaseUrl }: Settings, isNamed: boolean): ServiceState | undefined {
  const wanted = hashOf(databaseUrl);
  const own = running(stateFolderOf(databaseUrl)).filter(({ database }) => database === wanted);
  const found = own.length > 0 || isNamed ? own : running(sharedFolder());
  return found.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0];
}

const settingsTimeoutMilliseconds = 3_000;

/** The settings of a running service, with their secrets; undefined if it does not respond. */
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

interface StateFolder {
  readonly folder: string;
  /** The start of the file names, before the process ID. */
  readonly start: string;
  readonly isShared: boolean;
}

function stateFolderOf(databaseUrl: string): StateFolder {
  if (dialectOf(databaseUrl) === 'postgres') return sharedFolder();
  const path = sqlitePath(databaseUrl);
  return { folder: dirname(path), start: `${basename(path)}.service-`, isShared: false };
}

function sharedFolder(): StateFolder {
  return {
    folder: join(tmpdir(), `gatehouse-${process.getuid?.() ?? 0}`),
    start: 'service-',
    isShared: true,
  };
}

/** Another user may create a folder with this name first: then it is neither written nor read. */
function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOwnFolder(folder)) throw new Error(`${folder} belongs to another user, or others can read it.`);
}

function isOwnFolder(folder: string): boolean {
  const state = lstatSync(folder, { throwIfNoEntry: false });
  return state?.isDirectory() === true && state.uid === process.getuid?.() && (state.mode & 0o077) === 0;
}

function running(stateFolder: StateFolder): ServiceState[] {
  if (stateFolder.isShared && !isOwnFolder(stateFolder.folder)) return [];
  return stateFiles(stateFolder, stateMark)
    .filter(({ pid }) => isAlive(pid))
    .flatMap(({ file }) => {
      try {
        return [JSON.parse(readFileSync(file, 'utf8')) as ServiceState];
      } catch {
        // Deleted in the meantime, or another user's.
        return [];
      }
    });
}

/** The ends of file names, after the process ID. */
const stateMark = '.json';
const aheadMark = '.ahead.json';

function stateFiles({ folder, start }: StateFolder, mark: string): { file: string; pid: number }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter(
      (name) =>
        name.startsWith(start) && /^\d+$/.test(name.slice(start.length, -mark.length)) && name.endsWith(mark),
    )
    .map((name) => ({ file: join(folder, name), pid: Number.parseInt(name.slice(start.length), 10) }));
}

function hashOf(databaseUrl: string): string {
  return hash('sha256', absoluteUrl(databaseUrl), 'hex');
}

/** The same URL from every folder. */
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
