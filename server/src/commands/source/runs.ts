import type { SourceRun } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import type { Command } from 'commander';
import { addCommand, wholeNumber } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { argument, print, table } from '../shared/output.ts';
import { findSource } from './named-source.ts';

const defaultLimit = 20;

interface RunsOptions extends ConnectionOptions {
  readonly limit: number;
}

export function addRunsCommand(source: Command): void {
  addConnectionOptions(
    addCommand(source, 'runs <source>', 'list the synchronizations of a source, newest first', [
      'source runs Team',
    ]),
  )
    .option(
      '--limit <number>',
      'the maximum number of synchronizations',
      wholeNumber(1, maxPageSize),
      defaultLimit,
    )
    .action(runs);
}

async function runs(named: string, { json, limit, ...options }: RunsOptions): Promise<void> {
  const { gatehouse } = await connect(options);
  const { id, name } = await findSource(gatehouse, named);
  const { data } = await gatehouse.sources.runs.list(id, { limit }).page();
  const hint = `"${name}" has not been synchronized yet. Try it: ./gatehouse source sync ${argument(name)} --dry-run`;
  print(json, data, data.length === 0 ? hint : runTable(data));
}

function runTable(runs: readonly SourceRun[]): string {
  return table(
    ['TIME', 'STATUS', 'TRIGGER', 'READ', 'NEW', 'ADDED', 'CHANGED', 'REMOVED', 'SKIPPED', 'ERROR', 'ID'],
    runs.map(({ startedAt, dueAt, createdAt, status, dryRun, trigger, counts, id, ...run }) => [
      startedAt ?? dueAt ?? createdAt,
      dryRun ? `${status} (dry run)` : status,
      trigger,
      counts.read,
      counts.created,
      counts.added,
      counts.changed,
      counts.removed,
      counts.skipped,
      errorOf(run),
      id,
    ]),
  );
}

function errorOf({ error, collections }: Pick<SourceRun, 'error' | 'collections'>): string | null {
  return error?.code ?? collections.find((each) => each.error !== null)?.error?.code ?? null;
}
