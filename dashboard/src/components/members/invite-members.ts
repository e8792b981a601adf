import { type Gatehouse, GatehouseError } from '@gatehouse/client';
import { inviteAll, sendActiveInvitation } from '../../queries/ways-in/invitations.ts';

/** Why some members were not invited, by the code of the error. */
export type InvitingFailures = Map<string, { code: string; message: string; count: number }>;

export interface InvitedMembers {
  readonly count: number;
  readonly failures: InvitingFailures;
}

/** Whether a member can be invited: one who has never logged in, and is not blocked. */
export function isInvitable({
  lastLoginAt,
  status,
}: {
  readonly lastLoginAt: string | null;
  readonly status: string;
}): boolean {
  return lastLoginAt === null && status !== 'blocked';
}

/** Emails each of the members an invitation, or once more the one that they already have. */
export async function inviteMembers(
  gatehouse: Gatehouse,
  emails: readonly string[],
  signal?: AbortSignal,
): Promise<InvitedMembers> {
  const failures: InvitingFailures = new Map();
  let count = 0;
  for (const result of await inviteAll(gatehouse, { emails, send: true })) {
    if (signal?.aborted) break;
    const error = result.status === 'created' ? undefined : result.error;
    const reason =
      error?.code === 'already_invited'
        ? await failureOf(sendActiveInvitation(gatehouse, result.email))
        : error;
    if (!reason) count += 1;
    else {
      const { code, message } = reason;
      failures.set(code, { code, message, count: (failures.get(code)?.count ?? 0) + 1 });
    }
  }
  return { count, failures };
}

/** Emails one member an invitation, or once more the active one. */
export async function inviteMember(gatehouse: Gatehouse, email: string): Promise<void> {
  try {
    await gatehouse.invitations.create({ email, send: true });
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.code !== 'already_invited') throw error;
    await sendActiveInvitation(gatehouse, email);
  }
}

/** Why the service has rejected something; undefined if it has not. */
async function failureOf(call: Promise<void>): Promise<{ code: string; message: string } | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof GatehouseError && error.status !== undefined) return error;
    throw error;
  }
}
