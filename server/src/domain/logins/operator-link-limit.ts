import { ApiError } from '../../base/api-error.ts';
import type { ChangeContext } from '../../base/change-context.ts';
import { timestampBefore } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { countDoneByOperators } from '../events/events.ts';

const maxLinks = 5;
const windowMilliseconds = 15 * 60_000;

/**
 * The errors, by member, for members for whom operators may not create more login links. Each link is an email, and
 * the fourth one closes a link that the member may be about to use. Programs have the rate limit of their key instead.
 */
export async function findTooManyLinks(
  view: SiteData<Transaction>,
  memberIds: readonly string[],
  { actor, at }: ChangeContext,
): Promise<Map<string, ApiError>> {
  if (actor.type !== 'operator' || memberIds.length === 0) return new Map();
  const since = timestampBefore(at, windowMilliseconds);
  const made = await countDoneByOperators(view, 'login-link.created', memberIds, since);
  return new Map(
    made
      .filter(({ count }) => count >= maxLinks)
      .map(({ member_id, first }) => {
        const seconds = Math.ceil((Date.parse(first) + windowMilliseconds - Date.parse(at)) / 1_000);
        return [member_id, tooManyLinks(Math.max(seconds, 1))];
      }),
  );
}

function tooManyLinks(seconds: number): ApiError {
  const message = `Operators have just created ${maxLinks} login links for this member. Wait ${Math.ceil(seconds / 60)} min.`;
  return new ApiError('rate_limited', message, undefined, seconds);
}
