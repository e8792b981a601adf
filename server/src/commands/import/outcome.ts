import type { PersonRow } from '../people-file/people-file.ts';

/** What became of a row, or would become of it. */
export type Outcome =
  | { readonly kind: 'created' | 'unchanged' | 'addedToGroups' }
  | { readonly kind: 'conflict' | 'invalid'; readonly code: string; readonly message: string };

export type RowFailure = Extract<Outcome, { code: string }>;

/** Carries batches out, or only says what would become of them. Outcomes are in the order of the rows. */
export interface Performer {
  perform(
    batch: { readonly groups: readonly string[]; readonly rows: readonly PersonRow[] },
    number: number,
  ): Promise<Outcome[]>;
}

/** How many rows ended in which way. */
export type Tally = Record<Outcome['kind'], number>;

export function emptyTally(): Tally {
  return { created: 0, unchanged: 0, addedToGroups: 0, conflict: 0, invalid: 0 };
}

export function rowsOf(tally: Tally): number {
  return Object.values(tally).reduce((sum, count) => sum + count, 0);
}

export function isFailure(outcome: Outcome): outcome is RowFailure {
  return 'code' in outcome;
}

export function invalid(code: string, message: string): Outcome {
  return { kind: 'invalid', code, message };
}

/** The site has a member with the address of a row, and the row says something else about it. */
export function differs(fields: readonly string[]): Outcome {
  return {
    kind: 'conflict',
    code: 'email_taken',
    message:
      `A member with this address exists and has another ${fields.join(' and ')}. ` +
      'Change the member, or empty these cells to leave it as it is.',
  };
}
