import { millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import type { SiteView } from '../../storage/site-view.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { completeLogin, type Login, type LoginBrowser } from '../logins/login.ts';
import { hasMembers } from '../members/member-lookup.ts';
import { createMembers } from '../members/new-members.ts';
import { generateToken, hashToken, isToken } from '../sessions/token.ts';
import { findOperatorTenant } from '../sites/operator-tenant.ts';
import { operatorPages } from '../sites/page-addresses.ts';
import { listSites, lockSite } from '../sites/sites.ts';
import { operatorActor } from './operator.ts';
import {
  consumeSetupToken,
  deleteSetupTokens,
  hasRoles,
  hasSetupToken,
  insertRole,
  insertSetupToken,
  lockSetupTokens,
  type SetupToken,
} from './operator-store.ts';

const setupTokenDays = 1;
/** More than the processes that start together; so many secrets at most are in logs and on terminals. */
const maxSetupTokens = 20;

/**
 * Creates the secret with which the first operator logs in. It is shown only once. Those of other processes and of
 * earlier starts stay valid, the newest 20 of them. Undefined when an operator already exists.
 */
export async function createSetupToken(tx: Transaction, at: Timestamp): Promise<string | undefined> {
  // A start looks at a table that every node of Citus has, and locks nothing: it must not depend on one node.
  if (await hasRoles(tx)) return undefined;
  const tenant = { db: tx, siteId: (await findOperatorTenant(tx)).id };
  await lockSite(tenant);
  if (await hasMembers(tenant)) return undefined;
  const tokens = (await lockSetupTokens(tenant)).toSorted(byExpiry);
  await deleteSetupTokens(tenant, tokens.slice(0, Math.max(tokens.length - maxSetupTokens + 1, 0)));
  const token = generateToken();
  const expiresAt = timestampAfter(at, setupTokenDays * millisecondsPerDay);
  await insertSetupToken(tenant, { hash: hashToken(token), expiresAt });
  return token;
}

function byExpiry({ expiresAt: one }: SetupToken, { expiresAt: other }: SetupToken): number {
  return one < other ? -1 : 1;
}

/** Whether a setup token is valid. Does not use it. @param tenant the view of the operator tenant */
export async function isSetupToken(tenant: SiteView, token: string): Promise<boolean> {
  return isToken(token) && (await hasSetupToken(tenant, hashToken(token)));
}

/** Whether any setup token is valid, all of which the first invitation of an operator ends. */
export function hasSetupLink(database: Database, now: Timestamp): Promise<boolean> {
  return database.transaction(async (tx) => {
    const tokens = await lockSetupTokens({ db: tx, siteId: (await findOperatorTenant(tx)).id });
    return tokens.some(({ expiresAt }) => expiresAt > now);
  });
}

/** The entered name and email address of the first operator, both normalized. */
export interface FirstOperator {
  readonly email: string;
  readonly displayName: string | null;
}

/**
 * Creates the owner of the first site, logs the owner in, and ends all setup tokens. It works once, and only while there
 * is no operator: another process may have created a token at the same time.
 */
export async function claimFirstOwnership(
  change: Change,
  token: string,
  owner: FirstOperator,
  browser: LoginBrowser,
  composer: EmailComposer,
): Promise<Login> {
  const { db } = change;
  await lockSite(change);
  if (await hasMembers(change)) return { outcome: 'expired' };
  if (!isToken(token) || !(await consumeSetupToken(change, hashToken(token)))) {
    return { outcome: 'expired' };
  }
  const [site] = await listSites(db);
  if (!site) return { outcome: 'expired' };
  const [member] = await createMembers(change, [{ ...owner, paid: false }], []);
  if (!member) return { outcome: 'expired' };
  const { id: personId, email, displayName } = member;
  const id = newId();
  const role = { id, personId, role: 'owner', invitedName: displayName, createdAt: change.now } as const;
  await insertRole(change.on(site.id), role);
  const actor = operatorActor({ id, email, displayName });
  change
    .as(actor)
    .on(site.id)
    .record({ type: 'operator.invited', data: { operator: { id, email, displayName, role: 'owner' } } });
  const proof = { method: 'link', next: operatorPages.front } as const;
  return completeLogin(change, member, proof, browser, composer);
}
