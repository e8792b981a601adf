import { hash } from 'node:crypto';
import { newId } from '../../../server/src/base/ids.ts';
import { insertCodes, insertInvitations } from '../../../server/src/domain/invitations/invitation-store.ts';
import { generateToken, hashToken } from '../../../server/src/domain/sessions/token.ts';
import { updateSite } from '../../../server/src/domain/sites/sites.ts';
import { siteDependents } from '../../../server/src/operations/sites.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { changing } from '../../../server/test/change.ts';
import { type GuardedSite, guard, unlimited } from '../../guarded-site.ts';
import { members, type Row } from '../row.ts';
import { type Comparison, compareAll, type Sent } from './login-timing.ts';

const form = (path: string, email: string, fields: Readonly<Record<string, string>> = {}): Sent => ({
  path,
  form: { email, next: '/course', ...fields },
  cookie: `__Host-gatehouse_form=${hash('sha256', email, 'base64url')}`,
});

/** Whether the response time of the pages on which people join distinguishes a member from an anonymous visitor. */
export const joinTiming: Row = async (bench) => {
  const site = await guard(bench.copyOf(await bench.dataset(members)));
  const code = await makeWaysIn(site);
  const comparisons = [
    {
      work: 'joining with an invitation',
      status: 303,
      timed: (email) => form(`/_gatehouse/join/${code}`, email),
    },
    {
      work: 'asking to join',
      status: 303,
      timed: (email) => form('/_gatehouse/join', email, { displayName: 'Ada', message: 'Hello' }),
    },
  ] satisfies Comparison[];
  return compareAll(site, comparisons, { ...unlimited, GATEHOUSE_EMAIL_LIMIT_SIGN_UP: '0' });
};

/** Lets people ask to join, and makes an invitation. Returns its code. */
async function makeWaysIn({ dataset: { databaseUrl, siteId } }: GuardedSite): Promise<string> {
  const database = openDatabase(databaseUrl, {});
  const [id, code] = [newId(), generateToken()];
  await changing(database, siteId, async (change) => {
    const signUp = { policy: 'approval' as const, domains: [] };
    await updateSite(change, { signUp, allowsAccessRequests: true }, siteDependents(change));
    const { now } = change;
    await insertInvitations(change, [
      {
        id,
        note: '',
        email: null,
        language: null,
        groupIds: [],
        membershipExpiresAt: null,
        membershipDays: null,
        maxUses: null,
        usedCount: 0,
        emailDomains: [],
        needsApproval: false,
        expiresAt: new Date(Date.now() + 7 * 86_400_000).toISOString(),
        revokedAt: null,
        sealedCode: null,
        makerType: 'system',
        makerId: null,
        sentAt: null,
        createdAt: now,
        updatedAt: now,
      },
    ]);
    await insertCodes(change, [{ codeHash: hashToken(code), invitationId: id, createdAt: now }]);
  });
  await database.close();
  return code;
}
