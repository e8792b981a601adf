import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pathBesideInput } from '../../installed/named-files.ts';
import { emptyTally, type Tally } from './tally.ts';

/** A failed row, as the report lists it. */
export interface ShownFailure {
  readonly line: number;
  readonly email: string;
  readonly code: string;
  readonly message: string;
}

/** The progress of an import. */
export interface Progressed {
  /** Identifies the file and all options of the import; with other ones the import starts from the beginning. */
  readonly fingerprint: string;
  /**
   * Part of the idempotency keys, so that a continued run repeats its own last request and none of an earlier import.
   */
  readonly run: string;
  readonly batches: number;
  readonly tally: Tally;
  readonly shown: readonly ShownFailure[];
  /** The length of the file of failed rows. */
  readonly failedBytes: number;
  /** The length of the file of results. */
  readonly resultBytes: number;
  /** The request id of all requests of the import. */
  readonly requestId: string;
  /** SHA-256 of the list. */
  readonly contentHash: string;
  /** The groups that the import has created. */
  readonly createdGroups: readonly string[];
}

/** Stores the progress of an import next to its file, so that the next run continues there. */
export class Checkpoint {
  readonly #path: string;
  #fault: string | undefined;

  constructor(csvPath: string) {
    this.#path = pathBesideInput(csvPath, '.gatehouse-progress');
  }

  /**
   * The reason why progress cannot be stored. An interrupted import then starts from the beginning, which applies no
   * row twice.
   */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** The progress of an earlier run of the same import. */
  read(fingerprint: string): Progressed | undefined {
    const found = this.#read();
    return found?.fingerprint === fingerprint ? found : undefined;
  }

  /** The groups that an earlier run has created for the same list. Without them, the list is read as at its beginning. */
  createdGroups(contentHash: string): readonly string[] {
    const found = this.#read();
    return found?.contentHash === contentHash ? found.createdGroups : [];
  }

  write(progressed: Progressed): void {
    if (this.#fault !== undefined) return;
    try {
      writeFileSync(`${this.#path}.new`, JSON.stringify(progressed), { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
    } catch (error) {
      this.#fault = (error as Error).message;
    }
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #read(): Progressed | undefined {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Progressed;
    } catch {
      // There is none, or it is truncated: start from the beginning.
      return undefined;
    }
  }
}

/** @param createdGroups those that the import creates */
export function beginning(
  fingerprint: string,
  contentHash: string,
  createdGroups: readonly string[],
): Progressed {
  const [run, requestId] = [randomUUID(), randomUUID()];
  const lengths = { failedBytes: 0, resultBytes: 0 };
  return {
    fingerprint,
    contentHash,
    run,
    requestId,
    batches: 0,
    tally: emptyTally(),
    shown: [],
    createdGroups,
    ...lengths,
  };
}
