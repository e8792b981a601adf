import type { Mail } from '@gatehouse/client';

/** What the address says about the view of the page: the filters, and the mail that is open. */
export interface MailsSearch {
  state?: Mail['state'] | undefined;
  memberId?: string | undefined;
  mail?: string | undefined;
}

export const mailStates = ['waiting', 'sent', 'kept', 'failed'] as const satisfies readonly Mail['state'][];

/** Reads the address. What cannot be read is left out. */
export function readMailsSearch({ state, memberId, mail }: Record<string, unknown>): MailsSearch {
  const known = mailStates.find((each) => each === state);
  return {
    ...(known && { state: known }),
    ...(typeof memberId === 'string' && { memberId }),
    ...(typeof mail === 'string' && { mail }),
  };
}
