import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  DryRun,
  type GroupsOfList,
  Importer,
  isFailure,
  type MemberDraft,
  type Outcome,
  toBatches,
} from '@gatehouse/member-lists';
import type { ServiceConnection } from '../connection.ts';
import { type ListFile, readDrafts } from '../list-file.ts';
import { Progress } from '../progress.ts';
import { beginning, Checkpoint, type Progressed } from './checkpoint.ts';
import { FailedFile } from './failed-file.ts';
import type { ImportReport } from './import-report.ts';
import { reasonText } from './reason-text.ts';
import type { Survey } from './survey.ts';
import { rowsOf } from './tally.ts';

/** The options of an import, and the data collected before it starts. */
export interface ImportPlan {
  readonly list: ListFile;
  readonly survey: Survey;
  readonly connection: ServiceConnection;
  readonly groups: GroupsOfList;
  /** The names of the groups that all members of the list join. */
  readonly groupsOfAll: readonly string[];
  readonly dryRun: boolean;
  readonly quiet: boolean;
  readonly failedPath: string | undefined;
}

type Send = (drafts: readonly MemberDraft[], number: number) => Promise<Outcome[]>;

/** A running import. It processes its file batch by batch, and stores its progress after each batch. */
export class ImportJob {
  readonly #plan: ImportPlan;
  readonly #report: ImportReport;
  readonly #signal: AbortSignal;
  readonly #checkpoint: Checkpoint;
  readonly #from: Progressed;
  readonly #failed: FailedFile | undefined;

  /** @param signal ends the job after the batch that is running */
  constructor(plan: ImportPlan, report: ImportReport, signal: AbortSignal) {
    const { list, failedPath, dryRun } = plan;
    this.#plan = plan;
    this.#report = report;
    this.#signal = signal;
    this.#checkpoint = new Checkpoint(list.path);
    const fingerprint = fingerprintOf(plan);
    const found = dryRun ? undefined : this.#checkpoint.read(fingerprint);
    // Progress is useless without the failed rows: the import then starts from the beginning, which applies no row
    // twice.
    const usable = found && (failedPath === undefined || FailedFile.has(failedPath, found.failedBytes));
    this.#from = usable ? found : beginning(fingerprint);
    if (failedPath !== undefined) this.#failed = new FailedFile(failedPath, list, this.#from.failedBytes);
    report.continueFrom(this.#from.tally, this.#from.shown);
  }

  /** The number of rows that an earlier run has processed. */
  get rowsDoneBefore(): number {
    return rowsOf(this.#from.tally);
  }

  /** @throws {GatehouseError} or the reason of the signal. The same import then continues where this one ended. */
  async run(): Promise<void> {
    const { list, survey, dryRun, quiet } = this.#plan;
    const progress = new Progress(dryRun ? 'Checked rows' : 'Imported rows', quiet);
    const send = this.#sender();
    let number = 0;
    try {
      if (this.#from.batches === 0) this.#note(0);
      for await (const batch of toBatches(readDrafts(list, survey.repeated))) {
        number += 1;
        if (number <= this.#from.batches) continue;
        this.#signal.throwIfAborted();
        this.#count(batch, await send(batch, number));
        this.#note(number);
        progress.update(rowsOf(this.#report.tally), survey.rows);
      }
    } finally {
      progress.end();
      this.#failed?.close();
    }
    this.#cleanUp();
  }

  #sender(): Send {
    const { connection, groups, dryRun, list } = this.#plan;
    const { gatehouse } = connection;
    if (dryRun) {
      const run = new DryRun({ groups, now: list.now });
      return (drafts) => run.lookUpAndPredict(gatehouse, drafts);
    }
    const importer = new Importer(gatehouse, { groups, run: this.#from.run, now: () => new Date() });
    return (drafts, number) => importer.send(drafts, number);
  }

  #count(batch: readonly MemberDraft[], outcomes: readonly Outcome[]): void {
    for (const [place, draft] of batch.entries()) {
      const outcome = outcomes[place]!;
      this.#report.count(draft, outcome);
      if (!isFailure(outcome)) continue;
      const { reason } = outcome;
      const { line, cells } = draft;
      this.#failed?.append({ line, cells, code: reason.code, message: reasonText(reason, draft) });
    }
  }

  #note(batches: number): void {
    if (this.#plan.dryRun) return;
    const { fingerprint, run } = this.#from;
    const failedBytes = this.#failed?.bytes ?? 0;
    const { tally, shown } = this.#report;
    this.#checkpoint.write({ fingerprint, run, batches, tally, shown, failedBytes });
  }

  #cleanUp(): void {
    if (this.#report.failures === 0) this.#failed?.remove();
    if (this.#plan.dryRun) return;
    this.#checkpoint.remove();
    const { fault } = this.#checkpoint;
    if (fault !== undefined) this.#report.warn(`The progress could not be stored: ${fault}.`);
  }
}

function fingerprintOf({ list, connection, groupsOfAll, failedPath }: ImportPlan): string {
  const { url, key } = connection;
  const failed = failedPath === undefined ? null : resolve(failedPath);
  return sha256([
    list.contentHash,
    list.encoding,
    realpathSync(list.path),
    list.reading,
    list.isRaw,
    url,
    sha256([key]),
    groupsOfAll,
    failed,
  ]);
}

function sha256(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
