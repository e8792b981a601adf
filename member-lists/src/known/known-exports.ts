import { ghost } from './ghost.ts';
import type { KnownExport } from './known-export.ts';
import { keyOf } from './known-reading.ts';

/** By their names in readings, answers and mappings. */
const knownExports = { ghost } satisfies Readonly<Record<string, KnownExport>>;
export type KnownExportName = keyof typeof knownExports;

export const knownExportNames = Object.keys(knownExports) as KnownExportName[];

/** The export that a list with these headings is; undefined if it is none, or could be several. */
export function recognize(headings: readonly string[]): KnownExportName | undefined {
  const present = new Set(headings.map(keyOf));
  const matching = knownExportNames.filter((name) =>
    knownExport(name).signatures.some((signature) =>
      signature.every((heading) => present.has(keyOf(heading))),
    ),
  );
  return matching.length === 1 ? matching[0] : undefined;
}

export function knownExport(name: KnownExportName): KnownExport {
  return knownExports[name];
}
