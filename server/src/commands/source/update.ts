import type { UpdateSource } from '@gatehouse/client';
import { type Command, Option } from 'commander';
import { WrongUsage } from '../../app/failure.ts';
import { addCommand, wholeNumber } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { addOldSpelling } from '../shared/old-spelling.ts';
import { print } from '../shared/output.ts';
import { findSource } from './named-source.ts';
import { addSecretOptions, readSecret, type SecretOptions } from './secret.ts';
import { tableOf } from './source-list.ts';

interface UpdateOptions extends ConnectionOptions, SecretOptions {
  readonly name?: string;
  readonly enable?: boolean;
  readonly disable?: boolean;
  readonly intervalMinutes?: number;
  readonly maxRemovedPeople?: number;
  readonly maxRemovedPercent?: number;
  readonly graceDays?: number;
  readonly onLeave?: 'keep' | 'block';
}

export function addUpdateCommand(source: Command): void {
  const command = addCommand(source, 'update <source>', 'change the source with this name or ID', [
    'source update Team --enable --interval-minutes 30',
    'source update Team --secret-file new-token.txt',
  ]);
  addSecretOptions(addConnectionOptions(command))
    .option('--name <name>', 'the display name')
    .addOption(new Option('--enable', 'synchronize it on schedule').conflicts('disable'))
    .option('--disable', 'do not synchronize it on schedule')
    .option('--interval-minutes <number>', 'minutes between two synchronizations', wholeNumber(5, 10_080))
    .option(
      '--max-removed-people <number>',
      'how many people may leave a collection in one run without a confirmation',
      wholeNumber(0, 1_000_000),
    )
    .option(
      '--max-removed-percent <percent>',
      'the same as a share; a confirmation is required when both are exceeded, or when everybody would leave',
      wholeNumber(0, 100),
    )
    .option(
      '--grace-days <days>',
      'days after which the group of a missing collection is deleted',
      wholeNumber(0, 365),
    )
    .addOption(
      new Option(
        '--on-leave <action>',
        'keep or block the members that it created and that are in none of its collections any more',
      ).choices(['keep', 'block']),
    )
    .action(update);
  addOldSpelling(command, '--interval', '--interval-minutes');
  addOldSpelling(command, '--leavers', '--on-leave');
}

async function update(named: string, options: UpdateOptions): Promise<void> {
  const settings = settingsOf(options);
  const hasSecret = options.address !== undefined || options.secretFile !== undefined;
  if (Object.keys(settings).length === 0 && !hasSecret) {
    throw new WrongUsage(
      'Nothing to change. Use an option such as --enable or --name. See ./gatehouse source update --help.',
    );
  }
  const { gatehouse } = await connect(options);
  const { id, type } = await findSource(gatehouse, named);
  const changed = await gatehouse.sources.update(id, { ...settings, ...(await readSecret(type, options)) });
  print(options.json, changed, tableOf([changed]));
}

function settingsOf({ name, enable, disable, intervalMinutes, ...options }: UpdateOptions): UpdateSource {
  const { maxRemovedPeople, maxRemovedPercent, graceDays, onLeave } = options;
  const settings = {
    name,
    enabled: enable || (disable ? false : undefined),
    intervalMinutes,
    maxRemovedPeople,
    maxRemovedPercent,
    graceDays,
    onLeave,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
