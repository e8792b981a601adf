import type { Permission } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { expectAnswer } from '../../test/contract/answers.ts';
import {
  aDomain,
  aMember,
  aRestingMail,
  aSession,
  everyItem,
  everyMailGone,
  unknownId,
} from '../../test/contract/given.ts';
import { useTestServer } from '../../test/contract/use-server.ts';
import { forEachStore } from '../../test/stores.ts';
import type { TestSite } from '../../test/test-server.ts';
import { mailTo, Visitor } from '../../test/visitor.ts';
import { markFailed, markSent } from './mail-store.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  const readAs = async (site: TestSite, mailId: string, ...permissions: Permission[]) => {
    const { secret } = await site.createKey({ permissions });
    const answer = await site.get(`/mails/${mailId}`, { authorization: `Bearer ${secret}` });
    return expectAnswer('getMail', answer, 200).data;
  };

  test('a mail is told with what became of it', async () => {
    const site = await server.createSite();
    await site.patch('/site', { title: 'Chess Club' });
    const member = await aMember(site);
    const id = await aRestingMail(site, member.id);
    const [mail] = expectAnswer('listMails', await site.get('/mails'), 200).data;
    expect(mail).toEqual({
      id,
      kind: 'login_link',
      recipient: member.email,
      memberId: member.id,
      state: 'kept',
      attempts: 1,
      nextAttemptAt: null,
      lastError: null,
      subject: 'Log in to Chess Club',
      createdAt: expect.any(String),
      sentAt: null,
    });
    const { text, html, ...rest } = expectAnswer('getMail', await site.get(`/mails/${id}`), 200).data;
    expect(rest).toEqual(mail);
    expect([text, html]).toEqual([
      expect.stringContaining('/_gatehouse/link/'),
      expect.stringContaining('/_gatehouse/link/'),
    ]);
  });

  describe('what a mail says', () => {
    test('is for those alone who may make login links', async () => {
      const site = await server.createSite();
      const id = await aRestingMail(site);
      const all: Permission[] = ['mails:read', 'members:write', 'events:read', 'api-keys:write'];
      expect(await readAs(site, id, ...all)).toMatchObject({ id, text: null, html: null });
      const { text } = await readAs(site, id, 'mails:read', 'login-links:write');
      expect(text).toContain('/_gatehouse/link/');
    });

    test('is in no part of a list, the code of its subject neither', async () => {
      const site = await server.createSite();
      await aDomain(site);
      const { email } = await aMember(site);
      await new Visitor(site).ask(email);
      const { code, path } = await mailTo(server, email);
      const token = path.split('/').at(-1)!;
      const { text } = await site.get('/mails');
      expect(text).toContain(email);
      expect(text).not.toContain(token);
      expect(text).not.toContain(code);
      const [{ id }] = await everyItem(site, '/mails');
      const own = JSON.stringify(await readAs(site, id, 'mails:read'));
      expect(own).not.toContain(token);
      expect(own).not.toContain(code);
    });

    test('is gone once the link is used', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const id = await aRestingMail(site, member.id);
      const { path } = await mailTo(server, member.email);
      expect((await new Visitor(site).post(path)).status).toBe(303);
      expect((await site.get(`/mails/${id}`)).body.data).toMatchObject({ text: null, html: null });
    });
  });

  test('mails are filtered by state and by member', async () => {
    const site = await server.createSite();
    const [ada, grace] = [await aMember(site), await aMember(site)];
    const sent = await aRestingMail(site, ada.id);
    const failed = await aRestingMail(site, grace.id);
    const kept = await aRestingMail(site, ada.id);
    await server.database.transaction(async (tx) => {
      await markSent(tx, site.siteId, sent, new Date().toISOString());
    });
    const found = async (query: string) => (await everyItem(site, `/mails?${query}`)).map(({ id }) => id);
    expect(await found('state=sent')).toEqual([sent]);
    expect(await found('state=kept')).toEqual([kept, failed]);
    expect(await found('state=waiting')).toEqual([]);
    expect(await found(`memberId=${ada.id}`)).toEqual([kept, sent]);
    expect(await found(`memberId=${ada.id}&state=kept`)).toEqual([kept]);
    expect(await found(`memberId=${unknownId()}`)).toEqual([]);
    expect(await found('')).toEqual([kept, failed, sent]);
  });

  test('a mail that failed tells why', async () => {
    const site = await server.createSite();
    const id = await aRestingMail(site);
    await server.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE mails SET state = 'waiting' WHERE site_id = ${site.siteId} AND id = ${id}`);
      await markFailed(tx, site.siteId, { id, attempts: 1 }, '550 No such mailbox');
    });
    expect((await site.get(`/mails/${id}`)).body.data).toMatchObject({
      state: 'failed',
      lastError: '550 No such mailbox',
      text: null,
    });
  });

  test('an unknown mail is not found, nor one of a member who was deleted', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const id = await aRestingMail(site, member.id);
    await aSession(site, member.id);
    await everyMailGone(server, site);
    await site.delete(`/members/${member.id}`);
    for (const mailId of [id, unknownId()]) {
      expectAnswer('getMail', await site.get(`/mails/${mailId}`), 404, 'mail_not_found');
    }
    expect(await everyItem(site, '/mails')).toEqual([]);
  });
});
