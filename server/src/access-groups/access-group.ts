import type { AccessGroup } from '@gatehouse/contract';
import { invalidRequest, Refusal } from '../base/refusal.ts';
import { checkName, lengthOf } from '../base/text.ts';

const longestDescription = 500;

export interface AccessGroupRow {
  id: string;
  name: string;
  description: string | null;
  type: string;
  member_count: number;
  created_at: string;
  updated_at: string;
}

export function toAccessGroup(row: AccessGroupRow): AccessGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type as AccessGroup['type'],
    memberCount: row.member_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Trimmed, NFC, 1 to 100 code points on one line. */
export function checkGroupName(name: string): string {
  return checkName('name', name.trim().normalize('NFC'));
}

/** At most 500 code points; line breaks are allowed. */
export function checkDescription(description: string | null): string | null {
  if (description === null || (lengthOf(description) <= longestDescription && !description.includes('\0'))) {
    return description;
  }
  throw invalidRequest('/description', `description takes at most ${longestDescription} characters.`);
}

/** What a scope group answers to whoever is not its source. */
export function refuseScopeGroup(): Refusal {
  return new Refusal(
    'scope_group_read_only',
    'A scope group is managed by its workspace and read-only here. Change it in the workspace, or use a custom group.',
  );
}

export function groupNotFound(): Refusal {
  return new Refusal('access_group_not_found', 'This site has no access group with this id. Check the id.');
}
