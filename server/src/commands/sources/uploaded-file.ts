import { setTimeout } from 'node:timers/promises';
import type { ListedPerson, SourceRun } from '@gatehouse/contract';
import { maxListPartPeople } from '@gatehouse/contract/limits';
import { displayNameProblem } from '@gatehouse/contract/names';
import type { Command } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { systemClock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { printable } from '../../base/text/printable.ts';
import { systemTimers } from '../../base/timers.ts';
import { ProgramWorkspace } from '../../connectors/program/program-workspace.ts';
import { makeChange } from '../../domain/events/change.ts';
import { claimRunOfSource } from '../../domain/sources/runs/run-lease.ts';
import { findRun } from '../../domain/sources/runs/runs.ts';
import { createSource, findSourceByName } from '../../domain/sources/source/sources.ts';
import { uploadListPart } from '../../domain/sources/uploads/list-uploads.ts';
import { runSync, type SyncParts } from '../../jobs/source-sync/run-sync.ts';
import type { Database } from '../../storage/database.ts';
import { parseMapping, readingBy } from '../lists/column-mapping.ts';
import { openListFile, readDrafts } from '../lists/list-file.ts';
import { addCommand, type CommonOptions, gather } from '../shared/add-command.ts';
import { counted, print } from '../shared/output.ts';
import { operatorContext, requireSite, withDatabase } from '../shared/store.ts';

const maxShown = 10;

interface SyncOptions extends CommonOptions {
  readonly site?: string;
  readonly collection: string;
  readonly map?: readonly string[];
  readonly dryRun?: boolean;
  readonly confirm?: boolean;
}

export function addScopeCommands(program: Command): void {
  const scope = program.command('scope').description('synchronize scope groups with a workspace');

  addCommand(scope, 'sync <people.csv>', 'synchronize the group of a collection with a file of its members', [
    'scope sync people.csv --site club --collection "Team" --dry-run',
  ])
    .option('--site <slug>', 'the site (not needed if there is only one)')
    .requiredOption('--collection <name>', 'the name of the collection and of its group')
    .option('--map <field=heading>', 'the heading of a column: "email=E-mail,displayName=Name"', gather)
    .option('--dry-run', 'show the changes without making them')
    .option('--confirm', 'allow the removal of many people')
    .addHelpText(
      'after',
      '\nPeople in the file who are not in the group are added, and become members if they are not yet. Members who are' +
        '\nin the group but not in the file are removed from the group and stay members. More than 10 people who are more' +
        '\nthan 20% of the group, or everybody, are removed only with --confirm.',
    )
    .action(sync);
}

/** The source of the lists that this command uploads. */
const sourceName = 'Command line';

async function sync(path: string, { json, site: slug, collection, map = [], dryRun, confirm }: SyncOptions) {
  const people = await readPeople(path, map);
  const run = await withDatabase(async (database) => {
    const site = await requireSite(database, slug);
    const requested = await upload(database, site.id, collection, people, {
      dryRun: dryRun === true,
      confirmRemovals: confirm === true,
    });
    return runToItsEnd(database, site.id, requested);
  });
  requireSuccess(run);
  print(json, run, describe(run, collection));
}

/** Uploads the list in parts, through the same function as the API, and requests its synchronization. */
async function upload(
  database: Database,
  siteId: string,
  collection: string,
  people: readonly ListedPerson[],
  options: { readonly dryRun: boolean; readonly confirmRemovals: boolean },
): Promise<SourceRun> {
  const list = newId();
  const parts = Math.max(1, Math.ceil(people.length / maxListPartPeople));
  for (let part = 0; ; part += 1) {
    const complete = part === parts - 1;
    const ofPart = people.slice(part * maxListPartPeople, (part + 1) * maxListPartPeople);
    const { run } = await database.transaction((tx) =>
      makeChange({ db: tx, siteId }, operatorContext(), async (change) => {
        const source =
          (await findSourceByName({ db: tx, siteId }, sourceName)) ??
          (await createSource(change, { type: 'program', name: sourceName }));
        return uploadListPart(change, source.id, collection, {
          list,
          part,
          people: ofPart,
          complete,
          ...options,
        });
      }),
    );
    if (run) return run;
  }
}

const pollMilliseconds = 200;

/** Runs the synchronization in this process, unless the service has begun it. */
async function runToItsEnd(
  database: Database,
  siteId: string,
  { id, sourceId }: SourceRun,
): Promise<SourceRun> {
  for (;;) {
    const holder = newId();
    const run = await findRun({ db: database, siteId }, sourceId, id);
    if (run.endedAt !== null) return run;
    const now = systemClock().toISOString();
    const claimed = await database.transaction((tx) =>
      claimRunOfSource({ db: tx, siteId }, sourceId, { holder, now }),
    );
    if (!claimed) await setTimeout(pollMilliseconds);
    else {
      const time = { clock: systemClock, timers: systemTimers };
      const parts = { database, ...time, open: openList, random: Math.random };
      await runSync(parts, { siteId, run: claimed, holder }, new AbortController().signal);
    }
  }
}

const openList: SyncParts['open'] = async ({ db, siteId }, { id }, { list }) =>
  new ProgramWorkspace(db, siteId, id, list!);

/** Every row of a source counts: skipping an invalid row would remove its member from the group. */
async function readPeople(path: string, map: readonly string[]): Promise<ListedPerson[]> {
  const surveyed = await openListFile(path);
  const file = { ...surveyed, reading: readingBy(surveyed.survey, parseMapping(map)) };
  const people: ListedPerson[] = [];
  const problems: string[] = [];
  for await (const { line, email, address, displayName } of readDrafts(file)) {
    if (address === null) problems.push(`row ${line}: "${email}" is not an email address`);
    else if (displayNameProblem(displayName ?? null) !== undefined) {
      problems.push(`row ${line}: ${displayNameProblem(displayName!)}`);
    } else people.push(displayName === undefined ? { email } : { email, displayName });
  }
  if (problems.length === 0) return people;
  const more = problems.length > maxShown ? `; and ${problems.length - maxShown} more` : '';
  throw new CommandFailure(
    'invalid_rows',
    `Nothing was changed. Correct the file first: ${problems.slice(0, maxShown).join('; ')}${more}.`,
  );
}

function requireSuccess({ status, error, collections, dryRun }: SourceRun): void {
  const failure = error ?? collections.find((each) => each.error !== null)?.error;
  if (failure) throw new CommandFailure('sync_failed', `${failure.message} Repeat the command.`);
  if (status !== 'confirmation_required' || dryRun) return;
  const { withheld } = collections[0]!;
  throw new CommandFailure(
    'too_many_removals',
    `This would remove ${counted(withheld, 'person', 'people')} from the group, so nobody was removed; new people were added. ` +
      'Use --dry-run to see who would be removed. If the removals are correct, repeat the command with --confirm.',
  );
}

function describe({ counts, collections, dryRun }: SourceRun, collection: string): string {
  const { read, created, added, changed } = counts;
  // With --confirm no one would be withheld.
  const removed = counts.removed + counts.withheld;
  const would = dryRun ? 'would be ' : '';
  const lines = [
    `The collection "${collection}" has ${counted(read, 'person', 'people')}.`,
    `${counted(added, 'person', 'people')} ${would}added to the group, ${created} of them new members; ` +
      `${removed} ${would}removed from the group; ${changed} ${would}changed.`,
  ];
  for (const { skipped, skippedPeople } of collections) {
    if (skipped > 0) lines.push(`${counted(skipped, 'row')} could not be read and changed nothing:`);
    lines.push(...skippedPeople.map(({ place, value }) => printable(`  ${place}: "${value}"`)));
  }
  for (const { sample } of dryRun ? collections : []) {
    lines.push(
      ...sample.added.map((email) => `  + ${email}`),
      ...sample.removed.map((email) => `  - ${email}`),
    );
    if (added > sample.added.length || removed > sample.removed.length) lines.push('  …');
  }
  return lines.join('\n');
}
