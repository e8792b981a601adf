import type { Command } from 'commander';
import { groupOf } from '../shared/add-command.ts';
import { addMemberExportCommand } from './member-export.ts';
import { addMemberImportCommand } from './member-import.ts';

export function addMemberCommands(program: Command): void {
  const members = groupOf(program, 'members', 'import and export the members of a site');
  addMemberImportCommand(members);
  addMemberExportCommand(members);
}
