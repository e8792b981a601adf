import type { Command } from 'commander';
import { addMemberExportCommand } from './member-export.ts';
import { addMemberImportCommand } from './member-import.ts';
import { addMemberListCommand } from './member-list.ts';

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('import, export and list the members of a site');
  addMemberImportCommand(member);
  addMemberExportCommand(member);
  addMemberListCommand(member);
}
