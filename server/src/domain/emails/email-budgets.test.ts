import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aDomain, aMember, anInvitedOperator, someMembers } from '../../../test/contract/given.ts';
import { effort } from '../../../test/effort.ts';
import { hour, timeWithinTheHour } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore, isFirstStore } from '../../../test/stores.ts';
import type { TestResponse, TestServer, TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailsTo, emailTo, Visitor } from '../../../test/visitor.ts';

const openSignUp = { signUp: { policy: 'open', domains: [] } };

forEachStore((store) => {
  const { clock, advance } = timeWithinTheHour();
  const strictTime = timeWithinTheHour();
  const server = useTestServer(store, {
    clock,
    settings: { loginLimit: 0, loginLimitClient: 300, trustedProxies: ['127.0.0.1'] },
  });
  const strict = useTestServer(store, {
    clock: strictTime.clock,
    settings: {
      loginLimit: 0,
      loginLimitClient: 0,
      emailLimits: { mailbox: 2, sender: 2, signUp: 10, signUpMailbox: 3 },
    },
  });

  test('many addresses of one mailbox get five emails per hour when anyone may sign up', async () => {
    const site = await aSite(server, openSignUp);
    const { addressesOfMailbox } = effort;
    await requestLinks(site, addressesOfMailbox, (index) => `target+${index}@example.org`);
    await everyRequestAnswered(server, site);
    expect(await countEmailsTo(server, site, 'target%')).toBe(5);
    expect((await overviewOf(site)).emailsWithheld).toMatchObject([
      { budget: 'mailbox', count: addressesOfMailbox - 5 },
    ]);

    const [event, ...others] = await exhaustedOf(site);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      actor: { type: 'system' },
      data: { budget: 'mailbox', limit: 5, memberId: null },
    });
    expect(JSON.stringify(event)).not.toContain('target');

    advance(hour);
    await requestLinks(site, 2, (index) => `target+later-${index}@example.org`);
    await everyRequestAnswered(server, site);
    expect(await countEmailsTo(server, site, 'target%')).toBe(7);
  });

  test('a mailbox counts as one, however its address is spelled', async () => {
    const site = await aSite(server, openSignUp);
    const name = `t${randomUUID().replaceAll('-', '')}`;
    const written = [
      (address: string) => address,
      (address: string) => `  ${address.toUpperCase()} `,
      (address: string) => address.replace('@gmail', '+club@gmail'),
      (address: string) => address.replace('@gmail', '@googlemail'),
    ];
    await requestLinks(site, 20, (index) => {
      const dotted = `${name.slice(0, index + 1)}.${name.slice(index + 1)}@gmail.com`;
      return written[index % written.length]!(dotted);
    });
    await everyRequestAnswered(server, site);
    expect(await budgetsOf(server, site, 'mailbox')).toEqual([{ sent: 5, withheld: 15 }]);
    expect(await countEmailsTo(server, site, '%')).toBe(5);
  });

  test('sign-up emails share an hourly limit of the site, which does not affect members', async () => {
    const site = await aSite(strict, openSignUp);
    const members = await someMembers(site, 15);
    const visitors = Array.from({ length: 15 }, () => `${randomUUID()}@example.org`);
    await requestLinks(site, 15, (index) => visitors[index]!);
    await requestLinks(site, 15, (index) => members[index]!.email);
    await everyRequestAnswered(strict, site);
    expect(await countEmailsTo(strict, site, '%@example.org')).toBe(10);
    expect(await countEmailsTo(strict, site, '%@example.com')).toBe(15);
    expect((await overviewOf(site)).emailsWithheld).toMatchObject([{ budget: 'sign_up', count: 5 }]);
    expect(await exhaustedOf(site)).toMatchObject([
      { data: { budget: 'sign_up', limit: 10, memberId: null } },
    ]);

    const another = await aSite(strict, openSignUp);
    await requestLinks(another, 1, () => visitors[0]!);
    await everyRequestAnswered(strict, another);
    expect(await countEmailsTo(strict, another, visitors[0]!)).toBe(1);
    expect((await overviewOf(another)).emailsWithheld).toEqual([]);
  });

  test('sign-up emails do not use up the budget of members with the same mailbox', async () => {
    const site = await aSite(strict, openSignUp);
    const { email } = await aMember(site, { email: 'target@example.org' });
    await requestLinks(site, 8, (index) => `target+${index}@example.org`);
    await requestLinks(site, 1, () => email);
    await everyRequestAnswered(strict, site);
    expect(await countEmailsTo(strict, site, 'target+%')).toBe(3);
    expect(await countEmailsTo(strict, site, email)).toBe(1);
  });

  test('a known browser is not affected by budgets that others have used up', async () => {
    const site = await aSite(strict);
    const { id, email } = await aMember(site);
    const known = new Visitor(site);
    await known.requestLink(email);
    await known.post((await emailTo(strict, email)).path);
    expect(known.session).toBeDefined();
    for (let index = 0; index < 4; index += 1) {
      await requestLinks(site, 1, () => email);
      await everyRequestAnswered(strict, site);
    }
    expect(await countEmailsTo(strict, site, email)).toBe(2);

    for (let index = 0; index < 4; index += 1) {
      expect((await known.requestLink(email)).status).toBe(303);
      await everyRequestAnswered(strict, site);
    }
    expect(await countEmailsTo(strict, site, email)).toBe(4);
    expect((await overviewOf(site)).emailsWithheld).toMatchObject([
      { budget: 'known_browser', count: 2 },
      { budget: 'mailbox', count: 3 },
    ]);
    expect(await exhaustedOf(site)).toMatchObject([
      { data: { budget: 'mailbox', memberId: id } },
      { data: { budget: 'known_browser', limit: 2, memberId: id } },
    ]);
    // For another address the browser is not a known one.
    const other = await aMember(site);
    for (let index = 0; index < 3; index += 1) {
      await known.requestLink(other.email);
      await everyRequestAnswered(strict, site);
    }
    expect(await countEmailsTo(strict, site, other.email)).toBe(2);
  });

  test('a withheld email does not change earlier links', async () => {
    const site = await aSite(strict);
    const { email } = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(email);
    const { path } = await emailTo(strict, email);
    for (let index = 0; index < 6; index += 1) {
      await requestLinks(site, 1, () => email);
      await everyRequestAnswered(strict, site);
    }
    expect((await visitor.post(path)).status).toBe(303);
  });

  test('one key sends a person at most ten login links per hour, and all keys together twenty', async () => {
    const site = await aSite(server);
    const { id, email } = await aMember(site);
    const other = await aMember(site);
    const sent = await fewAtOnce(40, () => sendLink(site, id));
    const bulks = await fewAtOnce(40, () => sendLinks(site, [id, other.id]));
    const refused = sent.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(30);
    expect(await chargedTo(server, site, 'sender')).toEqual([10, 10]);
    for (const answer of refused) {
      expectResponse('createMemberLoginLink', answer, 429, 'email_budget_exhausted');
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
    }
    const results = bulks.flatMap(({ body }) => body.data).filter(({ memberId }) => memberId === id);
    expect(results).toHaveLength(40);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'error', error: { code: 'email_budget_exhausted' } });
    }
    expect(await countEmailsTo(server, site, email)).toBeLessThanOrEqual(10);
    expect((await overviewOf(site)).emailsWithheld).toMatchObject([
      { budget: 'sender', count: 30 + 40 + 30 },
    ]);
    expect(await exhaustedOf(site)).toMatchObject([
      { actor: { type: 'key', id: site.keyId }, data: { budget: 'sender', limit: 10, memberId: id } },
      { actor: { type: 'key', id: site.keyId }, data: { budget: 'sender', limit: 10, memberId: other.id } },
    ]);

    const byKeys = [];
    for (let count = 0; count < 3; count += 1) {
      const { secret } = await site.createKey({ permissions: ['login-links:send'] });
      const headers = { authorization: `Bearer ${secret}` };
      for (let index = 0; index < 10; index += 1) byKeys.push(await sendLink(site, id, headers));
    }
    expect(byKeys.map(({ status }) => status)).toEqual([...Array(10).fill(201), ...Array(20).fill(429)]);
    const [, , total] = await exhaustedOf(site);
    expect(total).toMatchObject({ data: { budget: 'mailbox', limit: 20, memberId: id } });

    // A link that is not emailed does not count.
    const given = await site.post(`/members/${id}/login-links`, { send: false });
    expectResponse('createMemberLoginLink', given, 201);
  });

  test('a withheld email can be sent after the hour, even with the same idempotency key', async () => {
    const site = await aSite(server);
    const { id } = await aMember(site);
    for (let index = 0; index < 10; index += 1) expect((await sendLink(site, id)).status).toBe(201);
    const headers = { 'idempotency-key': randomUUID() };
    expect((await sendLink(site, id, headers)).status).toBe(429);
    expect((await sendLinks(site, [id])).body.data[0].status).toBe('error');
    advance(hour);
    const late = await sendLink(site, id, headers);
    expectResponse('createMemberLoginLink', late, 201);
    expect((await sendLink(site, id, headers)).headers.get('idempotency-replayed')).toBe('true');
    expect((await sendLinks(site, [id])).body.data[0].status).toBe('done');
    expect(await chargedTo(server, site, 'sender')).toEqual([10, 2]);
    expect((await overviewOf(site)).emailsWithheld).toMatchObject([{ budget: 'sender', count: 2 }]);
    advance(24 * hour);
    expect((await overviewOf(site)).emailsWithheld).toEqual([]);
  });

  test('members with one mailbox share the limit of a key', async () => {
    const site = await aSite(server);
    const ids = [];
    for (let index = 0; index < 30; index += 1) {
      ids.push((await aMember(site, { email: `shared+${index}@example.org` })).id);
    }
    const { data, summary } = (await sendLinks(site, ids)).body;
    expect(summary).toEqual({ total: 30, done: 10, unchanged: 0, failed: 20 });
    expect(data.slice(0, 10).every(({ status }: { status: string }) => status === 'done')).toBe(true);
    expect(await countEmailsTo(server, site, 'shared%')).toBe(10);
    expect(await exhaustedOf(site)).toHaveLength(1);
  });

  test('inviting and removing a person repeatedly sends at most ten emails per hour', async () => {
    const site = await aSite(server);
    const email = `${randomUUID()}@example.com`;
    const answers = [];
    for (let index = 0; index < 20; index += 1) {
      const answer = await site.post('/operators', { email, role: 'viewer' });
      answers.push(answer.status);
      if (answer.status === 201) await site.delete(`/operators/${answer.body.data.id}`);
      else expectResponse('inviteOperator', answer, 429, 'email_budget_exhausted');
    }
    expect(answers).toEqual([...Array(10).fill(201), ...Array(10).fill(429)]);
    expect((await site.get('/operators')).body.data).toEqual([]);
    const [event, ...others] = await exhaustedOf(site);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ data: { budget: 'sender', limit: 10, memberId: null } });
    expect(JSON.stringify(event)).not.toContain(email);
    await anInvitedOperator(site);
    advance(hour);
    await anInvitedOperator(site, { email });
  });

  test('all members of a site can request and receive a link in the same minute', async () => {
    const site = await aSite(server);
    const emails = await manyMembers(site, effort.membersAtOnce);
    await requestLinks(site, emails.length, (index) => emails[index]!);
    await everyRequestAnswered(server, site);
    expect(await countEmailsTo(server, site, '%')).toBe(emails.length);
    const ids = (await site.get('/members?limit=100')).body.data.map(({ id }: { id: string }) => id);
    expect((await sendLinks(site, ids)).body.summary).toMatchObject({ done: 100, failed: 0 });
    expect((await overviewOf(site)).emailsWithheld).toEqual([]);
  });

  test('old budgets are purged, those with withheld emails after a day', async () => {
    const site = await aSite(strict);
    const [one, other] = await someMembers(site, 2);
    for (let index = 0; index < 3; index += 1) await sendLink(site, one!.id);
    await sendLink(site, other!.id);
    const rows = async () => (await budgetsOf(strict, site)).length;
    const purgeNow = async (hours: number) => {
      const later = () => new Date(strictTime.clock().getTime() + hours * hour);
      await purgeExpired(strict.database, later);
    };
    expect(await rows()).toBe(4);
    await purgeNow(0);
    expect(await rows()).toBe(4);
    await purgeNow(4);
    expect(await rows()).toBe(1);
    await purgeNow(26);
    expect(await rows()).toBe(0);
  });

  // Each store withholds emails above; this is about what pages show.
  if (isFirstStore(store)) {
    test('the pages do not reveal that an email was withheld, or to whom', async () => {
      const site = await aSite(strict, openSignUp);
      const members = [
        await aMember(site, { email: 'm+1@m.example' }),
        await aMember(site, { email: 'm+2@m.example' }),
      ];
      const blocked = await aMember(site);
      await site.patch(`/members/${blocked.id}`, { status: 'blocked' });
      // Use up the budgets of both mailboxes with other addresses.
      for (const email of [
        members[0]!.email,
        members[0]!.email,
        's+1@s.example',
        's+2@s.example',
        's+3@s.example',
      ]) {
        await requestLinks(site, 1, () => email);
        await everyRequestAnswered(strict, site);
      }
      const pages = [];
      for (const email of [members[1]!.email, 's+4@s.example', 'fresh@t.example', blocked.email]) {
        pages.push(await pagesOf(strict, site, email));
      }
      expect(new Set(pages).size).toBe(1);
      expect(await countEmailsTo(strict, site, members[1]!.email)).toBe(0);
      expect(await countEmailsTo(strict, site, 's+4%')).toBe(0);
      expect(await countEmailsTo(strict, site, 'fresh@t.example')).toBe(1);
      expect(await exhaustedOf(site)).toMatchObject([
        { data: { budget: 'mailbox', limit: 2, memberId: members[1]!.id } },
        { data: { budget: 'mailbox', limit: 3, memberId: null } },
      ]);
    });
  }
});

