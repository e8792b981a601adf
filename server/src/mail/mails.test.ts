import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, hour } from '../../test/contract/use-server.ts';
import { forEachStore } from '../../test/stores.ts';
import { systemCause } from '../base/cause.ts';
import { timestampBefore } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { createSite } from '../sites/sites.ts';
import type { Database } from '../storage/database.ts';
import { migrate } from '../storage/migrations.ts';
import { openDatabase } from '../storage/open.ts';
import type { NewMail } from './mail.ts';
import { markFailed, markKept, markSent } from './mail-store.ts';
import { deleteMailsOfMembers, forgetMails, queueMail, withdrawMailsOfLinks } from './mails.ts';

const now = '2026-11-21T08:00:00.000Z';
const content = { fromName: 'Club', subject: 'Log in', text: 'A link', html: '<p>A link' };

forEachStore((store) => {
  let database: Database;
  let sites = 0;

  beforeAll(async () => {
    database = openDatabase(await store.freshUrl(), { poolSize: 4 });
    await migrate(database);
  });
  afterAll(() => database.close());

  async function aSite(): Promise<string> {
    sites += 1;
    return (await database.transaction((tx) => createSite(tx, { slug: `club-${sites}` }, systemCause(now))))
      .id;
  }

  function aMail(siteId: string, mail: Partial<NewMail> = {}, at = now): Promise<string> {
    const whole = {
      kind: 'login_link',
      recipient: 'ada@example.com',
      memberId: null,
      loginLinkId: null,
    } as const;
    return database.transaction((tx) => queueMail(tx, siteId, { ...whole, content, ...mail }, at));
  }

  function become(siteId: string, id: string, state: 'waiting' | 'sent' | 'kept' | 'failed') {
    return database.transaction(async (tx) => {
      if (state === 'sent') await markSent(tx, siteId, id, now);
      if (state === 'kept') await markKept(tx, siteId, id);
      if (state === 'failed') await markFailed(tx, siteId, { id, attempts: 0 }, 'refused');
    });
  }

  const mailsOf = (siteId: string) =>
    database.all<{ id: string; state: string; content: string | null }>(
      sql`SELECT id, state, content FROM mails WHERE site_id = ${siteId} ORDER BY created_at, id`,
    );

  test('a queued mail waits, with all that it says', async () => {
    const site = await aSite();
    const id = await aMail(site);
    expect(await mailsOf(site)).toEqual([{ id, state: 'waiting', content: JSON.stringify(content) }]);
  });

  test('a mail is not queued when its transaction is undone', async () => {
    const site = await aSite();
    const undone = database.transaction(async (tx) => {
      const mail = { kind: 'login_link', recipient: 'a@b.c', memberId: null, loginLinkId: null } as const;
      await queueMail(tx, site, { ...mail, content }, now);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await mailsOf(site)).toEqual([]);
  });

  test('all mails of a member are deleted, and no others', async () => {
    const [site, otherSite] = [await aSite(), await aSite()];
    const [memberId, otherId] = [newId(), newId()];
    const email = 'grace@example.com';
    for (const state of ['waiting', 'sent', 'kept', 'failed'] as const)
      await become(site, await aMail(site, { memberId }), state);
    await become(site, await aMail(site, { recipient: email }), 'sent');
    const others = [await aMail(site, { memberId: otherId, recipient: email }), await aMail(site)].toSorted();
    const elsewhere = [
      await aMail(otherSite, { memberId }),
      await aMail(otherSite, { recipient: email }),
    ].toSorted();
    await database.transaction((tx) => deleteMailsOfMembers(tx, site, [{ id: memberId, email }], now));
    expect((await mailsOf(site)).map(({ id }) => id)).toEqual(others);
    expect((await mailsOf(otherSite)).map(({ id }) => id)).toEqual(elsewhere);
  });

  describe('withdrawing the mails of links', () => {
    test('takes back those that wait, and what the others say', async () => {
      const site = await aSite();
      const links = [newId(), newId(), newId()];
      await aMail(site, { loginLinkId: links[0]! });
      const kept = await aMail(site, { loginLinkId: links[1]! });
      const sent = await aMail(site, { loginLinkId: links[2]! });
      await become(site, kept, 'kept');
      await become(site, sent, 'sent');
      await database.transaction((tx) => withdrawMailsOfLinks(tx, site, links, now));
      const left = await mailsOf(site);
      expect(left).toHaveLength(2);
      expect(left).toEqual(
        expect.arrayContaining([
          { id: kept, state: 'kept', content: null },
          { id: sent, state: 'sent', content: null },
        ]),
      );
    });

    test('leaves those of other links, other sites and no link', async () => {
      const [site, otherSite] = [await aSite(), await aSite()];
      const link = newId();
      await aMail(site, { loginLinkId: newId() });
      await aMail(site);
      await aMail(otherSite, { loginLinkId: link });
      await database.transaction((tx) => withdrawMailsOfLinks(tx, site, [link], now));
      await database.transaction((tx) => withdrawMailsOfLinks(tx, site, [], now));
      expect(await mailsOf(site)).toHaveLength(2);
      expect(await mailsOf(otherSite)).toHaveLength(1);
      expect((await mailsOf(site)).every((mail) => mail.content !== null)).toBe(true);
    });
  });

  describe('forgetting mails', () => {
    const forget = (site: string, limit = 100) =>
      database.transaction((tx) => forgetMails(tx, site, now, limit));
    const before = (milliseconds: number) => timestampBefore(now, milliseconds);

    test('deletes them after 30 days, whatever became of them', async () => {
      const site = await aSite();
      for (const state of ['waiting', 'sent', 'kept', 'failed'] as const)
        await become(site, await aMail(site, {}, before(30 * day)), state);
      const younger = await aMail(site, {}, before(30 * day - hour));
      await forget(site);
      expect((await mailsOf(site)).map(({ id }) => id)).toEqual([younger]);
    });

    test('erases what a kept mail says after a day, and leaves one that still has to be sent', async () => {
      const site = await aSite();
      const waiting = await aMail(site, {}, before(3 * day));
      const old = await aMail(site, {}, before(day));
      const young = await aMail(site, {}, before(day - hour));
      for (const id of [old, young]) await become(site, id, 'kept');
      expect(await forget(site)).toBe(1);
      expect(await mailsOf(site)).toEqual([
        { id: waiting, state: 'waiting', content: JSON.stringify(content) },
        { id: old, state: 'kept', content: null },
        { id: young, state: 'kept', content: JSON.stringify(content) },
      ]);
      expect(await forget(site)).toBe(0);
    });

    test('goes in steps of the given size', async () => {
      const site = await aSite();
      for (let mail = 0; mail < 5; mail += 1) await aMail(site, {}, before(31 * day));
      expect([await forget(site, 2), await forget(site, 2), await forget(site, 2)]).toEqual([2, 2, 1]);
    });
  });
});
