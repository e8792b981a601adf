import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { day, hour } from '../../../test/movable-time.ts';
import { purgeExpired } from '../../../test/purge.ts';
import { forEachStore } from '../../../test/stores.ts';
import { timestampBefore } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Database } from '../../storage/database.ts';
import { migrate } from '../../storage/migrations/migrations.ts';
import { openDatabase } from '../../storage/open.ts';
import { createSite } from '../sites/sites.ts';
import type { NewEmail } from './email.ts';
import { markFailed, markNotSent, markSent } from './email-store.ts';
import { deleteEmailsOf, queueEmail, withdrawEmailsOfLinks } from './emails.ts';

const now = '2026-11-21T08:00:00.000Z';
const content = { fromName: 'Club', subject: 'Log in', text: 'A link', html: '<p>A link' };

forEachStore((store) => {
  let database: Database;
  let sites = 0;

  beforeAll(async () => {
    database = openDatabase(await store.migratedUrl(), { poolSize: 4 });
    await migrate(database);
  });
  afterAll(() => database.close());

  async function aSite(): Promise<string> {
    sites += 1;
    return (await changing(database, newId(), (change) => createSite(change, { slug: `club-${sites}` }))).id;
  }

  function anEmail(siteId: string, email: Partial<NewEmail> = {}, at = now): Promise<string> {
    const whole = {
      type: 'login_link',
      recipient: 'ada@example.com',
      memberId: null,
      loginLinkId: null,
    } as const;
    return database.transaction((tx) =>
      queueEmail({ db: tx, siteId, now: at }, { ...whole, content, ...email }),
    );
  }

  function become(siteId: string, id: string, status: 'waiting' | 'sent' | 'not_sent' | 'failed') {
    return database.transaction(async (tx) => {
      if (status === 'sent') await markSent({ db: tx, siteId }, id, now);
      if (status === 'not_sent') await markNotSent({ db: tx, siteId }, [id]);
      if (status === 'failed')
        await markFailed(
          { db: tx, siteId },
          { id, attempts: 0 },
          { reason: 'refused', mailServerReply: 'No.' },
        );
    });
  }

  const emailsOf = (siteId: string) =>
    database.all<{ id: string; status: string; content: string | null }>(
      sql`SELECT id, status, content FROM emails WHERE site_id = ${siteId} ORDER BY created_at, id`,
    );

  test('a queued email is waiting, with its content', async () => {
    const site = await aSite();
    const id = await anEmail(site);
    expect(await emailsOf(site)).toEqual([{ id, status: 'waiting', content: JSON.stringify(content) }]);
  });

  test('an email is not queued when its transaction is rolled back', async () => {
    const site = await aSite();
    const undone = database.transaction(async (tx) => {
      const email = { type: 'login_link', recipient: 'a@b.c', memberId: null, loginLinkId: null } as const;
      await queueEmail({ db: tx, siteId: site, now: now }, { ...email, content });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await emailsOf(site)).toEqual([]);
  });

  test('all emails of a member are deleted, and no others', async () => {
    const [site, otherSite] = [await aSite(), await aSite()];
    const [memberId, otherId] = [newId(), newId()];
    const email = 'grace@example.com';
    for (const state of ['waiting', 'sent', 'not_sent', 'failed'] as const)
      await become(site, await anEmail(site, { memberId }), state);
    await become(site, await anEmail(site, { recipient: email }), 'sent');
    const others = [
      await anEmail(site, { memberId: otherId, recipient: email }),
      await anEmail(site),
    ].toSorted();
    const elsewhere = [
      await anEmail(otherSite, { memberId }),
      await anEmail(otherSite, { recipient: email }),
    ].toSorted();
    await changing(database, site, (change) => deleteEmailsOf(change, [{ id: memberId, email }]));
    expect((await emailsOf(site)).map(({ id }) => id)).toEqual(others);
    expect((await emailsOf(otherSite)).map(({ id }) => id)).toEqual(elsewhere);
  });

  describe('withdrawing the emails of links', () => {
    test('deletes waiting emails, and the content of the others', async () => {
      const site = await aSite();
      const links = [newId(), newId(), newId()];
      await anEmail(site, { loginLinkId: links[0]! });
      const remaining = await anEmail(site, { loginLinkId: links[1]! });
      const sent = await anEmail(site, { loginLinkId: links[2]! });
      await become(site, remaining, 'not_sent');
      await become(site, sent, 'sent');
      await changing(database, site, (change) => withdrawEmailsOfLinks(change, links));
      const left = await emailsOf(site);
      expect(left).toHaveLength(2);
      expect(left).toEqual(
        expect.arrayContaining([
          { id: remaining, status: 'not_sent', content: null },
          { id: sent, status: 'sent', content: null },
        ]),
      );
    });

    test('does not affect emails of other links, of other sites and without a link', async () => {
      const [site, otherSite] = [await aSite(), await aSite()];
      const link = newId();
      await anEmail(site, { loginLinkId: newId() });
      await anEmail(site);
      await anEmail(otherSite, { loginLinkId: link });
      await changing(database, site, (change) => withdrawEmailsOfLinks(change, [link]));
      await changing(database, site, (change) => withdrawEmailsOfLinks(change, []));
      expect(await emailsOf(site)).toHaveLength(2);
      expect(await emailsOf(otherSite)).toHaveLength(1);
      expect((await emailsOf(site)).every((email) => email.content !== null)).toBe(true);
    });
  });

  describe('purging emails', () => {
    const purge = () => purgeExpired(database, () => new Date(now));
    const before = (milliseconds: number) => timestampBefore(now, milliseconds);

    test('deletes them after 30 days, in any state', async () => {
      const site = await aSite();
      for (const state of ['waiting', 'sent', 'not_sent', 'failed'] as const)
        await become(site, await anEmail(site, {}, before(30 * day)), state);
      const younger = await anEmail(site, {}, before(30 * day - hour));
      await purge();
      expect((await emailsOf(site)).map(({ id }) => id)).toEqual([younger]);
    });

    test('deletes the content of an unsent email after a day, but not of a waiting one', async () => {
      const site = await aSite();
      const waiting = await anEmail(site, {}, before(3 * day));
      const old = await anEmail(site, {}, before(day));
      const young = await anEmail(site, {}, before(day - hour));
      for (const id of [old, young]) await become(site, id, 'not_sent');
      await purge();
      expect(await emailsOf(site)).toEqual([
        { id: waiting, status: 'waiting', content: JSON.stringify(content) },
        { id: old, status: 'not_sent', content: null },
        { id: young, status: 'not_sent', content: JSON.stringify(content) },
      ]);
    });

    test('continues in steps until nothing is left, on every site', async () => {
      const sites = [await aSite(), await aSite()];
      for (const site of sites) {
        await database.transaction(async (tx) => {
          const email = {
            type: 'login_link',
            recipient: 'a@b.c',
            memberId: null,
            loginLinkId: null,
            content,
          } as const;
          for (let count = 0; count < 250; count += 1)
            await queueEmail({ db: tx, siteId: site, now: before(31 * day) }, email);
        });
      }
      await purge();
      for (const site of sites) expect(await emailsOf(site)).toEqual([]);
    });
  });
});