async function aSite(server: TestServer, settings: object = {}): Promise<TestSite> {
  const site = await server.createSite();
  await aDomain(site);
  expectResponse('updateSite', await site.patch('/site', { languages: ['en'], ...settings }), 200);
  return site;
}

/** Requests login links in this many new browsers, from several client addresses. */
async function requestLinks(
  site: TestSite,
  count: number,
  emailOf: (index: number) => string,
): Promise<void> {
  const answers = await fewAtOnce(count, (index) =>
    site.visit('POST', '/_gatehouse/login', {
      form: { email: emailOf(index) },
      headers: { 'x-forwarded-for': `192.0.2.${index % 8}` },
    }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
}

/** Runs tasks with limited concurrency, to leave database connections free. */
async function fewAtOnce<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < count; start += 5) {
    const some = Array.from({ length: Math.min(5, count - start) }, (_, index) => work(start + index));
    results.push(...(await Promise.all(some)));
  }
  return results;
}

async function everyRequestAnswered({ database }: TestServer, { siteId }: TestSite): Promise<void> {
  const waiting = () =>
    database.all(sql`SELECT id FROM login_links WHERE site_id = ${siteId} AND status = 'requested'`);
  await expect.poll(waiting, { timeout: 30_000 }).toEqual([]);
}

