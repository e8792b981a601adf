import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { changing } from '../../test/change.ts';
import { hour } from '../../test/movable-time.ts';
import { purgeExpired } from '../../test/purge.ts';
import { forEachStore, stopInTheEnd } from '../../test/stores.ts';
import { testWorkspaces } from '../../test/workspace-settings.ts';
import { systemClock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { createAccessGroup } from '../domain/access-groups/access-groups.ts';
import { queueEmail } from '../domain/emails/emails.ts';
import { requestLoginLink } from '../domain/logins/login-requests.ts';
import { createMembers } from '../domain/members/new-members.ts';
import { addMemberships } from '../domain/memberships/memberships.ts';
import { generateToken } from '../domain/sessions/token.ts';
import { createSite } from '../domain/sites/sites.ts';
import { emailComposer } from '../pages/emails/email-composer.ts';
import type { Database } from '../storage/database.ts';
import { migrate } from '../storage/migrations/migrations.ts';
import { openDatabase } from '../storage/open.ts';
import { BackgroundJobs } from './background-jobs.ts';

const settings = {
  eventRetentionDays: 90,
  purgeIntervalSeconds: 60,
  smtpUrl: undefined,
  mailFrom: undefined,
  emailLimits: { mailbox: 0, sender: 0, signUp: 0, signUpMailbox: 0 },
  workspaces: testWorkspaces,
};
/** Several processes at the same time may take some time, and a sweep runs only every 30 s. */
const slowly = { timeout: 20_000 };
const content = { fromName: 'Club', subject: 'Log in', text: 'A link', html: '<p>A link' };

forEachStore((store) => {
  async function open(url: string): Promise<Database> {
    const database = openDatabase(url, { poolSize: 4 });
    stopInTheEnd(() => database.close());
    await migrate(database);
    return database;
  }

  /** A new database, and a function that opens it again, as another process does. */
  async function aDatabase(): Promise<{ database: Database; another: () => Promise<Database> }> {
    const url = await store.freshUrl();
    return { database: await open(url), another: () => open(url) };
  }

  async function someSites(database: Database, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let site = 0; site < count; site += 1) {
      const input = { slug: `s-${randomUUID()}`, domain: `${randomUUID()}.example.org` };
      ids.push((await changing(database, newId(), (change) => createSite(change, input))).id);
    }
    return ids;
  }

  function start(database: Database): BackgroundJobs {
    const jobs = new BackgroundJobs(settings, {
      database,
      composer: emailComposer,
      clock: systemClock,
      report: () => {},
    });
    jobs.start();
    stopInTheEnd(() => jobs.stop());
    return jobs;
  }

  /** A login request of a member, in a process that ends before it is processed. */
  async function aLoginRequest(database: Database, siteId: string): Promise<string> {
    const email = `${randomUUID()}@example.com`;
    await changing(database, siteId, async (change) => {
      await createMembers(change, [{ email, displayName: null, paid: false }], []);
      const browser = { browserToken: generateToken(), knownBrowserId: null, code: '123456' };
      const request = { email, next: '/', language: 'en', origin: 'https://club.example.org' };
      await requestLoginLink(change, { ...request, ...browser, joining: null });
    });
    return email;
  }

  const emailsTo = (database: Database, recipient: string) =>
    database.all<{ status: string }>(sql`SELECT status FROM emails WHERE recipient = ${recipient}`);

  test.each([1, 60])(
    'with %i idle sites, each job runs the same number of reads and writes nothing',
    async (count) => {
      const { database } = await aDatabase();
      await someSites(database, count);
      const calls = { reads: 0, transactions: 0 };
      const counting = new Proxy(database, {
        get(target, name) {
          if (name === 'all' || name === 'get') calls.reads += 1;
          if (name === 'transaction') calls.transactions += 1;
          return Reflect.get(target, name);
        },
      });
      await start(counting).stop();
      // One read for emails, login requests, sources, webhooks and requests to join each, and one for each kind of purged rows.
      expect(calls).toEqual({ reads: 5 + 33, transactions: 0 });
    },
  );

  describe('work left by a process that is gone', () => {
    test('on any site is done by the next process that starts: a login request and an email', async () => {
      const { database } = await aDatabase();
      const sites = await someSites(database, 3);
      const member = await aLoginRequest(database, sites[2]!);
      const recipient = `${randomUUID()}@example.com`;
      const email = { type: 'invitation', recipient, memberId: null, loginLinkId: null, content } as const;
      await changing(database, sites[1]!, (change) => queueEmail(change, email));
      start(database);
      for (const email of [member, recipient]) {
        await expect.poll(() => emailsTo(database, email), slowly).toEqual([{ status: 'not_sent' }]);
      }
    });

    test('is done once when several processes start at the same time', async () => {
      const { database, another } = await aDatabase();
      const sites = await someSites(database, 10);
      const members: string[] = [];
      for (const siteId of [...sites, ...sites]) members.push(await aLoginRequest(database, siteId));
      const others = [await another(), await another()];
      for (const each of [database, ...others]) start(each);
      for (const email of members) {
        await expect.poll(() => emailsTo(database, email), slowly).toEqual([{ status: 'not_sent' }]);
      }
      expect(await database.all(sql`SELECT id FROM emails`)).toHaveLength(members.length);
    });
  });

  test('an expired membership ends once on every site when several processes purge', async () => {
    const { database, another } = await aDatabase();
    const sites = await someSites(database, 20);
    const end = new Date(Date.now() + hour).toISOString();
    for (const siteId of sites) {
      await changing(database, siteId, async (change) => {
        const { id } = await createAccessGroup(change, { name: 'Everybody' });
        const people = Array.from({ length: 15 }, () => ({
          email: `${randomUUID()}@example.com`,
          displayName: null,
          paid: false,
        }));
        const members = await createMembers(change, people, []);
        const ids = members.map((member) => member!.id);
        await addMemberships(change, [id], ids, end);
      });
    }
    const later = () => new Date(Date.now() + 2 * hour);
    await Promise.all([database, await another()].map((each) => purgeExpired(each, later)));
    expect(await database.all(sql`SELECT site_id FROM memberships`)).toEqual([]);
    for (const siteId of sites) {
      const row = await database.get<{ count: number }>(sql`
        SELECT count(*) AS count FROM events WHERE site_id = ${siteId} AND type = 'access-group.member.expired'`);
      expect(row!.count).toBe(15);
    }
  });
});
