import type { Command } from 'commander';
import { addChoiceCommands } from './choice.ts';
import { addCollectionCommands } from './collections.ts';
import { addCreateCommand } from './creation.ts';
import { addDeleteCommand } from './deletion.ts';
import { addRunsCommand } from './runs.ts';
import { addListCommand } from './source-list.ts';
import { addSyncCommand } from './synchronization.ts';
import { addUpdateCommand } from './update.ts';
import { addWebhookCommand } from './webhook.ts';

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
