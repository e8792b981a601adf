import type { OperatorRole, Session } from '@gatehouse/contract';
import type { OperatorToken } from '@gatehouse/contract/dashboard';
import { rolePermissions } from '@gatehouse/contract/permissions';
import { ApiError } from '../../base/api-error.ts';
import { timestampAfter } from '../../base/clock.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import { beginningOfFeed, findEndOfFeed } from '../events/event-feed.ts';
import { generateToken } from '../sessions/token.ts';
import {
  type ActingOperator,
  hashOperatorToken,
  operatorActor,
  operatorTokenMinutes,
  type StoredOperator,
  toOperatorToken,
} from './operator.ts';
import {
  insertOperatorToken,
  markOperatorSeen,
  selectOperatorByToken,
  selectOperatorOfPerson,
} from './operator-store.ts';

export {
  findExpiredOperatorTokens,
  purgeOperatorTokens,
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
  const there = change.on(siteId);
  const operator = await findOperatorWithRole(there, change.siteId, session.memberId);
  const { eventId: lastEventId = beginningOfFeed } = await findEndOfFeed(there);
  const token = toOperatorToken(generateToken());
  const expiresAt = timestampAfter(change.now, operatorTokenMinutes * 60_000);
  await insertOperatorToken(change, {
    hash: hashOperatorToken(token)!,
    operatedSiteId: siteId,
    personId: operator.personId,
    sessionId: session.id,
    expiresAt,
  });
  if (operator.sessionId !== session.id) {
    await markOperatorSeen(there, operator.personId, session.id);
    const own = there.as(operatorActor(operator));
    own.record({ type: 'operator.login', data: { operatorId: operator.id } });
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
  view: SiteData,
  tenantId: string,
  personId: string,
): Promise<OperatorRole> {
  return (await findOperatorWithRole(view, tenantId, personId)).role;
}

/** A person as an operator of a site. @throws {ApiError} `permission_denied` */
export async function findOperatorWithRole(
  view: SiteData,
  tenantId: string,
  personId: string,
): Promise<StoredOperator> {
  const operator = await selectOperatorOfPerson(view, tenantId, personId);
  if (!operator) throw noRole();
  return operator;
}

/** Finds the operator of a token, if it is valid now. @param tenant the view of the operator tenant */
export async function findActingOperator(
  tenant: SiteView,
  token: string,
): Promise<ActingOperator | undefined> {
  const hash = hashOperatorToken(token);
  return hash === undefined ? undefined : selectOperatorByToken(tenant, hash);
}

/** Also used for unknown sites, so that it does not reveal which exist. */
function noRole(): ApiError {
  return new ApiError(
    'permission_denied',
    'You have no role on this site. Ask an owner of the site to invite you.',
  );
}
