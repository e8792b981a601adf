import type { Email } from '@gatehouse/client';

/** The search parameters of the page: the filters and the open email. */
export interface EmailsSearch {
  status?: Email['status'] | undefined;
  memberId?: string | undefined;
  email?: string | undefined;
}

export const emailStates = [
  'waiting',
  'sent',
  'not_sent',
  'failed',
] as const satisfies readonly Email['status'][];

/** Parses the search parameters. Invalid ones are left out. */
export function readEmailsSearch({ status, memberId, email }: Record<string, unknown>): EmailsSearch {
  const known = emailStates.find((each) => each === status);
  return {
    ...(known && { status: known }),
    ...(typeof memberId === 'string' && { memberId }),
    ...(typeof email === 'string' && { email }),
  };
}
