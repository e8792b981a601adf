import type { Cause } from '../base/cause.ts';
import { timestampBefore } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import { countDoneByOperators } from '../events/event-store.ts';
import type { Queries } from '../storage/database.ts';

const mostLinks = 5;
const windowMilliseconds = 15 * 60_000;

/**
 * Why operators make no more login links for members, by those whom it holds for: each is an email, and
 * the fourth ends one that the member may be about to use. Programs have the limit of their key.
 */
export async function findTooManyLinks(
  db: Queries,
  siteId: string,
  memberIds: readonly string[],
  { actor, at }: Cause,
): Promise<Map<string, Refusal>> {
  if (actor.type !== 'operator' || memberIds.length === 0) return new Map();
  const since = timestampBefore(at, windowMilliseconds);
  const made = await countDoneByOperators(db, siteId, 'login-link.created', memberIds, since);
  return new Map(
    made
      .filter(({ count }) => count >= mostLinks)
      .map(({ member_id, first }) => {
        const seconds = Math.ceil((Date.parse(first) + windowMilliseconds - Date.parse(at)) / 1_000);
        return [member_id, tooManyLinks(Math.max(seconds, 1))];
      }),
  );
}

function tooManyLinks(seconds: number): Refusal {
  const message = `Operators have made ${mostLinks} login links for this member just now. Wait ${Math.ceil(seconds / 60)} min.`;
  return new Refusal('rate_limited', message, undefined, seconds);
}
