import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import {
  changesOf,
  DryRun,
  type GroupsOfList,
  Importer,
  isFailure,
  type MemberDraft,
  type Outcome,
  toBatches,
  toResultRow,
} from '@gatehouse/member-lists';
import { CommandFailure } from '../../../app/failure.ts';
import { realPathOfInput } from '../../installed/named-files.ts';
import { type ListFile, readDrafts } from '../../lists/list-file.ts';
import type { ServiceConnection } from '../../shared/connection.ts';
import { Progress } from '../../shared/progress.ts';
import { AppendedFile } from './appended-file.ts';
import { changeText } from './change-text.ts';
import { beginning, type Checkpoint, type Progressed } from './checkpoint.ts';
import { FailedFile } from './failed-file.ts';
import type { ImportReport } from './import-report.ts';
import { reasonText } from './reason-text.ts';
import { ResultFile } from './result-file.ts';
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
  /** The names of the groups that this import creates. */
  readonly createdGroups: readonly string[];
  /** Whether names of members who exist, and whether they are paying, follow the list. */
  readonly updates: boolean;
  readonly dryRun: boolean;
  readonly quiet: boolean;
  readonly failedPath: string | undefined;
  readonly resultPath: string | undefined;
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
  readonly #result: ResultFile | undefined;
  /** By id. */
  readonly #groupNames: ReadonlyMap<string, string>;

  /** @param signal ends the job after the batch that is running */
  constructor(plan: ImportPlan, report: ImportReport, checkpoint: Checkpoint, signal: AbortSignal) {
    const { list, failedPath, resultPath, dryRun, groups, createdGroups } = plan;
    this.#plan = plan;
    this.#report = report;
    this.#signal = signal;
    this.#checkpoint = checkpoint;
    const fingerprint = fingerprintOf(plan);
    const unfinished = checkpoint.read(fingerprint);
    if (dryRun && unfinished) requireNoFiles(plan);
    const found = dryRun ? undefined : unfinished;
    this.#from =
      found && hasFiles(plan, found) ? found : beginning(fingerprint, list.contentHash, createdGroups);
    if (failedPath !== undefined) this.#failed = new FailedFile(failedPath, list, this.#from.failedBytes);
    if (resultPath !== undefined)
      this.#result = new ResultFile(resultPath, list.path, this.#from.resultBytes);
    this.#groupNames = new Map([...groups.ids].map(([name, id]) => [id, name]));
    report.continueFrom(this.#from);
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
      this.#result?.close();
    }
    this.#cleanUp();
  }

  #sender(): Send {
    const { connection, groups, dryRun, list, updates } = this.#plan;
    const { gatehouse } = connection;
    if (dryRun) {
      const run = new DryRun({ groups, now: list.now, updates });
      return (drafts) => run.lookUpAndPredict(gatehouse, drafts);
    }
    const { run, requestId } = this.#from;
    const importer = new Importer(gatehouse, { groups, updates, run, requestId, now: () => new Date() });
    return (drafts, number) => importer.send(drafts, number);
  }

  #count(batch: readonly MemberDraft[], outcomes: readonly Outcome[]): void {
    for (const [place, draft] of batch.entries()) {
      const outcome = outcomes[place]!;
      const changes = changesOf(outcome).map((change) => changeText(change, this.#groupNames));
      this.#report.count(draft, outcome, changes);
      const message = messageOf(draft, outcome);
      this.#result?.append(toResultRow(draft, outcome, this.#plan.groupsOfAll, { changes, message }));
      if (!isFailure(outcome)) continue;
      const { reason } = outcome;
      const { line, cells } = draft;
      this.#failed?.append({ line, cells, code: reason.code, message: reasonText(reason, draft) });
    }
  }

  #note(batches: number): void {
    if (this.#plan.dryRun) return;
    const lengths = { failedBytes: this.#failed?.bytes ?? 0, resultBytes: this.#result?.bytes ?? 0 };
    const { tally, shown } = this.#report;
    this.#checkpoint.write({ ...this.#from, ...lengths, batches, tally, shown });
  }

  #cleanUp(): void {
    if (this.#report.failures === 0) this.#failed?.remove();
    if (this.#plan.dryRun) return;
    this.#checkpoint.remove();
    const { fault } = this.#checkpoint;
    if (fault !== undefined) this.#report.warn(`The progress could not be stored: ${fault}.`);
  }
}

/**
 * Progress is useless without the rows that an earlier run has written: the import then starts from the beginning, which
 * applies no row twice.
 */
function hasFiles({ failedPath, resultPath }: ImportPlan, { failedBytes, resultBytes }: Progressed): boolean {
  const has = (path: string | undefined, bytes: number) =>
    path === undefined || AppendedFile.has(path, bytes);
  return has(failedPath, failedBytes) && has(resultPath, resultBytes);
}

/** A dry run would overwrite the rows to which an interrupted import adds the others. */
function requireNoFiles({ failedPath, resultPath }: ImportPlan): void {
  const written = resultPath ?? failedPath;
  if (written === undefined) return;
  throw new CommandFailure(
    'import_unfinished',
    `An import of this list was interrupted, and the rows up to there are in ${written}. Finish it first, without --dry-run; or choose other files for --failed and --result.`,
  );
}

function messageOf(draft: MemberDraft, outcome: Outcome): string {
  if (isFailure(outcome)) return reasonText(outcome.reason, draft);
  if (outcome.status === 'merged') return `See row ${outcome.line}, of the same person.`;
  if (outcome.status === 'leftOut') return '';
  return draft.notes.map((note) => reasonText(note, draft)).join(' ');
}

function fingerprintOf(plan: ImportPlan): string {
  const { list, connection, groupsOfAll, failedPath, resultPath, updates } = plan;
  const { url, key } = connection;
  const written = [failedPath, resultPath].map((path) => (path === undefined ? null : resolve(path)));
  return sha256([
    list.contentHash,
    list.encoding,
    realPathOfInput(list.path),
    list.reading,
    list.isRaw,
    url,
    sha256([key]),
    groupsOfAll,
    updates,
    written,
  ]);
}

function sha256(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
