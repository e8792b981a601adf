// Where the files of Gatehouse are, whether it runs from its sources or as it was built (`server/vite.config.ts`).

const isBuilt = import.meta.url.endsWith('.js');

/** The folder `server`. This file and what is built of it are both two folders below. */
const server = new URL('../../', import.meta.url);

/** The folder of Gatehouse, with the workspaces. */
export const installation = new URL('../', server);

/** A file or a folder of the server that is not built. It is relative to `server/src`. */
export function sourceFile(name: string): URL {
  return new URL(`src/${name}`, server);
}

/** The file with which a thread starts. Its name is that of the source, relative to `server/src`. */
export function threadEntry(name: `${string}-entry`): URL {
  return isBuilt
    ? new URL(`dist/entries/${name.split('/').at(-1)}.js`, server)
    : new URL(`src/${name}.ts`, server);
}
