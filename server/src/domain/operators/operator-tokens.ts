import type { OperatorRole, Session } from '@gatehouse/contract';
import type { OperatorToken } from '@gatehouse/contract/dashboard';
import { rolePermissions } from '@gatehouse/contract/permissions';
import { ApiError } from '../../base/api-error.ts';
import { type Timestamp, timestampAfter } from '../../base/clock.ts';
import { type Queries, toBoolean } from '../../storage/database.ts';
import type { Change } from '../events/change.ts';
import { beginningOfFeed, findEndOfFeed } from '../events/event-feed.ts';
import { generateToken } from '../sessions/token.ts';
import {
  type ActingOperator,
  hashOperatorToken,
  operatorActor,
  operatorTokenMinutes,
  toOperatorToken,
} from './operator.ts';
import {
  deleteExpiredOperatorTokens,
  insertOperatorToken,
  markOperatorSeen,
  selectOperatorByToken,
  selectOperatorOfPerson,
} from './operator-store.ts';

export {
  selectExpiredOperatorTokens as findExpiredOperatorTokens,
  selectHashesOfTokens as findValidOperatorTokens,
} from './operator-store.ts';

/**
 * Creates a token for one site for a logged-in operator. The first token of a session is recorded as an event of the
 * site.
 * @throws {ApiError} `permission_denied`
 */
export async function createOperatorToken(
  change: Change,
  session: Pick<Session, 'id' | 'memberId'>,
  siteId: string,
): Promise<OperatorToken> {
  const { db, siteId: tenantId, now } = change;
  const operator = await selectOperatorOfPerson(db, tenantId, siteId, session.memberId);
  if (!operator) throw noRole();
  const { eventId: lastEventId = beginningOfFeed } = await findEndOfFeed({ db, siteId });
  const token = toOperatorToken(generateToken());
  const expiresAt = timestampAfter(now, operatorTokenMinutes * 60_000);
  await insertOperatorToken(db, tenantId, {
    hash: hashOperatorToken(token)!,
    operatedSiteId: siteId,
    personId: operator.person_id,
    sessionId: session.id,
    createdAt: now,
    expiresAt,
  });
  if (operator.session_id !== session.id) {
    await markOperatorSeen({ db, siteId }, operator.person_id, session.id, now);
    const actor = operatorActor({ ...operator, displayName: operator.display_name });
    change
      .as(actor)
      .on(siteId)
      .record({ type: 'operator.login', data: { operatorId: operator.id } });
  }
  return {
    token,
    expiresInSeconds: operatorTokenMinutes * 60,
    role: operator.role,
    permissions: [...rolePermissions[operator.role]],
    lastEventId,
  };
}

/** The role of an operator on a site. @throws {ApiError} `permission_denied` */
export async function findOperatorRole(
  db: Queries,
  tenantId: string,
  siteId: string,
  personId: string,
): Promise<OperatorRole> {
  const operator = await selectOperatorOfPerson(db, tenantId, siteId, personId);
  if (!operator) throw noRole();
  return operator.role;
}

/** Finds the operator of a token, if it is valid now. */
export async function findActingOperator(
  db: Queries,
  tenantId: string,
  token: string,
  now: Timestamp,
): Promise<ActingOperator | undefined> {
  const hash = hashOperatorToken(token);
  const row = hash === undefined ? undefined : await selectOperatorByToken(db, tenantId, hash, now);
  return (
    row && {
      siteId: row.site_id,
      id: row.id,
      personId: row.person_id,
      email: row.email,
      displayName: row.display_name,
      role: row.role,
      loggedInAt: row.logged_in_at,
      byPasskey: toBoolean(row.by_passkey),
    }
  );
}

/** Also used for unknown sites, so that it does not reveal which exist. */
function noRole(): ApiError {
  return new ApiError(
    'permission_denied',
    'You have no role on this site. Ask an owner of the site to invite you.',
  );
}

/** Deletes expired tokens. */
export function purgeOperatorTokens(
  change: Change,
  rows: readonly { readonly hash: string }[],
): Promise<void> {
  const hashes = rows.map(({ hash }) => hash);
  return deleteExpiredOperatorTokens(change, hashes);
}
