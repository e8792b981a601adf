import type { ListMembers, Member } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { memberSortFields } from '@gatehouse/contract/member-fields';
import { type Command, Option } from 'commander';
import { addCommand, wholeNumber } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { table } from '../shared/output.ts';
import { addFilterOptions, type FilterOptions, toFilter } from './member-filter.ts';

const defaultLimit = 50;

interface ListOptions extends ConnectionOptions, FilterOptions {
  readonly limit: number;
  readonly sort?: (typeof memberSortFields)[number];
  readonly order?: 'asc' | 'desc';
}

export function addMemberListCommand(member: Command): void {
  const command = addCommand(member, 'list', 'list members, newest first', [
    'member list --q love --limit 10',
  ]);
  addFilterOptions(addConnectionOptions(command))
    .addOption(new Option('--sort <field>', 'the field to sort by').choices(memberSortFields))
    .addOption(new Option('--order <order>', 'the sort direction').choices(['asc', 'desc']))
    .option('--limit <number>', 'the maximum number of members', wholeNumber(1), defaultLimit)
    .addHelpText('after', '\nWith --json each member is printed on its own line.')
    .action(list);
}

async function list(options: ListOptions): Promise<void> {
  const { gatehouse } = await connect(options);
  const { json, limit, sort, order } = options;
  const query: ListMembers = {
    ...toFilter(options),
    ...(sort === undefined ? {} : { sort }),
    ...(order === undefined ? {} : { order }),
    limit: Math.min(limit, maxPageSize),
  };
  const shown: Member[] = [];
  let count = 0;
  for await (const member of gatehouse.members.list(query)) {
    if (json) process.stdout.write(`${JSON.stringify(member)}\n`);
    else shown.push(member);
    count += 1;
    if (count === limit) break;
  }
  if (!json) process.stdout.write(`${count === 0 ? 'No member matches.' : memberTable(shown)}\n`);
}

function memberTable(members: readonly Member[]): string {
  return table(
    ['EMAIL', 'NAME', 'STATUS', 'PAID', 'VERIFIED', 'LAST LOGIN', 'CREATED', 'ID'],
    members.map(({ email, displayName, status, paid, verified, lastLoginAt, createdAt, id }) => [
      email,
      displayName,
      status,
      yesOrNo(paid),
      yesOrNo(verified),
      lastLoginAt,
      createdAt,
      id,
    ]),
  );
}

function yesOrNo(value: boolean | null): string | null {
  if (value === null) return null;
  return value ? 'yes' : 'no';
}
