import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ShownFailure } from './import-report.ts';
import { emptyTally, type Tally } from './outcome.ts';

/** How far an import has come. */
export interface Progressed {
  /** Stands for the file and everything else that the import was told; another import begins anew. */
  readonly fingerprint: string;
  /** Part of the idempotency keys, so that a run that goes on repeats its own last request and no earlier import's. */
  readonly run: string;
  readonly batches: number;
  readonly tally: Tally;
  readonly shown: readonly ShownFailure[];
  /** The length of the file of failed rows. */
  readonly failedBytes: number;
}

/** Keeps the progress of an import beside its file, so that the next run goes on from there. */
export class Checkpoint {
  readonly #path: string;
  #fault: string | undefined;

  constructor(csvPath: string) {
    this.#path = `${csvPath}.gatehouse-progress`;
  }

  /** Why progress cannot be kept. An import that is stopped then begins anew, which does nothing twice. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** What an earlier run of the same import left behind. */
  read(fingerprint: string): Progressed | undefined {
    try {
      const found = JSON.parse(readFileSync(this.#path, 'utf8')) as Progressed;
      return found.fingerprint === fingerprint ? found : undefined;
    } catch {
      // There is none, or it was cut short: begin anew.
      return undefined;
    }
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
}

export function beginning(fingerprint: string): Progressed {
  return { fingerprint, run: randomUUID(), batches: 0, tally: emptyTally(), shown: [], failedBytes: 0 };
}
