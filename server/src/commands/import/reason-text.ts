import { invalidEmailMessage } from '@gatehouse/contract/email-address';
import { displayNameProblem } from '@gatehouse/contract/names';
import { type MemberDraft, maxGroupsPerRow, type Reason } from '@gatehouse/member-lists';
import { invalidRegisteredAtMessage } from '../../domain/members/member.ts';

/** The reason why a row failed, as text. */
export function reasonText({ code, values = {}, message }: Reason, draft: MemberDraft): string {
  if (message !== undefined) return message;
  switch (code) {
    case 'invalid_row':
      return `The row has ${values.cells} cells for ${values.headings} headings. Put quotes around a cell that contains a separator.`;
    case 'invalid_email':
      return invalidEmailMessage;
    case 'invalid_display_name':
      return displayNameProblem(draft.displayName ?? null)!;
    case 'invalid_paid':
      return 'Write paid as true, false, yes, no, 1 or 0.';
    case 'invalid_status':
      return 'Write status as active or blocked.';
    case 'invalid_registered_at':
      return invalidRegisteredAtMessage;
    case 'invalid_group_ends':
      return 'Write groupsEndAt as one time for all groups, or one time for each group separated by ";", such as 2030-12-31T23:00:00Z.';
    case 'too_many_groups':
      return `This row has too many groups. Use at most ${maxGroupsPerRow}.`;
    case 'email_taken': {
      const fields = String(values.fields).split(' ').join(' and ');
      return `A member with this email address already exists and has a different ${fields}. Update the member, or clear these cells to leave it unchanged.`;
    }
  }
  throw new Error(`There is no text for ${code}.`);
}
