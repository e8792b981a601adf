import type { CollectionResult, RunError } from '@gatehouse/contract';
import {
  noCounts,
  type RunCounts,
  type StoredResult,
  type StoredRun,
} from '../../../domain/sources/runs/run.ts';

/** A collection as results name it. */
interface NamedCollection {
  readonly key: string;
  readonly name: string;
}

/** What a run has found out and done so far. A run that is continued counts what was done before. */
export class RunResults {
  readonly #byCollection: Map<string, StoredResult>;
  /** Their names, by id. */
  readonly #groupsToDelete = new Map<string, string>();
  /** Of each collection its own set: a copy of a million addresses would take half a second. */
  readonly #uncertain: ReadonlySet<string>[] = [];
  #hasUnreadableRows = false;

  constructor({ collections }: StoredRun) {
    this.#byCollection = new Map(collections.map((result) => [result.key, result]));
  }

  get collections(): StoredResult[] {
    return [...this.#byCollection.values()];
  }

  /** The groups that are deleted with a confirmation, or after the grace period. */
  get groupsToDelete(): StoredRun['groupsToDelete'] {
    return [...this.#groupsToDelete].map(([groupId, name]) => ({ groupId, name }));
  }

  /** Whether any row in a collection has an unknown value. */
  get hasUncertain(): boolean {
    return this.#uncertain.length > 0;
  }

  /** Whether somebody's row in a collection has an unknown value. */
  isUncertain(email: string): boolean {
    return this.#uncertain.some((emails) => emails.has(email));
  }

  /** Whether a collection could not be read, in part or at all, or was changed during the run. */
  get isIncomplete(): boolean {
    if (this.#hasUnreadableRows) return true;
    return this.collections.some(({ error }) => error !== null && error.code !== 'not_found');
  }

  of({ key, name }: NamedCollection): CollectionResult {
    const known = this.#byCollection.get(key);
    if (known) return { ...known, name };
    return { key, name, ...noCounts, error: null, skippedPeople: [], sample: { added: [], removed: [] } };
  }

  /** Sets values of the result of a collection. */
  set(collection: NamedCollection, values: Partial<StoredResult>): void {
    this.#byCollection.set(collection.key, { ...this.of(collection), ...values });
  }

  /** Adds to the numbers of a collection. */
  count(collection: NamedCollection, counts: Partial<RunCounts>): void {
    const result = this.of(collection);
    const sums = Object.entries(counts).map(([name, count]) => [
      name,
      result[name as keyof RunCounts] + count,
    ]);
    this.set(collection, Object.fromEntries(sums));
  }

  fail(collection: NamedCollection, { code, message }: RunError): void {
    this.set(collection, { error: { code, message } });
  }

  /** Adds those of a collection whose row has an unknown value. */
  addUncertain(emails: ReadonlySet<string>): void {
    if (emails.size > 0) this.#uncertain.push(emails);
  }

  /** A collection has rows whose address cannot be read, and nobody has confirmed who is missing because of them. */
  addUnreadableRows(): void {
    this.#hasUnreadableRows = true;
  }

  addGroupToDelete(groupId: string, name: string): void {
    this.#groupsToDelete.set(groupId, name);
  }
}
