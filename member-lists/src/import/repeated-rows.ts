import { normalizeDisplayName } from '@gatehouse/contract/names';
import { mergedValues } from '../reading/listed-values.ts';
import type { MemberDraft } from '../reading/member-draft.ts';
import type { NamedGroup } from '../values/group-names.ts';

/** The rows of a person: what all of them say together. */
interface Person {
  /** Of the first row. */
  readonly line: number;
  /** The first one that a row has, and the line of that row. */
  name: string | null;
  nameLine: number;
  rows: number;
  merged: MemberDraft;
}

/**
 * Finds the rows of one person. All rows are added first; if some are repeated, all are collected; then each can be
 * resolved. Rows with one name become one member, with all the groups, the latest end of each, and the earliest
 * registration; a row with another name is listed. Rows that are invalid or left out do not count.
 */
export class RepeatedRows {
  /** A list may have millions of addresses, so that only their hashes are in memory. */
  readonly #seen = new Set<number>();
  readonly #repeated = new Set<number>();
  /** By address; only those whose hash is repeated. */
  readonly #people = new Map<string, Person>();

  /** Whether rows have to be collected. */
  get areFound(): boolean {
    return this.#repeated.size > 0;
  }

  add(draft: MemberDraft): void {
    if (!isUsed(draft)) return;
    const hash = hashOf(draft.address!);
    if (this.#seen.has(hash)) this.#repeated.add(hash);
    this.#seen.add(hash);
  }

  /** Collects what the rows of one person say, in the order of the list. */
  collect(draft: MemberDraft): void {
    if (!isUsed(draft) || !this.#repeated.has(hashOf(draft.address!))) return;
    const known = this.#people.get(draft.address!);
    if (!known) {
      const { line } = draft;
      const name = comparedName(draft);
      this.#people.set(draft.address!, { line, name, nameLine: line, rows: 1, merged: draft });
      return;
    }
    known.rows += 1;
    const name = comparedName(draft);
    if (!isSameName(known.name, name)) return;
    known.merged = merged(known.merged, draft);
    if (known.name === null) [known.name, known.nameLine] = [name, draft.line];
  }

  /** A row with what the other rows of the person say. */
  resolve(draft: MemberDraft): MemberDraft {
    const known = isUsed(draft) ? this.#people.get(draft.address!) : undefined;
    if (!known || known.rows === 1) return draft;
    const { line, name, nameLine } = known;
    if (!isSameName(name, comparedName(draft)))
      return { ...draft, problem: { code: 'other_name', values: { line: nameLine, name: name ?? '' } } };
    return line === draft.line ? known.merged : { ...draft, mergedInto: line };
  }
}

/** The rows of a list that is in memory, those of one person merged. */
export function mergeRepeated(drafts: readonly MemberDraft[]): MemberDraft[] {
  const repeated = new RepeatedRows();
  for (const draft of drafts) repeated.add(draft);
  if (!repeated.areFound) return [...drafts];
  for (const draft of drafts) repeated.collect(draft);
  const merged = new Set<string>();
  return drafts.map((draft) => {
    const resolved = repeated.resolve(draft);
    if (!isUsed(resolved)) return resolved;
    // A line of a pasted text can have an address twice.
    const isRepeated = merged.has(draft.address!);
    merged.add(draft.address!);
    return isRepeated ? { ...draft, mergedInto: draft.line } : resolved;
  });
}

/** Whether a row is part of the import: neither invalid nor left out nor part of another row. */
export function isUsed({ problem, isLeftOut, mergedInto }: MemberDraft): boolean {
  return !problem && !isLeftOut && mergedInto === undefined;
}

function comparedName({ displayName }: MemberDraft): string | null {
  return normalizeDisplayName(displayName ?? null) ?? null;
}

function isSameName(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

function merged(one: MemberDraft, other: MemberDraft): MemberDraft {
  return {
    ...one,
    ...mergedValues(one, other),
    status: one.status === 'blocked' ? one.status : (other.status ?? one.status),
    groups: unitedGroups(one.groups, other.groups),
    wasEscaped: one.wasEscaped || other.wasEscaped,
  };
}

/** All groups, each with the latest end; without an end in one row, without an end. */
function unitedGroups(some: readonly NamedGroup[], others: readonly NamedGroup[]): NamedGroup[] {
  const groups = new Map(some.map((group) => [group.name, group]));
  for (const group of others) {
    const known = groups.get(group.name);
    groups.set(group.name, known && isLater(known.expiresAt, group.expiresAt) ? known : group);
  }
  return [...groups.values()];
}

function isLater(one: string | null, other: string | null): boolean {
  return one === null || (other !== null && one > other);
}

/** A hash of 53 bits (FNV-1a) with two factors). Addresses with the same one are still distinguished. */
function hashOf(text: string): number {
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  return (one >>> 0) * 0x200000 + (other >>> 11);
}
