import type { Command } from 'commander';
import type { Cause } from '../base/cause.ts';
import { normalizeEmail } from '../members/email.ts';
import { displayNameProblem } from '../members/member.ts';
import {
  compareScope,
  type ScopeDifference,
  type ScopePerson,
  ScopeSyncUnderway,
  syncScope,
  TooManyRemovals,
} from '../members/scope-sync.ts';
import { addCommand, type CommonOptions, gather } from './command.ts';
import { CommandFailure } from './failure.ts';
import { counted, print } from './output.ts';
import { parseMapping } from './people-file/columns.ts';
import { openPeopleFile, readPeople, requireUtf8 } from './people-file/people-file.ts';
import { requireSite, withDatabase } from './store.ts';

const mostShown = 10;

interface SyncOptions extends CommonOptions {
  readonly site?: string;
  readonly collection: string;
  readonly map?: readonly string[];
  readonly dryRun?: boolean;
  readonly confirm?: boolean;
}

export function addScopeCommands(program: Command): void {
  const scope = program.command('scope').description('keep scope groups in line with a workspace');

  addCommand(
    scope,
    'sync <people.csv>',
    'bring the group of a collection in line with a file of its people',
    ['scope sync people.csv --site club --collection "Team" --dry-run'],
  )
    .option('--site <slug>', 'the site; may be left out when there is only one')
    .requiredOption('--collection <name>', 'the collection, which gives the group its name')
    .option('--map <field=heading>', 'the heading of a column: "email=E-mail,displayName=Name"', gather)
    .option('--dry-run', 'show the difference and change nothing')
    .option('--confirm', 'also when more than 20 % of the group would be removed')
    .addHelpText(
      'after',
      '\nWhoever is in the file and not in the group is added, and made a member if need be. Whoever is in the' +
        '\ngroup and not in the file is removed from the group and stays a member. All of it happens, or nothing.',
    )
    .action(sync);
}

async function sync(path: string, { json, site: slug, collection, map = [], dryRun, confirm }: SyncOptions) {
  const people = await readScopePeople(path, map);
  const scope = { collection, name: collection, people };
  const cause: Cause = {
    actor: { type: 'source', id: collection, name: collection },
    requestId: null,
    clientAddress: null,
    at: new Date().toISOString(),
  };
  const difference = await withDatabase(async (database) => {
    const { id } = await requireSite(database, slug);
    if (dryRun) return compareScope(database, id, scope, cause);
    return database.transaction((tx) =>
      syncScope(tx, id, scope, cause, { removalsConfirmed: confirm === true }),
    );
  }).catch(explain);
  print(json, { dryRun: dryRun === true, ...difference }, describe(difference, collection, dryRun === true));
}

/** Of a source every row counts: one that cannot be used would remove its person from the group. */
async function readScopePeople(path: string, map: readonly string[]): Promise<ScopePerson[]> {
  const file = await openPeopleFile(path, parseMapping(map));
  await requireUtf8(path);
  const people: ScopePerson[] = [];
  const problems: string[] = [];
  for await (const { line, email, displayName } of readPeople(file)) {
    if (normalizeEmail(email) === null) problems.push(`line ${line}: "${email}" is no address`);
    else if (displayNameProblem(displayName ?? null) !== undefined) {
      problems.push(`line ${line}: ${displayNameProblem(displayName!)}`);
    } else people.push(displayName === undefined ? { email } : { email, displayName });
  }
  if (problems.length === 0) return people;
  const more = problems.length > mostShown ? `; and ${problems.length - mostShown} more` : '';
  throw new CommandFailure(
    'invalid_rows',
    `Nothing was changed. Mend the file first: ${problems.slice(0, mostShown).join('; ')}${more}.`,
  );
}

function explain(error: unknown): never {
  if (error instanceof TooManyRemovals) {
    const { removed, present } = error.difference;
    throw new CommandFailure(
      'too_many_removals',
      `This would remove ${removed.length} of the ${counted(present, 'member')} of the group, more than 20 %, so nothing ` +
        'was changed. See who with --dry-run; if it is right, repeat it with --confirm.',
    );
  }
  if (error instanceof ScopeSyncUnderway) {
    throw new CommandFailure('sync_underway', 'This collection is being synchronised. Wait and repeat it.');
  }
  throw error;
}

function describe(difference: ScopeDifference, collection: string, dryRun: boolean): string {
  const { present, created, added, renamed, removed } = difference;
  const would = dryRun ? 'would be ' : '';
  const lines = [
    `The group "${collection}" ${dryRun ? 'has' : 'had'} ${counted(present, 'member')}` +
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
