import type { Invitation } from '@gatehouse/client';

/** The search parameters of the page: the filter. */
export interface InvitationsSearch {
  status?: InvitationStatus | undefined;
}

export const invitationStatuses = [
  'active',
  'used_up',
  'expired',
  'revoked',
] as const satisfies readonly Invitation['status'][];
export type InvitationStatus = (typeof invitationStatuses)[number];

/** Parses the search parameters. Invalid ones are left out. */
export function readInvitationsSearch({ status }: Record<string, unknown>): InvitationsSearch {
  const known = invitationStatuses.find((each) => each === status);
  return known ? { status: known } : {};
}
