import type { Command } from 'commander';
import { addChoiceCommands } from './source/choice.ts';
import { addCollectionCommands } from './source/collections.ts';
import { addCreateCommand } from './source/creation.ts';
import { addDeleteCommand } from './source/deletion.ts';
import { addRunsCommand } from './source/runs.ts';
import { addListCommand } from './source/source-list.ts';
import { addSyncCommand } from './source/synchronization.ts';
import { addUpdateCommand } from './source/update.ts';
import { addWebhookCommand } from './source/webhook.ts';

export function addSourceCommands(program: Command): void {
  const source = program
    .command('source')
    .description('connect workspaces whose collections become scope groups, and synchronize them')
    .addHelpText(
      'after',
      '\nThe key needs the permissions sources:read and sources:write, and members:read to show who would be added or' +
        '\nremoved, and who was skipped.',
    );
  addListCommand(source);
  addCreateCommand(source);
  addCollectionCommands(source);
  addChoiceCommands(source);
  addUpdateCommand(source);
  addSyncCommand(source);
  addRunsCommand(source);
  addWebhookCommand(source);
  addDeleteCommand(source);
}
