import { explainedNames } from './group-names.ts';
import { listedNames } from './listed-names.ts';
import { ownSeparator, possibleSeparators, unmistakableSeparator } from './separators.ts';

const maxExamples = 3;

/** What separates the groups in the cells of a list; null if that is not known. */
export interface FoundSeparator {
  readonly separator: string | null;
  /** What could separate them, if it is not known. */
  readonly possible: readonly string[];
  readonly examples: readonly string[];
}

/**
 * Finds out what separates the groups in cells.
 * @param further separators in other cells of the list
 * @param groupNames names of groups of the site, which may contain a separator
 */
export function findSeparator(
  cells: readonly string[],
  further: ReadonlySet<string>,
  groupNames: ReadonlySet<string>,
): FoundSeparator {
  const found = (separator: string): FoundSeparator => ({ separator, possible: [], examples: [] });
  const has = (separator: string) => further.has(separator) || cells.some((cell) => cell.includes(separator));
  if (has(ownSeparator)) return found(ownSeparator);
  if (has(unmistakableSeparator)) return found(unmistakableSeparator);
  const several = cells.filter((cell) => !groupNames.has(cell.normalize('NFC')));
  if (several.some((cell) => (listedNames(cell)?.length ?? 0) > 0)) return found(',');
  const separated = several.filter((cell) => possibleSeparators.some((each) => cell.includes(each)));
  const possible = possibleSeparators.filter(
    (each) => further.has(each) || separated.some((cell) => cell.includes(each)),
  );
  if (possible.length === 0) return found(ownSeparator);
  const explaining = possible.find((each) =>
    separated.every((cell) => explainedNames(cell, each, groupNames) !== undefined),
  );
  if (explaining !== undefined && separated.length > 0) return found(explaining);
  return { separator: null, possible, examples: separated.slice(0, maxExamples) };
}
