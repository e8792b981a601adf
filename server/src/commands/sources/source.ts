import type { Command } from 'commander';
import { addChoiceCommands } from './choice.ts';
import { addCollectionCommands } from './collections.ts';
import { addSyncCommand } from './synchronization.ts';
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
  addCollectionCommands(source);
  addChoiceCommands(source);
  addSyncCommand(source);
  addWebhookCommand(source);
}
