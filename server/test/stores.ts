import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, inject } from 'vitest';
import { isFullEffort } from './effort.ts';
import { databasesOf, uniqueDatabaseName } from './postgres-server.ts';

export type Store = {
  /** 'SQLite', 'PostgreSQL 18', … */
  name: string;
  dialect: 'sqlite' | 'postgres';
  /** The URL of a fresh, empty database, removed after the test file. */
  freshUrl(): Promise<string>;
  /** Like `freshUrl`, with the tables of this version. */
  migratedUrl(): Promise<string>;
};

/** The stores of a run, passed from global-setup.ts to every test file. */
export type StoreDescription = {
  name: string;
  dialect: Store['dialect'];
  /** The folder of SQLite's files, or the URL of PostgreSQL's server. */
  place: string;
  /** The migrated template: a file, or the name of a database. */
  template: string;
  /** True for a further PostgreSQL, which runs only the tests of `forEachStoreVersion`. */
  forVersions: boolean;
};

declare module 'vitest' {
  export interface ProvidedContext {
    stores: StoreDescription[];
    /**
     * The built file with which the threads of SQLite start, if the build was current at the start of the run: it loads faster
     * than the sources.
     */
    operationThreadEntry: string | undefined;
    /** The file with what the run leaves out. */
    skippedFile: string;
  }
}

const running: (() => Promise<void>)[] = [];

/** Stops something before its database is removed. Unlike a hook it can be called within a test. */
export function stopInTheEnd(stop: () => Promise<void>): void {
  running.push(stop);
}

/** Declares the same tests for every store of the run, each under the store's name. */
export function forEachStore(declareTests: (store: Store) => void): void {
  declareOn(
    inject('stores').filter(({ forVersions }) => !forVersions),
    declareTests,
  );
}

/**
 * Like `forEachStore`, also on the oldest supported PostgreSQL: for SQL, locks and plans, which may differ between
 * versions.
 */
export function forEachStoreVersion(declareTests: (store: Store) => void): void {
  declareOn(inject('stores'), declareTests);
}

/** For tests that do not involve the store: declares them only for the first store of the run. */
export function forOneStore(declareTests: (store: Store) => void): void {
  declareOn(inject('stores').slice(0, 1), declareTests);
}

/**
 * Whether this is the first store of the run. For single tests within `forEachStore` that do not depend on the store but share
 * its server, and for the rest of a matrix of which some cases run on every store. `npm run verify` runs them on each.
 */
export function isFirstStore({ name }: Store): boolean {
  return isFullEffort || name === inject('stores')[0]!.name;
}

function declareOn(stores: readonly StoreDescription[], declareTests: (store: Store) => void): void {
  for (const { name, dialect, place, template } of stores) {
    describe(name, () => {
      const { removeAll, ...urls } =
        dialect === 'sqlite' ? sqliteFiles(place, template) : databasesOn(place, template);
      // Hooks run in reverse order: this one runs after those of the tests, which close their connections.
      afterAll(async () => {
        await Promise.all(running.splice(0).map((stop) => stop()));
        await removeAll();
      });
      declareTests({ name, dialect, ...urls });
    });
  }
}

function sqliteFiles(place: string, template: string) {
  const folders: string[] = [];
  const freshPath = () => {
    const folder = mkdtempSync(path.join(place, 'store-'));
    folders.push(folder);
    return path.join(folder, 'gatehouse.db');
  };
  return {
    freshUrl: async () => `sqlite:${freshPath()}`,
    async migratedUrl() {
      const file = freshPath();
      copyFileSync(template, file);
      return `sqlite:${file}`;
    },
    async removeAll() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function databasesOn(serverUrl: string, template: string) {
  const prefix = template.slice(0, template.lastIndexOf('_'));
  const names: string[] = [];
  const databases = databasesOf(serverUrl);
  const create = (from?: string) => {
    const name = uniqueDatabaseName(prefix);
    names.push(name);
    return databases.create(name, from);
  };
  return {
    freshUrl: () => create(),
    migratedUrl: () => create(template),
    removeAll: () => databases.drop(names),
  };
}

/** Like `store`, but with databases that stay until the run ends, for a server that several test files share. */
export function lastingStore(name: string): Store {
  const { dialect, place, template } = inject('stores').find((store) => store.name === name)!;
  return {
    name,
    dialect,
    ...(dialect === 'sqlite' ? sqliteFiles(place, template) : databasesOn(place, template)),
  };
}
