import { displayNameProblem } from '@gatehouse/contract/names';
import type { Command } from 'commander';
import type { ChangeContext } from '../base/change-context.ts';
import {
  compareScope,
  type ScopeDifference,
  type ScopeEntry,
  ScopeSyncUnderway,
  syncScope,
  TooManyRemovals,
} from '../domain/scope-groups/scope-sync.ts';
import type { Database } from '../storage/database.ts';
import { addCommand, type CommonOptions, gather } from './add-command.ts';
import { parseMapping } from './column-mapping.ts';
import { CommandFailure } from './failure.ts';
import { openListFile, readDrafts, requireUtf8 } from './list-file.ts';
import { counted, print } from './output.ts';
import { changeSite, requireSite, withDatabase } from './store.ts';

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
    .option('--confirm', 'allow the removal of more than 20% of the group')
    .addHelpText(
      'after',
      '\nPeople in the file who are not in the group are added, and become members if they are not yet. Members who are' +
        '\nin the group but not in the file are removed from the group and stay members. All changes are applied, or none.',
    )
    .action(sync);
}

async function sync(path: string, { json, site: slug, collection, map = [], dryRun, confirm }: SyncOptions) {
  const entries = await readScopeEntries(path, map);
  const scope = { collection, name: collection, entries };
  const context: ChangeContext = {
    actor: { type: 'source', id: collection, name: collection },
    requestId: null,
    clientAddress: null,
    at: new Date().toISOString(),
  };
  const compare = async (database: Database) => {
    const { id } = await requireSite(database, slug);
    return compareScope(database, id, scope, new Date().toISOString());
  };
  const difference = await (dryRun
    ? withDatabase(compare)
    : changeSite(slug, (change) => syncScope(change, scope, { removalsConfirmed: confirm === true }), context)
  ).catch(explain);
  print(json, { dryRun: dryRun === true, ...difference }, describe(difference, collection, dryRun === true));
}

/** Every row of a source counts: skipping an invalid row would remove its member from the group. */
async function readScopeEntries(path: string, map: readonly string[]): Promise<ScopeEntry[]> {
  const file = await openListFile(path, parseMapping(map));
  await requireUtf8(path);
  const entries: ScopeEntry[] = [];
  const problems: string[] = [];
  for await (const { line, email, address, displayName } of readDrafts(file)) {
    if (address === null) problems.push(`row ${line}: "${email}" is not an email address`);
    else if (displayNameProblem(displayName ?? null) !== undefined) {
      problems.push(`row ${line}: ${displayNameProblem(displayName!)}`);
    } else entries.push(displayName === undefined ? { email } : { email, displayName });
  }
  if (problems.length === 0) return entries;
  const more = problems.length > maxShown ? `; and ${problems.length - maxShown} more` : '';
  throw new CommandFailure(
    'invalid_rows',
    `Nothing was changed. Correct the file first: ${problems.slice(0, maxShown).join('; ')}${more}.`,
  );
}

function explain(error: unknown): never {
  if (error instanceof TooManyRemovals) {
    const { removed, currentMembers } = error.difference;
    throw new CommandFailure(
      'too_many_removals',
      `This would remove ${removed.length} of the ${counted(currentMembers, 'member')} of the group, more than 20%, so nothing ` +
        'was changed. Use --dry-run to see who would be removed. If the removals are correct, repeat the command with --confirm.',
    );
  }
  if (error instanceof ScopeSyncUnderway) {
    throw new CommandFailure(
      'sync_underway',
      'This collection is being synchronized. Wait, and repeat the command.',
    );
  }
  throw error;
}

function describe(difference: ScopeDifference, collection: string, dryRun: boolean): string {
  const { currentMembers, created, added, renamed, removed } = difference;
  const would = dryRun ? 'would be ' : '';
  const lines = [
    `The group "${collection}" ${dryRun ? 'has' : 'had'} ${counted(currentMembers, 'member')}` +
      `${difference.groupId === null ? ' and would be created' : ''}.`,
    `${counted(added.length, 'person', 'people')} ${would}added, ${created.length} of them new members; ` +
      `${removed.length} ${would}removed from the group; ${renamed.length} ${would}renamed.`,
  ];
  if (!dryRun) return lines.join('\n');
  lines.push(...added.map((email) => `  + ${email}`));
  lines.push(...removed.map((email) => `  - ${email}`));
  lines.push(...renamed.map(({ email, from, to }) => `  ~ ${email}: ${from ?? 'no name'} → ${to}`));
  return lines.join('\n');
}
