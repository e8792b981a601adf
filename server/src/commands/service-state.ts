import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import type { Settings } from './settings.ts';

/** What a running service leaves for `gatehouse doctor`, which may be started with other settings or none. */
export interface ServiceState {
  readonly pid: number;
  readonly startedAt: string;
  /** Where it listens. */
  readonly address: string;
  /** Opens the self-check, so that doctor can ask how its requests arrive. */
  readonly token: string;
  readonly settings: Settings;
}

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Writes the state of this process into a file that its user alone can read, as it has the settings with their secrets:
 * beside an SQLite file, or for PostgreSQL in a folder of the user's own among the temporary ones.
 * @returns what removes it
 */
export function writeServiceState(state: Omit<ServiceState, 'pid' | 'startedAt'>): () => void {
  const settings = { ...state.settings, databaseUrl: absolute(state.settings.databaseUrl) };
  const place = placeOf(settings.databaseUrl);
  if (place.isShared) makeOwnFolder(place.folder);
  for (const { file, pid } of stateFiles(place)) if (!isAlive(pid)) rmSync(file, { force: true });
  const file = join(place.folder, `${place.start}${process.pid}.json`);
  const content: ServiceState = { ...state, settings, pid: process.pid, startedAt: new Date().toISOString() };
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
  const wanted = absolute(databaseUrl);
  const own = running(placeOf(wanted)).filter(({ settings }) => settings.databaseUrl === wanted);
  const found = own.length > 0 || isNamed ? own : running(sharedPlace());
  return found.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0];
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

function absolute(databaseUrl: string): string {
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
