import { isFailure, type MemberDraft, type Outcome } from '@gatehouse/member-lists';
import { printable } from '../../../base/text/printable.ts';
import { quoted } from '../../lists/column-mapping.ts';
import { argument, counted, print } from '../../shared/output.ts';
import type { Progressed, ShownFailure } from './checkpoint.ts';
import { reasonText } from './reason-text.ts';
import { emptyTally, rowsOf, type Tally } from './tally.ts';

const maxShown = 10;
/** With `--json`; as text, a dry run shows all of them. */
const maxShownChanges = 100;

/** What changes for a member who exists. */
interface ShownChange {
  readonly line: number;
  readonly email: string;
  readonly changes: readonly string[];
}

export interface ReportOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly failed?: string;
  readonly result?: string;
}

/** The report of an import: how the list is read, and what became of its rows. */
export class ImportReport {
  readonly #options: ReportOptions;
  readonly #warnings: string[] = [];
  #reading: Readonly<Record<string, unknown>> = {};
  /** The first failures in the order of the file. */
  #shown: readonly ShownFailure[] = [];
  readonly #changes: ShownChange[] = [];
  #createdGroups: readonly string[] = [];
  #requestId: string | null = null;
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

  /** Begins the report. @param lines the same as text */
  describeReading(reading: Readonly<Record<string, unknown>>, lines: readonly string[]): void {
    this.#reading = reading;
    if (this.#options.json) return;
    for (const line of lines) process.stdout.write(`${printable(line)}\n`);
  }

  /** Continues the counts of an earlier run. */
  continueFrom({ tally, shown, createdGroups, requestId }: Progressed): void {
    this.#tally = { ...tally };
    this.#shown = shown;
    this.#createdGroups = createdGroups;
    if (!this.#options.dryRun) this.#requestId = requestId;
  }

  /**
   * Counts a row. Rows come in the order of the file.
   * @param changes of a member who exists, as text
   */
  count(draft: MemberDraft, outcome: Outcome, changes: readonly string[]): void {
    this.#tally[outcome.status] += 1;
    const { line, email } = draft;
    if (changes.length > 0) this.#showChange({ line, email, changes });
    if (!isFailure(outcome) || this.#shown.length === maxShown) return;
    const { code } = outcome.reason;
    this.#shown = [...this.#shown, { line, email, code, message: reasonText(outcome.reason, draft) }];
  }

  warn(text: string): void {
    this.#warnings.push(text);
    if (!this.#options.json) process.stderr.write(`Note: ${printable(text)}\n`);
  }

  print(): void {
    const { created, unchanged, groupsChanged, updated, merged, leftOut, conflict, invalid } = this.#tally;
    const { json, dryRun = false, failed, result = null } = this.#options;
    const failedFile = this.failures > 0 ? (failed ?? null) : null;
    const value = {
      dryRun,
      ...this.#reading,
      rows: rowsOf(this.#tally),
      created,
      unchanged,
      groupsChanged,
      updated,
      merged,
      leftOut,
      conflicts: conflict,
      invalid,
      failed: this.failures,
      failedFile,
      resultFile: result,
      requestId: this.#requestId,
      createdGroups: this.#createdGroups,
      changes: this.#changes,
      failures: this.#shown,
      warnings: this.#warnings,
    };
    print(json, value, this.#text(dryRun, failedFile));
  }

  #showChange(change: ShownChange): void {
    const { json, dryRun } = this.#options;
    if (json && this.#changes.length < maxShownChanges) this.#changes.push(change);
    if (json || !dryRun) return;
    const { line, email, changes } = change;
    process.stdout.write(`${printable(`  row ${line}  ${email}  ${changes.join('; ')}`)}\n`);
  }

  #text(dryRun: boolean, failedFile: string | null): string {
    const lines = [`${counted(rowsOf(this.#tally), 'row')}: ${countsText(this.#tally, dryRun)}.`];
    if (this.#createdGroups.length > 0)
      lines.push(
        printable(`Groups ${dryRun ? 'that would be ' : ''}created: ${quoted(this.#createdGroups)}.`),
      );
    for (const { line, email, code, message } of this.#shown)
      lines.push(printable(`  row ${line}  ${email}  ${code}: ${message}`));
    const more = this.failures - this.#shown.length;
    if (more > 0) lines.push(`  and ${more} more`);
    if (failedFile !== null)
      lines.push(`The failed rows are in ${failedFile}. Correct them and import that file.`);
    else if (this.failures > 0)
      lines.push('To write the failed rows to a file, repeat this with --failed failed.csv.');
    const { result } = this.#options;
    if (result !== undefined)
      lines.push(`What ${dryRun ? 'would be' : 'was'} done with each row is in ${result}.`);
    if (this.#requestId !== null && this.#tally.created > 0)
      lines.push(
        `The new members: ./gatehouse members list --created-by-request ${argument(this.#requestId)}`,
      );
    return lines.join('\n');
  }
}

function countsText(tally: Tally, dryRun: boolean): string {
  const { created, unchanged, groupsChanged, updated, merged, leftOut, conflict, invalid } = tally;
  const would = dryRun ? 'would be ' : '';
  return [
    `${created} ${would}created`,
    `${unchanged} unchanged`,
    `${groupsChanged} with group changes`,
    ...(updated > 0 ? [`${updated} ${would}updated`] : []),
    ...(merged > 0 ? [`${merged} part of an earlier row of the same person`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out because of the status`] : []),
    `${conflict} in conflict`,
    `${invalid} invalid`,
  ].join(', ');
}
