import type { Command } from 'commander';
import type { CommonOptions } from './add-command.ts';

/** Where a command works: on a site of the configured database, or with a service. */
export interface WhereOptions extends CommonOptions {
  readonly site?: string;
  readonly url?: string;
  readonly key?: string;
}

export function addWhereOptions(command: Command): Command {
  command
    .optionsGroup('Where:')
    .option('--site <slug>', 'the site in the configured database (not needed if there is only one)');
  return addConnectionOptions(command);
}

/** The options of a command that only calls a service. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option(
      '--url <url>',
      'the URL of the service (default: GATEHOUSE_URL, or the public URL of the settings)',
    )
    .option('--key <key>', 'its API key (default: GATEHOUSE_KEY, which other users cannot see)');
}
