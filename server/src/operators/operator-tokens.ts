import { type OperatorRole, type Permission, rolePermissions, type Session } from '@gatehouse/contract';
import { type Timestamp, timestampBefore } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import { generateToken } from '../credentials/token.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { type ActingOperator, hashOperatorToken, operatorTokenMinutes, toOperatorToken } from './operator.ts';
import { insertOperatorToken, selectOperator, selectOperatorByToken } from './operator-store.ts';

/** What the dashboard is given to speak to the API for one site. */
export interface OperatorToken {
  readonly token: string;
  readonly expiresAt: Timestamp;
  readonly role: OperatorRole;
  readonly permissions: readonly Permission[];
}

/** Gives an operator who is signed in a token for one site. @throws Refusal `permission_denied` */
export async function createOperatorToken(
  tx: Transaction,
  realmId: string,
  session: Pick<Session, 'id' | 'memberId'>,
  siteId: string,
  at: Timestamp,
): Promise<OperatorToken> {
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
  return { token, expiresAt, role: operator.role, permissions: rolePermissions[operator.role] };
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
  return new Refusal('permission_denied', 'Ask an owner of the site to invite you: you have no role there.');
}
