import type { ListMembers } from '@gatehouse/client';
import { memberStatuses } from '@gatehouse/contract/member-fields';
import { type Command, Option } from 'commander';

/** The filters of the API for members. */
export interface FilterOptions {
  readonly q?: string;
  readonly email?: string;
  readonly status?: (typeof memberStatuses)[number];
  readonly paid?: 'true' | 'false';
  readonly verified?: 'true' | 'false';
  readonly createdByRequest?: string;
}

export function addFilterOptions(command: Command): Command {
  return command
    .option('--q <text>', 'members with this text in the email address or the name')
    .option('--email <address>', 'the member with this email address')
    .addOption(new Option('--status <status>', 'members with this status').choices(memberStatuses))
    .addOption(
      new Option('--paid <boolean>', 'true: paying members, false: the others').choices(['true', 'false']),
    )
    .addOption(
      new Option(
        '--verified <boolean>',
        'true: members with a verified email address, false: the others',
      ).choices(['true', 'false']),
    )
    .option('--created-by-request <id>', 'the members that an import created, by the ID of its requests');
}

export function toFilter(options: FilterOptions): ListMembers {
  const { q, email, status, paid, verified, createdByRequest } = options;
  return {
    ...(q === undefined ? {} : { q }),
    ...(email === undefined ? {} : { email }),
    ...(status === undefined ? {} : { status }),
    ...(paid === undefined ? {} : { paid: paid === 'true' }),
    ...(verified === undefined ? {} : { verified: verified === 'true' }),
    ...(createdByRequest === undefined ? {} : { createdByRequest }),
  };
}
