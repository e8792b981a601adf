#!/usr/bin/env node
// Plain JavaScript for any Node, so that an old Node prints a clear message instead of a syntax error.
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(
    `Gatehouse needs Node.js 24 or later, and this is ${process.versions.node}. Start ./gatehouse instead: it brings its own Node.`,
  );
  process.exit(1);
}
// The compiled program is stored for the next start, next to the packages, where only their owner can write. Threads
// read the environment.
const { enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);

// A service runs for a long time next to other programs, so it uses little memory, for about as much work (see
// bench/results.md). With 2 MiB for young objects instead of 4, a GET of one member takes a sixth more on PostgreSQL. There,
// requests wait for answers, and what waits grows old: with 20 instead of 100 % more old objects before they are collected, a
// POST takes a fifth more and a GET of one member a twelfth, and 155 instead of 181 MiB are used under load.
// Without this restart, which takes 0.1 s: 171 instead of 148 MiB under reads, and 207 instead of 153 under creates.
const command = process.argv[2];
const onPostgres = command === 'serve' && /^\uFEFF?postgres/.test(await findDatabaseUrl());
const memorySaving = ['--max-semi-space-size=4', `--heap-growing-percent=${onPostgres ? 100 : 20}`];
// The C library otherwise reserves memory for each thread: 11 of 154 MiB under load, without a gain in speed.
const memoryOfLibrary = { MALLOC_ARENA_MAX: '1' };
// With this, a copy of a database uses 118 instead of 208 MiB, and nearly half more CPU time, while it waits for the other store.
const savesMemory = command === 'serve' || command === 'copy';
if (savesMemory && process.execve && !process.execArgv.includes(memorySaving[0])) {
  const flags = [...process.execArgv, ...memorySaving];
  const environment = { ...memoryOfLibrary, ...process.env };
  process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], environment);
}

/** Problems with the file are reported when the settings are read. */
async function findDatabaseUrl() {
  const { GATEHOUSE_DATABASE_URL: url, GATEHOUSE_DATABASE_URL_FILE: file } = process.env;
  if (url || !file) return url ?? '';
  const { readFileSync, statSync } = await import('node:fs');
  try {
    const state = statSync(file);
    return state.isFile() && state.size <= 65_536 ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

// As it was built by the set-up, or from the sources if they have changed since.
const { isBuilt, service } = await import('../../scripts/builds.mjs');
const built = isBuilt(fileURLToPath(new URL('../../', import.meta.url)), service);
await import(built ? '../dist/entries/program.js' : '../src/commands/program.ts');