/** The number of emails of a site to addresses that match a pattern. */
async function countEmailsTo(
  { database }: TestServer,
  { siteId }: TestSite,
  pattern: string,
): Promise<number> {
  const row = await database.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM emails WHERE site_id = ${siteId} AND recipient LIKE ${pattern}`,
  );
  return row!.count;
}

interface Budget {
  sent: number;
  withheld: number;
}

async function budgetsOf({ database }: TestServer, { siteId }: TestSite, budget = '%'): Promise<Budget[]> {
  return database.all<Budget>(sql`
    SELECT sent, withheld FROM email_budgets WHERE site_id = ${siteId} AND budget LIKE ${budget} ORDER BY starts_at`);
}

/** The number of emails counted by each budget of a kind. */
async function chargedTo(server: TestServer, site: TestSite, budget: string): Promise<number[]> {
  return (await budgetsOf(server, site, budget)).map(({ sent }) => sent);
}

async function overviewOf(site: TestSite) {
  return expectResponse('getOverview', await site.get('/overview'), 200).data;
}

async function exhaustedOf(site: TestSite) {
  return expectResponse('listEvents', await site.get('/events?type=email-budget.exhausted'), 200).data;
}

function sendLink(site: TestSite, id: string, headers: Record<string, string> = {}): Promise<TestResponse> {
  return site.post(`/members/${id}/login-links`, {}, headers);
}

async function sendLinks(site: TestSite, memberIds: readonly string[]): Promise<TestResponse> {
  const answer = await site.post('/members/bulk-actions', { memberIds, action: { type: 'send_login_link' } });
  expectResponse('bulkMemberActions', answer, 207);
  return answer;
}

/** Returns their email addresses. */
async function manyMembers(site: TestSite, count: number): Promise<string[]> {
  const members = Array.from({ length: count }, () => ({ email: `${randomUUID()}@example.com` }));
  expectResponse('bulkCreateMembers', await site.post('/members/bulk', { members }), 207);
  return members.map(({ email }) => email);
}

/** All responses that a browser gets when it requests a link, without the email address. */
async function pagesOf(server: TestServer, site: TestSite, email: string): Promise<string> {
  const visitor = new Visitor(site);
  const answers = [await visitor.requestLink(email)];
  await everyRequestAnswered(server, site);
  answers.push(await visitor.get('/_gatehouse/check'));
  const [received] = await emailsTo(server, email, await countEmailsTo(server, site, email));
  const code = received?.code === '123456' ? '654321' : '123456';
  for (let tries = 0; tries < 6; tries += 1) answers.push(await visitor.post('/_gatehouse/code', { code }));
  return JSON.stringify(
    answers.map(({ status, text, headers }) => [
      status,
      text.replaceAll(email, ''),
      headers.location,
      headers['set-cookie']?.map((each) => each.replace(/=[^;]+/, '')),
    ]),
  );
}
