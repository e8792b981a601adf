import { counted, print } from '../output.ts';
import type { PersonRow } from '../people-file/people-file.ts';
import { emptyTally, isFailure, type Outcome, rowsOf, type Tally } from './outcome.ts';

const mostShown = 10;

/** A row that failed, as the report lists it. */
export interface ShownFailure {
  readonly line: number;
  readonly email: string;
  readonly code: string;
  readonly message: string;
}

export interface ReportOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly failed?: string;
}

/** What an import tells at its end. */
export class ImportReport {
  readonly #options: ReportOptions;
  readonly #warnings: string[] = [];
  /** The first in the order of the file. */
  #shown: readonly ShownFailure[] = [];
  readonly #createdGroups: string[] = [];
  #tally: Tally = emptyTally();

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  get tally(): Tally {
    return { ...this.#tally };
  }

  get shown(): readonly ShownFailure[] {
    return this.#shown;
  }

  get failures(): number {
    return this.#tally.conflict + this.#tally.invalid;
  }

  /** Goes on counting where an earlier run stopped. */
  continueFrom(tally: Tally, shown: readonly ShownFailure[]): void {
    this.#tally = { ...tally };
    this.#shown = shown;
  }

  count({ line, email }: PersonRow, outcome: Outcome): void {
    this.#tally[outcome.kind] += 1;
    if (!isFailure(outcome)) return;
    // Rows come in the order in which they were sent.
    const failure = { line, email, code: outcome.code, message: outcome.message };
    this.#shown = [...this.#shown, failure].sort((a, b) => a.line - b.line).slice(0, mostShown);
  }

  createdGroups(names: readonly string[]): void {
    this.#createdGroups.push(...names);
  }

  warn(text: string): void {
    this.#warnings.push(text);
    if (!this.#options.json) process.stderr.write(`Note: ${text}\n`);
  }

  print(): void {
    const { created, unchanged, addedToGroups, conflict, invalid } = this.#tally;
    const { json, dryRun = false, failed } = this.#options;
    const failedFile = this.failures > 0 ? (failed ?? null) : null;
    print(
      json,
      {
        dryRun,
        rows: rowsOf(this.#tally),
        created,
        unchanged,
        addedToGroups,
        conflicts: conflict,
        invalid,
        failed: this.failures,
        failedFile,
        createdGroups: this.#createdGroups,
        failures: this.#shown,
        warnings: this.#warnings,
      },
      this.#text(dryRun, failedFile),
    );
  }

  #text(dryRun: boolean, failedFile: string | null): string {
    const { created, unchanged, addedToGroups, conflict, invalid } = this.#tally;
    const would = dryRun ? 'would be ' : '';
    const lines = [
      `${counted(rowsOf(this.#tally), 'row')}: ${created} ${would}created, ${unchanged} unchanged, ` +
        `${addedToGroups} ${would}added to groups, ${conflict} in conflict, ${invalid} invalid.`,
    ];
    if (this.#createdGroups.length > 0) {
      lines.push(`Groups ${dryRun ? 'that would be ' : ''}created: ${this.#createdGroups.join(', ')}.`);
    }
    for (const { line, email, code, message } of this.#shown) {
      lines.push(`  line ${line}  ${email}  ${code}: ${message}`);
    }
    const more = this.failures - this.#shown.length;
    if (more > 0) lines.push(`  and ${more} more`);
    if (failedFile !== null)
      lines.push(`The rows that failed are in ${failedFile}. Mend them and import that file.`);
    else if (this.failures > 0)
      lines.push('To get the rows that failed as a file, repeat this with --failed failed.csv.');
    return lines.join('\n');
  }
}
