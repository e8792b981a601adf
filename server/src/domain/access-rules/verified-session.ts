import type { VerifiedSession, VerifySession } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries } from '../../storage/database.ts';
import { findMember } from '../members/members.ts';
import { findSession } from '../sessions/sessions.ts';
import { loginUrl } from '../sites/site-addresses.ts';
import { findSite } from '../sites/sites.ts';
import { atNamedHost, furtherHostOf, hostOf } from '../sites/visited-site.ts';
import { findAccessTrees } from './access-rules.ts';
import { decide } from './decision/access-decision.ts';
import { treeAt } from './decision/access-trees.ts';
import { toPageRequest } from './page-request.ts';

/** Identifies a visitor, for programs that serve the pages of a site themselves. */
export async function verifySession(
  db: Queries,
  siteId: string,
  { token, path, host, ...about }: VerifySession,
  now: Timestamp,
): Promise<VerifiedSession> {
  const site = atNamedHost(await findSite(db, siteId), host, '/host');
  const session = await findSession(db, siteId, token, now, furtherHostOf(site));
  const member = session && (await findMember(db, siteId, session.memberId, now).catch(unlessDeleted));
  const isIn = member?.status === 'active';
  return {
    session: isIn ? session! : null,
    member: isIn ? member : null,
    access:
      path === undefined
        ? null
        : decide(
            treeAt(await findAccessTrees(db, siteId), hostOf(site)),
            toPageRequest(about, path, now, ''),
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

/** If the member was deleted after the session was found, the visitor is anonymous. */
function unlessDeleted(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 'member_not_found')) throw error;
}
