import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, inject } from 'vitest';
import { createDatabase, dropDatabases, uniqueDatabaseName } from './postgres-server.ts';

export type Store = {
  /** 'SQLite', 'PostgreSQL 18', … */
  name: string;
  dialect: 'sqlite' | 'postgres';
  /** The URL of a fresh, empty database, removed after the test file. */
  freshUrl(): Promise<string>;
};

/** What a run tests, handed from global-setup.ts to every test file. */
export type StoreDescription = { name: string; dialect: Store['dialect']; serverUrl: string };

declare module 'vitest' {
  export interface ProvidedContext {
    stores: StoreDescription[];
  }
}

const running: (() => Promise<void>)[] = [];

/** Has something stopped before its database is removed. Other than a hook it can be said within a test. */
export function stopInTheEnd(stop: () => Promise<void>): void {
  running.push(stop);
}

/** Declares the same tests for every store of the run, each under the store's name. */
export function forEachStore(declareTests: (store: Store) => void): void {
  for (const { name, dialect, serverUrl } of inject('stores')) {
    describe(name, () => {
      const { freshUrl, removeAll } = dialect === 'sqlite' ? sqliteFiles() : databasesOn(serverUrl);
      // Hooks run in reverse: this one comes after those of the tests, which close their connections.
      afterAll(async () => {
        await Promise.all(running.splice(0).map((stop) => stop()));
        await removeAll();
      });
      declareTests({ name, dialect, freshUrl });
    });
  }
}

function sqliteFiles() {
  const folders: string[] = [];
  return {
    async freshUrl() {
      const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-sqlite-'));
      folders.push(folder);
      return `sqlite:${path.join(folder, 'gatehouse.db')}`;
    },
    async removeAll() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function databasesOn(serverUrl: string) {
  const names: string[] = [];
  return {
    freshUrl() {
      const name = uniqueDatabaseName();
      names.push(name);
      return createDatabase(serverUrl, name);
    },
    removeAll: () => dropDatabases(serverUrl, names),
  };
}
