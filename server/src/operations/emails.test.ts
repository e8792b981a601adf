import type { Permission } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { expectAnswer } from '../../test/contract/answers.ts';
import {
  aDomain,
  aMember,
  anEmailAtRest,
  aSession,
  everyEmailGone,
  everyItem,
  unknownId,
} from '../../test/contract/given.ts';
import { hour } from '../../test/movable-time.ts';
import { forEachStore } from '../../test/stores.ts';
import type { TestSite } from '../../test/test-server.ts';
import { useTestServer } from '../../test/use-server.ts';
import { emailTo, Visitor } from '../../test/visitor.ts';
import { markFailed, markSent } from '../domain/emails/email-store.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  const readAs = async (site: TestSite, emailId: string, ...permissions: Permission[]) => {
    const { secret } = await site.createKey({ permissions });
    const answer = await site.get(`/emails/${emailId}`, { authorization: `Bearer ${secret}` });
    return expectAnswer('getEmail', answer, 200).data;
  };

  test('an email is returned with its delivery state', async () => {
    const site = await server.createSite();
    await site.patch('/site', { title: 'Chess Club' });
    const member = await aMember(site);
    const id = await anEmailAtRest(site, member.id);
    const [email] = expectAnswer('listEmails', await site.get('/emails'), 200).data;
    expect(email).toEqual({
      id,
      kind: 'login_link',
      recipient: member.email,
      memberId: member.id,
      state: 'not_sent',
      attempts: 1,
      nextAttemptAt: null,
      lastError: null,
      subject: 'Log in to Chess Club',
      createdAt: expect.any(String),
      sentAt: null,
    });
    const { text, html, ...rest } = expectAnswer('getEmail', await site.get(`/emails/${id}`), 200).data;
    expect(rest).toEqual(email);
    expect([text, html]).toEqual([
      expect.stringContaining('/_gatehouse/link/'),
      expect.stringContaining('/_gatehouse/link/'),
    ]);
  });

  describe('the content of an email', () => {
    test('requires the permission to create login links', async () => {
      const site = await server.createSite();
      const id = await anEmailAtRest(site);
      const all: Permission[] = ['emails:read', 'members:write', 'events:read', 'api-keys:write'];
      expect(await readAs(site, id, ...all)).toMatchObject({ id, text: null, html: null });
      const { text } = await readAs(site, id, 'emails:read', 'login-links:write');
      expect(text).toContain('/_gatehouse/link/');
    });

    test('is not shown to a key that expires, because the login does not end with the key', async () => {
      const site = await server.createSite();
      const id = await anEmailAtRest(site);
      const expiresAt = new Date(Date.now() + hour).toISOString();
      const { secret } = await site.createKey({
        permissions: ['emails:read', 'login-links:write'],
        expiresAt,
      });
      const answer = await site.get(`/emails/${id}`, { authorization: `Bearer ${secret}` });
      expect(expectAnswer('getEmail', answer, 200).data).toMatchObject({ id, text: null, html: null });
    });

    test('is not in lists, not even the code in its subject', async () => {
      const site = await server.createSite();
      await aDomain(site);
      const { email } = await aMember(site);
      await new Visitor(site).requestLink(email);
      const { code, path } = await emailTo(server, email);
      const token = path.split('/').at(-1)!;
      const { text } = await site.get('/emails');
      expect(text).toContain(email);
      expect(text).not.toContain(token);
      expect(text).not.toContain(code);
      const [{ id }] = await everyItem(site, '/emails');
      const own = JSON.stringify(await readAs(site, id, 'emails:read'));
      expect(own).not.toContain(token);
      expect(own).not.toContain(code);
    });

    test('is deleted when the link is used', async () => {
      const site = await server.createSite();
      const member = await aMember(site);
      const id = await anEmailAtRest(site, member.id);
      const { path } = await emailTo(server, member.email);
      expect((await new Visitor(site).post(path)).status).toBe(303);
      expect((await site.get(`/emails/${id}`)).body.data).toMatchObject({ text: null, html: null });
    });
  });

  test('emails are filtered by state and by member', async () => {
    const site = await server.createSite();
    const [ada, grace] = [await aMember(site), await aMember(site)];
    const sent = await anEmailAtRest(site, ada.id);
    const failed = await anEmailAtRest(site, grace.id);
    const notSent = await anEmailAtRest(site, ada.id);
    await server.database.transaction(async (tx) => {
      await markSent(tx, site.siteId, sent, new Date().toISOString());
    });
    const found = async (query: string) => (await everyItem(site, `/emails?${query}`)).map(({ id }) => id);
    expect(await found('state=sent')).toEqual([sent]);
    expect(await found('state=not_sent')).toEqual([notSent, failed]);
    expect(await found('state=waiting')).toEqual([]);
    expect(await found(`memberId=${ada.id}`)).toEqual([notSent, sent]);
    expect(await found(`memberId=${ada.id}&state=not_sent`)).toEqual([notSent]);
    expect(await found(`memberId=${unknownId()}`)).toEqual([]);
    expect(await found('')).toEqual([notSent, failed, sent]);
  });

  test('a failed email has its error', async () => {
    const site = await server.createSite();
    const id = await anEmailAtRest(site);
    await server.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE emails SET state = 'waiting' WHERE site_id = ${site.siteId} AND id = ${id}`);
      await markFailed(tx, site.siteId, { id, attempts: 1 }, '550 No such mailbox');
    });
    expect((await site.get(`/emails/${id}`)).body.data).toMatchObject({
      state: 'failed',
      lastError: '550 No such mailbox',
      text: null,
    });
  });

  test('an unknown email and one of a deleted member are not found', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const id = await anEmailAtRest(site, member.id);
    await aSession(site, member.id);
    await everyEmailGone(server, site);
    await site.delete(`/members/${member.id}`);
    for (const emailId of [id, unknownId()]) {
      expectAnswer('getEmail', await site.get(`/emails/${emailId}`), 404, 'email_not_found');
    }
    expect(await everyItem(site, '/emails')).toEqual([]);
  });
});
