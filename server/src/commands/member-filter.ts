import type { ListMembers } from '@gatehouse/client';
import { memberStatuses } from '@gatehouse/contract';
import { type Command, Option } from 'commander';

/** Which members: the filters of the API. */
export interface FilterOptions {
  readonly q?: string;
  readonly email?: string;
  readonly status?: (typeof memberStatuses)[number];
  readonly paid?: 'true' | 'false';
  readonly verified?: 'true' | 'false';
}

export function addFilterOptions(command: Command): Command {
  return command
    .option('--q <text>', 'with this in the address or the name')
    .option('--email <address>', 'with this address')
    .addOption(new Option('--status <status>', 'with this status').choices(memberStatuses))
    .addOption(new Option('--paid <boolean>', 'paying or not').choices(['true', 'false']))
    .addOption(
      new Option('--verified <boolean>', 'with a verified address or not').choices(['true', 'false']),
    );
}

export function toFilter({ q, email, status, paid, verified }: FilterOptions): ListMembers {
  return {
    ...(q === undefined ? {} : { q }),
    ...(email === undefined ? {} : { email }),
    ...(status === undefined ? {} : { status }),
    ...(paid === undefined ? {} : { paid: paid === 'true' }),
    ...(verified === undefined ? {} : { verified: verified === 'true' }),
  };
}
