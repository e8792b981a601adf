import { type Command, Option } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { addCommand } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { print } from '../shared/output.ts';
import { findSource } from './named-source.ts';

interface DeleteOptions extends ConnectionOptions {
  readonly groups: 'keep' | 'delete';
  readonly confirm?: boolean;
}

export function addDeleteCommand(source: Command): void {
  addConnectionOptions(
    addCommand(source, 'delete <source>', 'delete a source; no member is deleted', [
      'source delete Team',
      'source delete Team --groups delete --confirm',
    ]),
  )
    .addOption(
      new Option(
        '--groups <action>',
        'keep its groups as custom groups, or delete them with their memberships',
      )
        .choices(['keep', 'delete'])
        .default('keep'),
    )
    .option('--confirm', 'delete the groups')
    .action(deleteSource);
}

async function deleteSource(named: string, options: DeleteOptions): Promise<void> {
  const { json, groups, confirm = false } = options;
  const { gatehouse } = await connect(options);
  const { id, name } = await findSource(gatehouse, named);
  if (groups === 'delete' && !confirm) {
    throw new CommandFailure(
      'confirmation_required',
      `This would delete "${name}" and its groups, and end all memberships in them. Nothing was changed. Repeat it with ` +
        '--confirm, or keep the groups with --groups keep.',
    );
  }
  await gatehouse.sources.delete(id, { groups });
  const end = groups === 'keep' ? 'Its groups are custom groups now.' : 'Its groups are deleted too.';
  print(json, { id, name, groups }, `Deleted the source "${name}". ${end}`);
}
