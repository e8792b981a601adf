import { isFailure, type MemberDraft, type Outcome, type TextEncoding } from '@gatehouse/member-lists';
import { counted, print } from '../output.ts';
import { reasonText } from './reason-text.ts';
import { emptyTally, rowsOf, type Tally } from './tally.ts';

const maxShown = 10;

/** A failed row, as the report lists it. */
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

/** The summary of an import. */
export class ImportReport {
  readonly #options: ReportOptions;
  readonly #encoding: TextEncoding;
  readonly #warnings: string[] = [];
  /** The first failures in the order of the file. */
  #shown: readonly ShownFailure[] = [];
  readonly #createdGroups: string[] = [];
  #tally: Tally = emptyTally();

  constructor(options: ReportOptions, encoding: TextEncoding) {
    this.#options = options;
    this.#encoding = encoding;
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

  /** Continues the counts of an earlier run. */
  continueFrom(tally: Tally, shown: readonly ShownFailure[]): void {
    this.#tally = { ...tally };
    this.#shown = shown;
  }

  /** Counts a row. Rows come in the order of the file. */
  count(draft: MemberDraft, outcome: Outcome): void {
    this.#tally[outcome.status] += 1;
    if (!isFailure(outcome) || this.#shown.length === maxShown) return;
    const { line, email } = draft;
    const { code } = outcome.reason;
    this.#shown = [...this.#shown, { line, email, code, message: reasonText(outcome.reason, draft) }];
  }

  createdGroups(names: readonly string[]): void {
    this.#createdGroups.push(...names);
  }

  warn(text: string): void {
    this.#warnings.push(text);
    if (!this.#options.json) process.stderr.write(`Note: ${text}\n`);
  }

  print(): void {
    const { created, unchanged, groupsChanged, merged, leftOut, conflict, invalid } = this.#tally;
    const { json, dryRun = false, failed } = this.#options;
    const failedFile = this.failures > 0 ? (failed ?? null) : null;
    print(
      json,
      {
        dryRun,
        encoding: this.#encoding,
        rows: rowsOf(this.#tally),
        created,
        unchanged,
        groupsChanged,
        merged,
        leftOut,
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
    const { created, unchanged, groupsChanged, merged, leftOut, conflict, invalid } = this.#tally;
    const would = dryRun ? 'would be ' : '';
    const counts = [
      `${created} ${would}created`,
      `${unchanged} unchanged`,
      `${groupsChanged} ${dryRun ? 'would get' : 'got'} new groups or ends`,
      ...(merged > 0 ? [`${merged} part of an earlier row of the same person`] : []),
      ...(leftOut > 0 ? [`${leftOut} left out because of the status`] : []),
      `${conflict} in conflict`,
      `${invalid} invalid`,
    ];
    const lines = [`${counted(rowsOf(this.#tally), 'row')}: ${counts.join(', ')}.`];
    if (this.#createdGroups.length > 0) {
      lines.push(`Groups ${dryRun ? 'that would be ' : ''}created: ${this.#createdGroups.join(', ')}.`);
    }
    for (const { line, email, code, message } of this.#shown) {
      lines.push(`  row ${line}  ${email}  ${code}: ${message}`);
    }
    const more = this.failures - this.#shown.length;
    if (more > 0) lines.push(`  and ${more} more`);
    if (failedFile !== null)
      lines.push(`The failed rows are in ${failedFile}. Correct them and import that file.`);
    else if (this.failures > 0)
      lines.push('To write the failed rows to a file, repeat this with --failed failed.csv.');
    return lines.join('\n');
  }
}
