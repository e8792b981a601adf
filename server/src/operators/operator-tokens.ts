import { type OperatorRole, type Permission, rolePermissions, type Session } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import { type Timestamp, timestampBefore } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import { generateToken } from '../credentials/token.ts';
import { recordEvents } from '../events/events.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import {
  type ActingOperator,
  hashOperatorToken,
  operatorActor,
  operatorTokenMinutes,
  toOperatorToken,
} from './operator.ts';
import {
  insertOperatorToken,
  markOperatorSeen,
  selectOperator,
  selectOperatorByToken,
} from './operator-store.ts';

/** What the dashboard is given to speak to the API for one site. */
export interface OperatorToken {
  readonly token: string;
  /** Rather than a time: the clock of the browser may go wrong. */
  readonly expiresInSeconds: number;
  readonly role: OperatorRole;
  readonly permissions: readonly Permission[];
}

/**
 * Gives an operator who is signed in a token for one site. The first of a session is told to the site.
 * @throws Refusal `permission_denied`
 */
export async function createOperatorToken(
  tx: Transaction,
  realmId: string,
  session: Pick<Session, 'id' | 'memberId'>,
  siteId: string,
  cause: Cause,
): Promise<OperatorToken> {
  const { at } = cause;
  const operator = await selectOperator(tx, realmId, siteId, session.memberId);
  if (!operator) throw noRole();
  const token = toOperatorToken(generateToken());
  const expiresAt = timestampBefore(at, -operatorTokenMinutes * 60_000);
  await insertOperatorToken(tx, siteId, {
    hash: hashOperatorToken(token)!,
    operatorId: operator.id,
    sessionId: session.id,
    createdAt: at,
    expiresAt,
  });
  if (operator.session_id !== session.id) {
    await markOperatorSeen(tx, siteId, operator.id, session.id, at);
    const actor = operatorActor({ ...operator, displayName: operator.display_name });
    await recordEvents(tx, siteId, { ...cause, actor }, [
      { type: 'operator.login', data: { operatorId: operator.id } },
    ]);
  }
  return {
    token,
    expiresInSeconds: operatorTokenMinutes * 60,
    role: operator.role,
    permissions: rolePermissions[operator.role],
  };
}

/** Finds the operator whom a token stands for at this moment. */
export async function findActingOperator(
  db: Queries,
  realmId: string,
  token: string,
  now: Timestamp,
): Promise<ActingOperator | undefined> {
  const hash = hashOperatorToken(token);
  const row = hash === undefined ? undefined : await selectOperatorByToken(db, realmId, hash, now);
  return (
    row && {
      siteId: row.site_id,
      id: row.id,
      email: row.email,
      displayName: row.display_name,
      role: row.role,
    }
  );
}

/** In the same words for a site that there is not. */
function noRole(): Refusal {
  return new Refusal(
    'permission_denied',
    'You have no role on this site. Ask an owner of the site to invite you.',
  );
}
