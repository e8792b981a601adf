import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { expectAnswer } from '../../test/contract/answers.ts';
import {
  aDomain,
  aGroup,
  aLoginLink,
  aMail,
  aMember,
  aScopeGroup,
  someMembers,
} from '../../test/contract/given.ts';
import { day, useTestServer } from '../../test/contract/use-server.ts';
import { forEachStore, stopInTheEnd } from '../../test/stores.ts';
import type { TestSite } from '../../test/test-server.ts';
import { Visitor } from '../../test/visitor.ts';
import { systemCause } from '../base/cause.ts';
import { createSite } from '../sites/sites.ts';
import { migrate } from '../storage/migrations.ts';
import { openDatabase } from '../storage/open.ts';
import { findOverview } from './overview.ts';

forEachStore((store) => {
  const server = useTestServer(store);
  const withMail = useTestServer(store, {
    settings: { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'door@example.com' },
  });

  const overviewOf = async (site: TestSite, query = '') =>
    expectAnswer('getOverview', await site.get(`/overview${query}`), 200).data;

  test('a new site has nothing yet', async () => {
    const overview = await overviewOf(await server.createSite());
    expect(overview).toMatchObject({
      members: { total: 0, active: 0, blocked: 0, paid: 0, verified: 0 },
      accessGroups: 0,
      mailsWaiting: 0,
      mailsFailed: 0,
      setUp: {
        domain: false,
        mail: false,
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

  test('members are counted by what they are, and days by what happened', async () => {
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
    // Nothing of one site is counted on another.
    expect((await overviewOf(await server.createSite())).members.total).toBe(0);
  });

  test('a login stands on its day, in the time zone asked for', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    await new Visitor(site).post(`/_gatehouse/link/${await aLoginLink(site, id)}`);
    const late = `${new Date(Date.now() - 3 * day).toISOString().slice(0, 10)}T23:30:00.000Z`;
    await server.database.transaction(async (tx) => {
      await tx.run(sql`
        UPDATE events SET occurred_at = ${late} WHERE site_id = ${site.siteId} AND type = 'member.login'`);
    });
    const dayOfLogin = async (timeZone: string) =>
      (await overviewOf(site, `?timeZone=${timeZone}`)).days.find(({ logins }: Day) => logins === 1).date;
    expect(await dayOfLogin('UTC')).toBe(late.slice(0, 10));
    expect(await dayOfLogin('Asia/Tokyo')).toBe(
      new Date(Date.parse(late) + 9 * 3_600_000).toISOString().slice(0, 10),
    );
  });

  test('a look costs as many statements as there are things to count, and not as many as days', async () => {
    let statements = 0;
    const database = openDatabase(await store.freshUrl(), { onStatement: () => (statements += 1) });
    stopInTheEnd(() => database.close());
    await migrate(database);
    const { id } = await database.transaction((tx) =>
      createSite(tx, { slug: 'main' }, systemCause(new Date().toISOString())),
    );
    statements = 0;
    await findOverview(database, id, 'UTC', false, new Date().toISOString());
    expect(statements).toBeLessThan(12);
  });

  test('a time zone that there is not is refused', async () => {
    const site = await server.createSite();
    for (const timeZone of ['Mars/Olympus', 'UTC;DROP', '']) {
      const answer = await site.get(`/overview?timeZone=${encodeURIComponent(timeZone)}`);
      const { details } = expectAnswer('getOverview', answer, 400, 'invalid_request');
      expect(details[0].path).toBe('/timeZone');
    }
  });

  test('a domain that only the machine itself reaches is still to be set', async () => {
    const site = await server.createSite();
    for (const domain of [`${site.siteId}.localhost:9400`, '127.0.0.1:9400']) {
      expectAnswer('updateSite', await site.patch('/site', { domain }), 200);
      expect((await overviewOf(site)).setUp.domain).toBe(false);
    }
  });

  test('each step of the set-up is seen once it is taken', async () => {
    const site = await withMail.createSite();
    expect((await overviewOf(site)).setUp).toMatchObject({ mail: true, domain: false });
    await aDomain(site);
    await aGroup(site);
    await aScopeGroup(withMail, site);
    await site.request('PUT', '/access-rules', { body: { rules: [{ path: '/', access: 'public' }] } });
    await aMember(site);
    const { setUp, accessGroups } = await overviewOf(site);
    expect(setUp).toEqual({
      domain: true,
      mail: true,
      members: true,
      accessGroups: true,
      accessRules: true,
      login: false,
    });
    expect(accessGroups).toBe(2);
  });

  test('mails that wait and mails that failed are counted', async () => {
    const site = await withMail.createSite();
    const [waiting, failed] = [await aMail(site), await aMail(site)];
    expect((await overviewOf(site)).mailsWaiting).toBe(2);
    await withMail.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE mails SET state = 'failed' WHERE site_id = ${site.siteId} AND id = ${failed}`);
    });
    expect(waiting).not.toBe(failed);
    expect(await overviewOf(site)).toMatchObject({ mailsWaiting: 1, mailsFailed: 1 });
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
