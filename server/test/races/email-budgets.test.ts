import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { aDomain, aMember } from '../contract/given.ts';
import { timeWithinTheHour } from '../movable-time.ts';
import { forEachStoreVersion } from '../stores.ts';
import {
  send,
  startTestServer,
  type TestResponse,
  type TestServer,
  type TestSite,
  visit,
} from '../test-server.ts';
import { atOnce, deadlocksOf, rounds, serverCounts } from './contenders.ts';

const contenders = 16;

forEachStoreVersion((store) => {
  describe.each(serverCounts(store))('16 concurrent emails, %i server(s)', (count) => {
    const servers: TestServer[] = [];
    let site: TestSite;
    let host: string;
    beforeAll(async () => {
      const options = {
        clock: timeWithinTheHour().clock,
        settings: {
          loginLimit: 0,
          loginLimitClient: 0,
          emailLimits: { mailbox: 6, sender: 5, signUp: 1_000, signUpMailbox: 4 },
        },
      };
      servers.push(await startTestServer(store, options));
      const { databaseUrl } = servers[0]!;
      while (servers.length < count) servers.push(await startTestServer(store, { ...options, databaseUrl }));
      site = await servers[0]!.createSite();
      host = await aDomain(site);
      await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
    });

    const emailsTo = async (pattern: string) =>
      (
        await servers[0]!.database.all(
          sql`SELECT id FROM emails WHERE site_id = ${site.siteId} AND recipient LIKE ${pattern}`,
        )
      ).length;
    const everyRequestAnswered = () =>
      expect
        .poll(
          () =>
            servers[0]!.database.all(
              sql`SELECT id FROM login_links WHERE site_id = ${site.siteId} AND status = 'requested'`,
            ),
          { timeout: 40_000 },
        )
        .toEqual([]);
    /** A request that a busy machine could not answer is sent again. */
    const post = async (
      index: number,
      path: string,
      body: unknown,
      key = site.key,
    ): Promise<TestResponse> => {
      const { apiUrl } = servers[index % servers.length]!;
      const answer = await send(apiUrl + path, 'POST', { body, headers: { authorization: `Bearer ${key}` } });
      return answer.status === 503 ? post(index, path, body, key) : answer;
    };

    test('one mailbox gets at most the sign-up limit of emails', { timeout: 120_000 }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const name = randomUUID();
        await atOnce(contenders, async (index) => {
          const form = { email: `${name}+${index}@example.org` };
          const { address } = servers[index % servers.length]!;
          let status: number;
          do ({ status } = await visit(address, 'POST', '/_gatehouse/login', { form, headers: { host } }));
          while (status === 503);
          expect(status).toBe(303);
        });
        await everyRequestAnswered();
        expect(await emailsTo(`${name}+%`)).toBe(4);
      }
    });

    test('one person gets at most the limit of one sender, and of all senders together', {
      timeout: 120_000,
    }, async () => {
      const { secret } = await site.createKey({ permissions: ['members:read', 'login-links:send'] });
      for (let round = 0; round < rounds; round += 1) {
        const name = randomUUID();
        const ids: string[] = [];
        for (const tag of ['a', 'b', 'c'])
          ids.push((await aMember(site, { email: `${name}+${tag}@example.org` })).id);
        const action = { type: 'send_login_link' };
        const answers = await atOnce(contenders, (index) => {
          const key = index % 3 === 0 ? secret : site.key;
          const turned = [...ids.slice(index % 3), ...ids.slice(0, index % 3)];
          return index % 2 === 0
            ? post(index, `/members/${ids[index % 3]}/login-links`, {}, key)
            : post(index, '/members/bulk-actions', { memberIds: turned, action }, key);
        });
        for (const { status } of answers) expect([201, 207, 429]).toContain(status);
        const single = answers.filter(({ status }) => status === 201).length;
        const bulk = answers
          .filter(({ status }) => status === 207)
          .reduce((sum, { body }) => sum + body.summary.done, 0);
        expect(single + bulk).toBe(6);
        const row = await servers[0]!.database.get<{ sent: number }>(sql`
          SELECT max(sent) AS sent FROM email_budgets WHERE site_id = ${site.siteId} AND budget = 'sender'`);
        expect(row!.sent).toBeLessThanOrEqual(5);
      }
    });

    test('no transaction was aborted by a deadlock', async () => {
      expect(await deadlocksOf(servers[0]!.database)).toBe(0);
    });
  });
});
