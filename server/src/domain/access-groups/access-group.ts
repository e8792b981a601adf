import { maxGroupDescriptionLength } from '@gatehouse/contract/limits';
import { ApiError, invalidRequest } from '../../base/api-error.ts';
import { checkName, lengthOf } from '../../base/text/text.ts';

/** What can be changed of a group. */
export interface AccessGroupSettings {
  readonly name: string;
  readonly description: string | null;
  readonly maxSessions: number | null;
}

/** Trimmed, NFC, 1 to 100 code points on one line. */
export function checkGroupName(name: string): string {
  return checkName('name', name.trim().normalize('NFC'));
}

/** At most 500 code points; line breaks are allowed. */
export function checkDescription(description: string | null): string | null {
  if (
    description === null ||
    (lengthOf(description) <= maxGroupDescriptionLength && !description.includes('\0'))
  ) {
    return description;
  }
  throw invalidRequest(
    '/description',
    `description must have at most ${maxGroupDescriptionLength} characters.`,
  );
}

/** The error for changes to a scope group by anyone but its source. */
export function scopeGroupReadOnly(): ApiError {
  return new ApiError(
    'scope_group_read_only',
    'A scope group follows an external workspace and is read-only in the API. Change it in the workspace, or use a custom group.',
  );
}

export function groupNotFound(): ApiError {
  return new ApiError('access_group_not_found', 'This site has no access group with this ID. Check the ID.');
}
