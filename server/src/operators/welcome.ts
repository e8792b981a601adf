import type { Cause } from '../base/cause.ts';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../base/clock.ts';
import { generateToken, hashToken, isToken } from '../credentials/token.ts';
import { recordEvents } from '../events/events.ts';
import { type Login, type LoginBrowser, letMemberIn } from '../login/login.ts';
import { hasMembers } from '../members/member-store.ts';
import { addPeople } from '../members/new-members.ts';
import { realmOf } from '../sites/realm.ts';
import { lockSite } from '../sites/site-store.ts';
import { listSites } from '../sites/sites.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { operatorActor } from './operator.ts';
import { hasWelcome, insertRole, saveWelcome, takeWelcome } from './operator-store.ts';
import { findOperatorsRealm } from './operators-realm.ts';

const welcomeDays = 1;

/**
 * Makes the secret with which the first operator comes in, and which is shown this once; the one before is dead.
 * Undefined where there is an operator.
 */
export async function renewWelcome(tx: Transaction, at: Timestamp): Promise<string | undefined> {
  const realm = await findOperatorsRealm(tx);
  await lockSite(tx, realm.id);
  if (await hasMembers(tx, realm.id)) return undefined;
  const token = generateToken();
  await saveWelcome(tx, realm.id, hashToken(token), timestampBefore(at, -welcomeDays * millisecondsPerDay));
  return token;
}

/** Whether a welcome token works. Nothing is used up by asking. */
export async function isWelcome(
  db: Queries,
  realmId: string,
  token: string,
  now: Timestamp,
): Promise<boolean> {
  return isToken(token) && (await hasWelcome(db, realmId, hashToken(token), now));
}

/** A person who has said who he or she is; both values are in their one form. */
export interface FirstOperator {
  readonly email: string;
  readonly displayName: string | null;
}

/**
 * Makes the owner of the first site, and lets him or her in. It works once, and not where there is an operator: another
 * process may have made a token just then.
 */
export async function acceptWelcome(
  tx: Transaction,
  realmId: string,
  token: string,
  person: FirstOperator,
  browser: LoginBrowser,
  cause: Cause,
): Promise<Login> {
  await lockSite(tx, realmId);
  if (await hasMembers(tx, realmId)) return { outcome: 'dead' };
  if (!isToken(token) || !(await takeWelcome(tx, realmId, hashToken(token), cause.at))) {
    return { outcome: 'dead' };
  }
  const [site] = await listSites(tx);
  if (!site) return { outcome: 'dead' };
  const [member] = await addPeople(tx, realmId, [{ ...person, paid: false }], [], cause);
  if (!member) return { outcome: 'dead' };
  await insertRole(tx, site.id, member.id, 'owner', member.displayName, cause.at);
  const { id, email, displayName } = member;
  const actor = operatorActor({ id, email, displayName });
  await recordEvents(tx, site.id, { ...cause, actor }, [
    { type: 'operator.invited', data: { operator: { id, email, displayName, role: 'owner' } } },
  ]);
  const operator = { id: member.id, display_name: member.displayName };
  const cookies = await letMemberIn(tx, realmId, operator, 'link', browser, cause);
  return { outcome: 'in', cookies, next: realmOf(await findOperatorsRealm(tx)).front };
}
