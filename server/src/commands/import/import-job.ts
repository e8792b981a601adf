import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServiceConnection } from '../connection.ts';
import type { PeopleFile } from '../people-file/people-file.ts';
import { Progress } from '../progress.ts';
import { type Batch, toBatches } from './batches.ts';
import { beginning, Checkpoint, type Progressed } from './checkpoint.ts';
import { FailedFile } from './failed-file.ts';
import type { NamedGroups } from './group-names.ts';
import type { ImportReport } from './import-report.ts';
import { Importer } from './importer.ts';
import { KnownMembers } from './known-members.ts';
import { invalid, isFailure, type Outcome, type Performer, rowsOf } from './outcome.ts';
import { Rehearsal } from './rehearsal.ts';
import { readImportRows, type Survey } from './survey.ts';

/** Everything that an import was told and has found out before it begins. */
export interface ImportPlan {
  readonly people: PeopleFile;
  /** SHA-256 of the file. */
  readonly contentHash: string;
  readonly survey: Survey;
  readonly connection: ServiceConnection;
  readonly groups: NamedGroups;
  readonly groupsOfAll: readonly string[];
  readonly dryRun: boolean;
  readonly quiet: boolean;
  readonly failedPath: string | undefined;
}

/** An import under way. It goes through its file batch by batch, and notes after each how far it has come. */
export class ImportJob {
  readonly #plan: ImportPlan;
  readonly #report: ImportReport;
  readonly #signal: AbortSignal;
  readonly #checkpoint: Checkpoint;
  readonly #from: Progressed;
  readonly #failed: FailedFile | undefined;

  /** @param signal ends the job after the batch that is running */
  constructor(plan: ImportPlan, report: ImportReport, signal: AbortSignal) {
    const { people, failedPath, dryRun } = plan;
    this.#plan = plan;
    this.#report = report;
    this.#signal = signal;
    this.#checkpoint = new Checkpoint(people.path);
    const fingerprint = fingerprintOf(plan);
    const found = dryRun ? undefined : this.#checkpoint.read(fingerprint);
    // Without its failed rows a former run is of no use: everything is looked at again, and nothing done twice.
    const usable = found && (failedPath === undefined || FailedFile.has(failedPath, found.failedBytes));
    this.#from = usable ? found : beginning(fingerprint);
    if (failedPath !== undefined) this.#failed = new FailedFile(failedPath, people, this.#from.failedBytes);
    report.continueFrom(this.#from.tally, this.#from.shown);
  }

  /** Rows that an earlier run has done. */
  get rowsDoneBefore(): number {
    return rowsOf(this.#from.tally);
  }

  /** @throws the reason of the signal; GatehouseError. Then the same import goes on where this one ended. */
  async run(): Promise<void> {
    const { people, groups, groupsOfAll, survey, dryRun, quiet } = this.#plan;
    const progress = new Progress(dryRun ? 'Checked rows' : 'Imported rows', quiet);
    const performer = this.#createPerformer();
    const groupsOf = (row: { groups: readonly string[] }) =>
      row.groups.filter((name) => !groups.scopes.has(name));
    let number = 0;
    try {
      if (this.#from.batches === 0) this.#note(0);
      for await (const batch of toBatches(readImportRows(people, groupsOfAll), groupsOf)) {
        number += 1;
        if (number <= this.#from.batches) continue;
        this.#signal.throwIfAborted();
        await this.#perform(performer, batch, number);
        this.#note(number);
        progress.update(rowsOf(this.#report.tally), survey.rows);
      }
    } finally {
      progress.end();
      this.#failed?.close();
    }
    await this.#cleanUp();
  }

  async #perform(performer: Performer, batch: Batch, number: number): Promise<void> {
    const outcomes = batch.unusable
      ? batch.rows.map(outcomeOfUnusable)
      : await performer.perform(batch, number);
    for (const [place, row] of batch.rows.entries()) {
      const outcome = outcomes[place]!;
      this.#report.count(row, outcome);
      if (isFailure(outcome)) this.#failed?.append(row, outcome);
    }
  }

  #createPerformer(): Performer {
    const { connection, groups, survey, dryRun } = this.#plan;
    const { gatehouse } = connection;
    const rowsLeft = () => survey.rows - rowsOf(this.#report.tally);
    const known = new KnownMembers(gatehouse, [...groups.ids.values()], rowsLeft, this.#signal);
    if (dryRun) return new Rehearsal(known, groups.ids);
    const { run, fingerprint } = this.#from;
    return new Importer(gatehouse, known, groups.ids, (number) => sha256([run, fingerprint, number]));
  }

  #note(batches: number): void {
    if (this.#plan.dryRun) return;
    const { fingerprint, run } = this.#from;
    const failedBytes = this.#failed?.bytes ?? 0;
    const { tally, shown } = this.#report;
    this.#checkpoint.write({ fingerprint, run, batches, tally, shown, failedBytes });
  }

  async #cleanUp(): Promise<void> {
    if (this.#report.failures === 0) this.#failed?.remove();
    else await this.#failed?.sort();
    if (this.#plan.dryRun) return;
    this.#checkpoint.remove();
    const { fault } = this.#checkpoint;
    if (fault !== undefined) this.#report.warn(`How far it had come could not be kept: ${fault}.`);
  }
}

function fingerprintOf({ contentHash, people, connection, groupsOfAll, failedPath }: ImportPlan): string {
  const { url, key } = connection;
  const failed = failedPath === undefined ? null : resolve(failedPath);
  return sha256([
    contentHash,
    realpathSync(people.path),
    people.columns.places,
    url,
    sha256([key]),
    groupsOfAll,
    failed,
  ]);
}

function sha256(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function outcomeOfUnusable({ problem }: Batch['rows'][number]): Outcome {
  return invalid(problem!.code, problem!.message);
}
