import { randomUUID } from 'node:crypto';
import { describeFailure } from '../../../app/describe-failure.ts';
import { CommandFailure } from '../../../app/failure.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { type ComparedTable, compareRows, TablesDiffer } from '../../../storage/copy/compare-rows.ts';
import { copyRows, updateStatistics } from '../../../storage/copy/copy-rows.ts';
import { beginCopy, UnusableTarget } from '../../../storage/copy/copy-target.ts';
import { requireTablesOfThisVersion } from '../../../storage/copy/tables-of-version.ts';
import type { Database, Transaction } from '../../../storage/database.ts';
import { DatabaseClosed, DatabaseInUse } from '../../../storage/errors.ts';
import {
  type Closure,
  deleteClosure,
  describeClosure,
  insertClosure,
  replaceClosure,
} from '../../../storage/migrations/closure.ts';
import { findClosure } from '../../../storage/migrations/migrations.ts';
import { Progress } from '../../shared/progress.ts';
import { openTarget, withLockedSource } from './copied-stores.ts';
import { requireReadableSecrets, type TargetKeys } from './target-keys.ts';
import { placeOf } from './target-url.ts';

interface CopyTask {
  readonly settings: Settings;
  readonly targetUrl: string;
  readonly keys: TargetKeys;
  readonly json: boolean;
}

/** Both databases while one is copied to the other. */
interface OpenCopy {
  readonly source: Database;
  readonly target: Database;
  readonly ofSource: Closure;
  readonly ofTarget: Closure;
}

const howToContinue =
  'Nothing is lost: the same command continues. To use this database again instead: ./gatehouse copy --reopen.';

/** Copies the database of the settings, and returns its tables. @throws {CommandFailure} */
export function copyDatabase(task: CopyTask): Promise<ComparedTable[]> {
  const { settings, targetUrl, keys } = task;
  return withLockedSource(settings, async (source, requireLocks) => {
    await requireTablesOfThisVersion(source);
    const before = await findClosure(source);
    if (before?.state === 'incomplete') throw new DatabaseClosed(describeClosure(before));
    const isElsewhere = before?.state === 'copied' && before.other !== placeOf(targetUrl);
    if (before !== undefined && isElsewhere) throw new DatabaseClosed(describeClosure(before));
    await requireReadableSecrets(source, keys);
    const target = await openTarget(targetUrl);
    try {
      if (before?.state === 'copied') return await explained(() => finishCopied(source, target, before));
      const open = await begin(task, source, target, before);
      return await explained(() => run(task, open, requireLocks));
    } finally {
      await target.close();
    }
  });
}

/** A process that was killed just before the end has left the target closed. Any other target is not this copy. */
async function finishCopied(source: Database, target: Database, before: Closure): Promise<ComparedTable[]> {
  const closure = await findClosure(target);
  if (closure?.copyId !== before.copyId) throw new DatabaseClosed(describeClosure(before));
  const tables = await compareRows({ source, target }, () => {});
  await target.transaction((tx) => deleteClosure(tx, closure));
  return tables;
}

/** Closes both databases, the source first: no service may change it once the target has begun to be its copy. */
async function begin(
  { settings, targetUrl, json }: CopyTask,
  source: Database,
  target: Database,
  before: Closure | undefined,
): Promise<OpenCopy> {
  const at = new Date().toISOString();
  const copyId = before?.copyId ?? randomUUID();
  const ofSource: Closure = { state: 'copying', copyId, other: placeOf(targetUrl), at };
  await source.transaction(async (tx) => {
    if (before === undefined) await insertClosure(tx, ofSource);
    else await requireOwn(tx, before, ofSource);
  });
  const ofTarget: Closure = {
    state: 'incomplete',
    copyId,
    other: placeOf(settings.databaseDirectUrl ?? settings.databaseUrl),
    at,
    runId: randomUUID(),
  };
  const report = (message: string) => {
    if (!json) process.stderr.write(`${message}\n`);
  };
  try {
    await beginCopy(target, ofTarget, report);
    return { source, target, ofSource, ofTarget };
  } catch (error) {
    if (before === undefined) await source.transaction((tx) => deleteClosure(tx, ofSource));
    throw error instanceof UnusableTarget ? explainTarget(error, targetUrl) : error;
  }
}

async function run(
  { json }: CopyTask,
  { source, target, ofSource, ofTarget }: OpenCopy,
  requireLocks: () => Promise<void>,
): Promise<ComparedTable[]> {
  const stopExplaining = explainInterruption();
  const ofRun = (tx: Transaction) => requireOwn(tx, ofTarget, ofTarget);
  const copying = new Progress('Copying rows', json);
  await copyRows({ source, target, requireOwn: ofRun }, (done, total) => copying.update(done, total));
  copying.end();
  await updateStatistics(target);
  const comparing = new Progress('Comparing rows', json);
  const tables = await compareRows({ source, target }, (done, total) => comparing.update(done, total));
  comparing.end();
  await requireLocks();
  // In this order: a process that is killed between them leaves two closed databases, and not two open ones.
  const copied: Closure = { ...ofSource, state: 'copied', at: new Date().toISOString() };
  await source.transaction((tx) => requireOwn(tx, ofSource, copied));
  await target.transaction((tx) => deleteClosure(tx, ofTarget));
  stopExplaining();
  return tables;
}

async function requireOwn(tx: Transaction, before: Closure, after: Closure): Promise<void> {
  if (await replaceClosure(tx, before, after)) return;
  throw new CommandFailure('other_copy', 'Another process has continued this copy, or has given it up.');
}

function explainInterruption(): () => void {
  const onInterrupt = () => {
    process.stderr.write(`\nInterrupted. ${howToContinue}\n`);
    process.exit(1);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, onInterrupt);
  return () => {
    for (const signal of signals) process.off(signal, onInterrupt);
  };
}

/** Adds to an error that the copy can be continued. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseInUse) throw error;
    if (error instanceof TablesDiffer) {
      throw new CommandFailure(
        'copy_differs',
        `The table ${error.table} is not the same in both databases: another program has written to one of them. Stop it, ` +
          'empty the target, and repeat the command.',
      );
    }
    const { code, message } = describeFailure(error);
    // It may be that of either database.
    const advice = message.replaceAll('GATEHOUSE_DATABASE_URL', 'GATEHOUSE_DATABASE_URL, --to,');
    throw new CommandFailure(code, `The copy was interrupted. ${advice} ${howToContinue}`);
  }
}

function explainTarget({ reason, message }: UnusableTarget, targetUrl: string): CommandFailure {
  const place = placeOf(targetUrl);
  const advice = {
    itself: 'Nothing was changed. Name an empty database.',
    not_empty: 'Nothing was changed. Name an empty database.',
    other_copy: 'Name an empty database, or delete this one and create it again.',
    encoding: 'Create it with: createdb --encoding=UTF8 --template=template0 --locale=C <name>',
  }[reason];
  return new CommandFailure(`target_${reason}`, `${place} cannot become the copy. ${message} ${advice}`);
}
