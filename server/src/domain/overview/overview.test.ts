import sql, { type Sql } from 'sql-template-tag';
import { expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectResponse } from '../../../test/contract/answers.ts';
import {
  aDomain,
  aGroup,
  aLoginLink,
  aMember,
  anEmail,
  aScopeGroup,
  aWebhook,
  someMembers,
} from '../../../test/contract/given.ts';
import { day } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore, stopInTheEnd } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { Visitor } from '../../../test/visitor.ts';
import { newId } from '../../base/ids.ts';
import { migrate } from '../../storage/migrations/migrations.ts';
import { openDatabase } from '../../storage/open.ts';
import { createSite } from '../sites/sites.ts';
import { findOverview } from './overview.ts';
import { findWrongNumbers } from './recount.ts';

forEachStore((store) => {
  const server = useTestServer(store);
  const withEmail = useTestServer(store, {
    settings: { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'door@example.com' },
  });

  const overviewOf = async (site: TestSite, query = '') =>
    expectResponse('getOverview', await site.get(`/overview${query}`), 200).data;

  test('a new site has an empty overview', async () => {
    const overview = await overviewOf(await server.createSite());
    expect(overview).toMatchObject({
      members: { total: 0, active: 0, blocked: 0, paid: 0, verified: 0 },
      accessGroups: 0,
      emailsWaiting: 0,
      emailsFailed: 0,
      failingWebhooks: [],
      setUp: {
        domain: false,
        email: false,
        members: false,
        accessGroups: false,
        accessRules: false,
        login: false,
      },
    });
    expect(overview.days).toHaveLength(30);
    expect(overview.days.every(({ created, logins }: Day) => created === 0 && logins === 0)).toBe(true);
    expect(overview.days.at(-1).date).toBe(new Date().toISOString().slice(0, 10));
  });

  test('members are counted by state, and days by events', async () => {
    const site = await server.createSite();
    const [first, second] = await someMembers(site, 3);
    const paying = await aMember(site, { paid: true });
    await site.request('POST', `/members/${first!.id}/block`);
    for (const { id } of [second!, paying])
      await new Visitor(site).post(`/_gatehouse/link/${await aLoginLink(site, id)}`);
    const { members, days, setUp } = await overviewOf(site);
    expect(members).toEqual({ total: 4, active: 3, blocked: 1, paid: 1, verified: 2 });
    expect(sum(days)).toEqual({ created: 4, logins: 2 });
    expect(setUp).toMatchObject({ domain: true, members: true, login: true });
    // Data of one site is not counted on another.
    expect((await overviewOf(await server.createSite())).members.total).toBe(0);
  });

  test('the numbers of members follow each change at once', async () => {
    const site = await server.createSite();
    const count = async () => (await overviewOf(site)).members;
    const { id } = await aMember(site, { paid: false });
    expect(await count()).toEqual({ total: 1, active: 1, blocked: 0, paid: 0, verified: 0 });
    await site.patch(`/members/${id}`, { paid: true });
    expect(await count()).toMatchObject({ paid: 1 });
    await site.patch(`/members/${id}`, { paid: false, status: 'blocked' });
    expect(await count()).toMatchObject({ active: 0, blocked: 1, paid: 0 });
    await site.patch(`/members/${id}`, { paid: true, status: 'active' });
    for (let login = 0; login < 2; login += 1)
      await new Visitor(site).post(`/_gatehouse/link/${await aLoginLink(site, id)}`);
    expect(await count()).toEqual({ total: 1, active: 1, blocked: 0, paid: 1, verified: 1 });
    expect(sum((await overviewOf(site)).days)).toEqual({ created: 1, logins: 2 });
    await site.delete(`/members/${id}`);
    expect(await count()).toEqual({ total: 0, active: 0, blocked: 0, paid: 0, verified: 0 });
    expect(sum((await overviewOf(site)).days)).toEqual({ created: 0, logins: 2 });
  });

  test('logins stay counted when their events are retained for fewer days than the overview shows', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    await new Visitor(site).post(`/_gatehouse/link/${await aLoginLink(site, id)}`);
    const before = await overviewOf(site);
    const later = () => new Date(Date.now() + 10 * day);
    await purgeExpired(server.database, later, 1);
    expect(
      await findWrongNumbers({ db: server.database, siteId: site.siteId, now: later().toISOString() }),
    ).toEqual([]);
    expect((await overviewOf(site)).days).toEqual(before.days);
    expect(sum(before.days)).toEqual({ created: 1, logins: 1 });
  });

  test('a login is counted on its day, in the requested time zone', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    await new Visitor(site).post(`/_gatehouse/link/${await aLoginLink(site, id)}`);
    const late = `${new Date(Date.now() - 3 * day).toISOString().slice(0, 10)}T23:30:00.000Z`;
    await server.database.transaction(async (tx) => {
      await tx.run(sql`
        UPDATE activity_counts SET starts_at = ${late} WHERE site_id = ${site.siteId} AND logins = 1`);
    });
    const dayOfLogin = async (timeZone: string) =>
      (await overviewOf(site, `?timeZone=${timeZone}`)).days.find(({ logins }: Day) => logins === 1).date;
    expect(await dayOfLogin('UTC')).toBe(late.slice(0, 10));
    expect(await dayOfLogin('Asia/Tokyo')).toBe(
      new Date(Date.parse(late) + 9 * 3_600_000).toISOString().slice(0, 10),
    );
  });

  test('the number of statements does not depend on the number of days', async () => {
    let statements = 0;
    const database = openDatabase(await store.migratedUrl(), { onStatement: () => (statements += 1) });
    stopInTheEnd(() => database.close());
    await migrate(database);
    const { id } = await changing(database, newId(), (change) => createSite(change, { slug: 'main' }));
    statements = 0;
    await findOverview(
      { db: database, siteId: id, now: new Date().toISOString() },
      { days: 90, timeZone: 'UTC' },
      false,
    );
    expect(statements).toBeLessThan(12);
  });

  test('an unknown time zone is rejected', async () => {
    const site = await server.createSite();
    for (const timeZone of ['Mars/Olympus', 'UTC;DROP', '']) {
      const answer = await site.get(`/overview?timeZone=${encodeURIComponent(timeZone)}`);
      const { details } = expectResponse('getOverview', answer, 400, 'invalid_request');
      expect(details[0].path).toBe('/timeZone');
    }
  });

  test('a domain that is only reachable on the local machine counts as not set', async () => {
    const site = await server.createSite();
    for (const domain of [`${site.siteId}.localhost:9400`, '127.0.0.1:9400']) {
      expectResponse('updateSite', await site.patch('/site', { domain }), 200);
      expect((await overviewOf(site)).setUp.domain).toBe(false);
    }
  });

  test('each step of the setup is shown as done once it is completed', async () => {
    const site = await withEmail.createSite();
    expect((await overviewOf(site)).setUp).toMatchObject({ email: true, domain: false });
    await aDomain(site);
    await aGroup(site);
    await aScopeGroup(withEmail, site);
    await site.request('PUT', '/access-rules', { body: { rules: [{ path: '/', access: 'public' }] } });
    await aMember(site);
    const { setUp, accessGroups } = await overviewOf(site);
    expect(setUp).toEqual({
      domain: true,
      email: true,
      members: true,
      accessGroups: true,
      accessRules: true,
      login: false,
    });
    expect(accessGroups).toBe(2);
  });

  test('waiting and failed emails are counted', async () => {
    const site = await withEmail.createSite();
    const [waiting, failed] = [await anEmail(site), await anEmail(site)];
    expect((await overviewOf(site)).emailsWaiting).toBe(2);
    await withEmail.database.transaction(async (tx) => {
      await tx.run(
        sql`UPDATE emails SET status = 'failed' WHERE site_id = ${site.siteId} AND id = ${failed}`,
      );
    });
    expect(waiting).not.toBe(failed);
    expect(await overviewOf(site)).toMatchObject({ emailsWaiting: 1, emailsFailed: 1 });
  });

  test('webhooks that fail, or were disabled for that, are named to those who may read webhooks', async () => {
    const site = await server.createSite();
    const [failing, gone, working, requested] = await Promise.all(
      ['failing', 'gone', 'working', 'requested'].map((name) =>
        aWebhook(site, {
          url: `https://${name}.example.org/hook?key=secret`,
          description: `The ${name} one`,
        }),
      ),
    );
    await site.patch(`/webhooks/${requested!.id}`, { enabled: false });
    const since = new Date(Date.now() - day).toISOString();
    const change = (id: string, values: Sql) =>
      server.database.transaction(async (tx) => {
        await tx.run(sql`UPDATE webhooks SET ${values} WHERE site_id = ${site.siteId} AND id = ${id}`);
      });
    await change(working!.id, sql`failures = 4, failing_since = ${since}`);
    await change(failing!.id, sql`failures = 5, failing_since = ${since}`);
    await change(gone!.id, sql`enabled = ${false}, disabled_reason = 'gone', failing_since = NULL`);
    const { failingWebhooks } = await overviewOf(site);
    const named = [
      {
        id: failing!.id,
        host: 'failing.example.org',
        description: 'The failing one',
        status: 'failing',
        disabledReason: null,
        failingSince: since,
      },
      {
        id: gone!.id,
        host: 'gone.example.org',
        description: 'The gone one',
        status: 'disabled',
        disabledReason: 'gone',
        failingSince: null,
      },
    ];
    expect(failingWebhooks).toHaveLength(2);
    expect(failingWebhooks).toEqual(expect.arrayContaining(named));
    expect((await overviewOf(await server.createSite())).failingWebhooks).toEqual([]);
    const { secret } = await site.createKey({ permissions: ['site:read'] });
    const answer = await site.get('/overview', { authorization: `Bearer ${secret}` });
    expect(expectResponse('getOverview', answer, 200).data.failingWebhooks).toBeNull();
  });
});

interface Day {
  created: number;
  logins: number;
}

function sum(days: readonly Day[]): Day {
  return days.reduce(
    (total, { created, logins }) => ({ created: total.created + created, logins: total.logins + logins }),
    { created: 0, logins: 0 },
  );
}
