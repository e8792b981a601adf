import type { AccessRule } from '@gatehouse/contract';
import { replaceAccessRules } from '../server/src/domain/access-rules/access-rules.ts';
import { selectMember } from '../server/src/domain/members/member-store.ts';
import { openSession } from '../server/src/domain/sessions/sessions.ts';
import { updateSite } from '../server/src/domain/sites/sites.ts';
import { siteDependents } from '../server/src/operations/sites.ts';
import { openDatabase } from '../server/src/storage/open.ts';
import { changing } from '../server/test/change.ts';
import type { Dataset } from './data.ts';
import type { LoadRequest } from './load/load.ts';

export const domain = 'club.example.com';
export const trusting = { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' };
export const unlimited = {
  GATEHOUSE_LOGIN_LIMIT: '0',
  GATEHOUSE_LOGIN_LIMIT_CLIENT: '0',
  GATEHOUSE_EMAIL_LIMIT_MAILBOX: '0',
};

/** A site with access rules and logged-in members. */
export interface GuardedSite {
  readonly dataset: Dataset;
  /** Session tokens, one for each member of the sample. */
  readonly tokens: readonly string[];
  readonly sessionIds: readonly string[];
  readonly emails: readonly string[];
}

/** Gives a site a domain, rules, and a session for each member of the sample. */
export async function guard(
  dataset: Dataset,
  rulesFor = someRules,
  further: readonly string[] = [],
): Promise<GuardedSite> {
  const { databaseUrl, siteId, sample, groupId } = dataset;
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  try {
    const hosts = [domain, ...further].map((each) => ({ domain: each }));
    // Rules of an earlier row may name hosts that the site then no longer has.
    await changing(database, siteId, (change) => replaceAccessRules(change, [], () => {}));
    await changing(database, siteId, (change) => updateSite(change, { hosts }, siteDependents(change)));
    await changing(database, siteId, (change) => replaceAccessRules(change, rulesFor(groupId), () => {}));
    const tokens: string[] = [];
    const sessionIds: string[] = [];
    const emails: string[] = [];
    await changing(database, siteId, async (change) => {
      for (const memberId of sample) {
        const browser = { userAgent: 'Mozilla/5.0', ipAddress: '203.0.113.7' };
        const { token, session } = await openSession(change, memberId, browser, 'link');
        tokens.push(token);
        sessionIds.push(session.id);
        emails.push((await selectMember({ db: change.db, siteId }, memberId))!.email);
      }
    });
    return { dataset, tokens, sessionIds, emails };
  } finally {
    await database.close();
  }
}

export function someRules(groupId: string): AccessRule[] {
  const sections = Array.from({ length: 98 }, (_, index) => ({
    path: `/section-${index}`,
    access: 'members' as const,
  }));
  return [
    { path: '/', access: 'members' as const },
    { path: '/course', access: 'groups' as const, groupIds: [groupId] },
    ...sections,
  ];
}

export function checks({ tokens }: GuardedSite): LoadRequest[] {
  return tokens.map((token, index) => ({
    method: 'GET',
    path: '/_gatehouse/forward-auth',
    headers: {
      'X-Forwarded-Host': domain,
      'X-Forwarded-Uri': `/section-${index % 98}/lesson-${index}/notes?page=${index}`,
      'X-Forwarded-Method': 'GET',
      'X-Forwarded-For': '203.0.113.7',
      Cookie: `theme=dark; __Host-gatehouse_session=${token}`,
    },
  }));
}
