import { simplified } from '../columns/headings.ts';
import { ghost } from './ghost.ts';
import type { KnownExport, KnownExportName } from './known-export.ts';

const knownExports: readonly KnownExport[] = [ghost];

/** The export that a list with these headings is; undefined if it is none, or could be several. */
export function recognize(headings: readonly string[]): KnownExport | undefined {
  const present = new Set(headings.map(simplified));
  const matching = knownExports.filter(({ signatures }) =>
    signatures.some((signature) => signature.every((heading) => present.has(simplified(heading)))),
  );
  return matching.length === 1 ? matching[0] : undefined;
}

export function knownExport(name: KnownExportName): KnownExport {
  return knownExports.find((each) => each.name === name)!;
}
