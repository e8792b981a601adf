import type { Actor, JoinRequest, JoinRequestStatus } from '@gatehouse/contract';
import { joinRequestDays, maxJoinRequestMessageLength } from '@gatehouse/contract/limits';
import { ApiError } from '../../base/api-error.ts';
import { millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import { lengthOf } from '../../base/text/text.ts';

/** What a person submits who asks to join. The email address has been verified. */
export interface JoinRequestDraft {
  readonly email: string;
  /** The member with this address who asks for access; null for a person who is not a member. */
  readonly memberId: string | null;
  readonly invitationId: string | null;
  readonly displayName: string | null;
  readonly message: string | null;
  /** The path of the site from which the person came; null if none is known. */
  readonly path: string | null;
  readonly language: string;
}

export interface StoredJoinRequest extends JoinRequestDraft {
  readonly id: string;
  /** As it was stored: see `statusOf`. */
  readonly status: JoinRequestStatus;
  readonly createdAt: Timestamp;
  /** When it expires if it is pending, and when the row is purged otherwise. */
  readonly endsAt: Timestamp;
  readonly decidedAt: Timestamp | null;
  readonly decidedBy: Actor | null;
}

/** The status at a time. A pending request expires at its end, whether or not the job has stored that. */
export function statusOf(
  { status, endsAt }: Pick<StoredJoinRequest, 'status' | 'endsAt'>,
  now: Timestamp,
): JoinRequestStatus {
  return status === 'pending' && endsAt <= now ? 'expired' : status;
}

/** When a request expires that is made now, and when one is purged that is decided now. */
export function endOfJoinRequest(now: Timestamp): Timestamp {
  return timestampAfter(now, joinRequestDays * millisecondsPerDay);
}

/** What the API shows of a request, beside what other concepts know of it. */
export function toJoinRequest(
  stored: StoredJoinRequest,
  now: Timestamp,
): Omit<JoinRequest, 'requestedGroupIds'> {
  const { id, email, displayName, message, path, memberId, invitationId } = stored;
  const { createdAt, endsAt, decidedAt, decidedBy } = stored;
  const status = statusOf(stored, now);
  return {
    id,
    email,
    displayName,
    message,
    path,
    memberId,
    invitationId,
    status,
    createdAt,
    expiresAt: status === 'pending' ? endsAt : null,
    decidedAt,
    decidedBy,
  };
}

// Line breaks stay. The characters that change the direction of text would change that of the page around them.
const removed = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/gu;

/** A message as it is stored: plain text, or null if it is empty. Undefined if it is too long. */
export function readMessage(text: string): string | null | undefined {
  const message = text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(removed, '').trim();
  if (lengthOf(message) > maxJoinRequestMessageLength) return undefined;
  return message === '' ? null : message;
}

export function joinRequestNotFound(): ApiError {
  return new ApiError(
    'join_request_not_found',
    'This site has no request to join with this ID, or it has been purged. Check the ID.',
  );
}
