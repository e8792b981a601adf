import type { Command } from 'commander';
import { addMemberExportCommand } from './member-export.ts';
import { addMemberImportCommand } from './member-import.ts';
import { addMemberListCommand } from './member-list.ts';
import { addMemberTokenCommands } from './member-token.ts';

export function addMemberCommands(program: Command): void {
  const member = program
    .command('member')
    .description('import, export and list the members of a site, and their access tokens');
  addMemberImportCommand(member);
  addMemberExportCommand(member);
  addMemberListCommand(member);
  addMemberTokenCommands(member);
}
