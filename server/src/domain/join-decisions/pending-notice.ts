import { timestampBefore } from '../../base/clock.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { lockJoinRequests, markAnnounced, wereNotifiedSince } from '../join-requests/join-requests.ts';
import { notifyOperators } from '../operators/operator-notices.ts';

const millisecondsBetweenNotices = 60 * 60_000;

/**
 * Tells the operators who can decide how many people have asked since the last time, unless that was less than an hour ago.
 */
export async function announceJoinRequests(change: Change, composer: EmailComposer): Promise<void> {
  await lockJoinRequests(change);
  if (await wereNotifiedSince(change, timestampBefore(change.now, millisecondsBetweenNotices))) return;
  const count = await markAnnounced(change);
  if (count === 0) return;
  await notifyOperators(
    change,
    { permission: 'join-requests:write', type: 'join_requests', page: 'join-requests' },
    (frame, notice) => composer.joinRequestsEmail(frame, { ...notice, count }),
  );
}
