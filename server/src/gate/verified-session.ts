import type { Site, VerifiedSession, VerifySession } from '@gatehouse/contract';
import type { Timestamp } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import { findSession } from '../credentials/sessions.ts';
import { checkNext } from '../login/next-path.ts';
import { findMember } from '../members/members.ts';
import { realmOf } from '../sites/realm.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import type { Queries } from '../storage/database.ts';
import { decide } from './access-decision.ts';
import { findAccessTree } from './access-rules.ts';

/** Who a visitor is, for programs that serve the pages of a site themselves. */
export async function verifySession(
  db: Queries,
  siteId: string,
  { token, path }: VerifySession,
  now: Timestamp,
): Promise<VerifiedSession> {
  const site = await findSite(db, siteId);
  const session = await findSession(db, siteId, token, now);
  const member = session && (await findMember(db, siteId, session.memberId, now).catch(unlessDeleted));
  const isIn = member?.status === 'active';
  return {
    session: isIn ? session! : null,
    member: isIn ? member : null,
    access:
      path === undefined
        ? null
        : decide(
            await findAccessTree(db, siteId),
            path,
            member
              ? {
                  status: member.status,
                  paid: member.paid === true,
                  groupIds: member.accessGroups.map(({ id }) => id),
                }
              : null,
            site.status,
          ),
    loginUrl: site.domain === null ? null : loginUrl(site, path),
  };
}

/** A member who was deleted since the session was found is a stranger like any other. */
function unlessDeleted(error: unknown): undefined {
  if (!(error instanceof Refusal && error.code === 'member_not_found')) throw error;
}

/** The login page, which leads back to where the visitor was going. */
export function loginUrl(site: Site, path: string | undefined): string {
  const origin = originOf(site)!;
  const realm = realmOf(site);
  const next = checkNext(path, origin, realm);
  return `${origin}${realm.prefix}/login${next === realm.front ? '' : `?next=${encodeURIComponent(next)}`}`;
}
