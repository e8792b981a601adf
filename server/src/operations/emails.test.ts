import type { Permission } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../test/contract/answers.ts';
import { dumpSite } from '../../test/contract/dump.ts';
import {
  aDomain,
  aMember,
  anEmailAtRest,
  anInvitedOperator,
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
import { markSent } from '../domain/emails/email-store.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  const readAs = async (site: TestSite, emailId: string, ...permissions: Permission[]) => {
    const { secret } = await site.createKey({ permissions });
    const answer = await site.get(`/emails/${emailId}`, { authorization: `Bearer ${secret}` });
    return expectResponse('getEmail', answer, 200).data;
  };

  test('an email is returned with its delivery state', async () => {
    const site = await server.createSite();
    await site.patch('/site', { title: 'Chess Club' });
    const member = await aMember(site);
    const id = await anEmailAtRest(site, member.id);
    const [email] = expectResponse('listEmails', await site.get('/emails'), 200).data;
    expect(email).toEqual({
      id,
      type: 'login_link',
      recipient: member.email,
      memberId: member.id,
      status: 'not_sent',
      attempts: 1,
      nextAttemptAt: null,
      lastError: null,
      mailServerReply: null,
      subject: 'Log in to Chess Club',
      createdAt: expect.any(String),
      sentAt: null,
    });
    const { text, html, ...rest } = expectResponse('getEmail', await site.get(`/emails/${id}`), 200).data;
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
      expect(expectResponse('getEmail', answer, 200).data).toMatchObject({ id, text: null, html: null });
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
      await markSent({ db: tx, siteId: site.siteId }, sent, new Date().toISOString());
    });
    const found = async (query: string) => (await everyItem(site, `/emails?${query}`)).map(({ id }) => id);
    expect(await found('status=sent')).toEqual([sent]);
    expect(await found('status=not_sent')).toEqual([notSent, failed]);
    expect(await found('status=waiting')).toEqual([]);
    expect(await found(`memberId=${ada.id}`)).toEqual([notSent, sent]);
    expect(await found(`memberId=${ada.id}&status=not_sent`)).toEqual([notSent]);
    expect(await found(`memberId=${unknownId()}`)).toEqual([]);
    expect(await found('')).toEqual([notSent, failed, sent]);
  });

  test('a failed email has its error and what the mail server said, which go with the member', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const id = await anEmailAtRest(site, member.id);
    const reply = `550 <${member.email}>: User unknown`;
    await site.failEmail(id, reply);
    const failed = { status: 'failed', lastError: 'The mail server replied 550.', mailServerReply: reply };
    expect((await site.get(`/emails/${id}`)).body.data).toMatchObject({ ...failed, text: null });
    expect((await everyItem(site, '/emails?status=failed'))[0]).toMatchObject(failed);
    const { secret } = await site.createKey({ permissions: ['members:write', 'login-links:write'] });
    const read = await site.get(`/emails/${id}`, { authorization: `Bearer ${secret}` });
    expectResponse('getEmail', read, 403, 'permission_denied');
    await site.delete(`/members/${member.id}`);
    expect(JSON.stringify(await dumpSite(server.database, site.siteId))).not.toContain('User unknown');
  });

  describe('a failed email is sent again', () => {
    const resend = (site: TestSite, id: string, headers?: Record<string, string>) =>
      site.request('POST', `/emails/${id}/resend`, { ...(headers && { headers }) });
    const as = async (site: TestSite, ...permissions: Permission[]) => {
      const { secret } = await site.createKey({ permissions });
      return { authorization: `Bearer ${secret}` };
    };
    const aFailedLink = async (site: TestSite) => {
      const member = await aMember(site);
      const id = await anEmailAtRest(site, member.id);
      const { path } = await emailTo(server, member.email);
      await site.failEmail(id);
      return { id, member, path };
    };
    const aFailedInvitation = async (site: TestSite) => {
      const operator = await anInvitedOperator(site, { role: 'support' });
      await everyEmailGone(server, site);
      const [{ id }] = await everyItem(site, '/emails');
      await site.failEmail(id);
      return { id, operator };
    };

    test('with a new login link, to the present address of the member', async () => {
      const site = await server.createSite();
      const { id, member, path } = await aFailedLink(site);
      const email = `new-${member.email}`;
      await site.patch(`/members/${member.id}`, { email });
      const answer = await resend(site, id, await as(site, 'login-links:send', 'emails:read'));
      const sent = expectResponse('resendEmail', answer, 201).data;
      expect(sent).toMatchObject({ type: 'login_link', recipient: email, memberId: member.id });
      expect(sent.id).not.toBe(id);
      const link = await emailTo(server, email);
      expect(link.path).not.toBe(path);
      const [event] = (await site.get('/events?type=login-link.created')).body.data;
      expect(event.data).toMatchObject({ memberId: member.id, sent: true });
      expect((await site.get(`/emails/${id}`)).body.data).toMatchObject({ status: 'failed', text: null });
      expect((await new Visitor(site).post(link.path)).status).toBe(303);
    });

    test('with the link of an invitation, to a person who is still an operator', async () => {
      const site = await server.createSite();
      const { id, operator } = await aFailedInvitation(site);
      const without = await as(site, 'login-links:send', 'emails:read');
      expectResponse('resendEmail', await resend(site, id, without), 403, 'permission_denied');
      const headers = await as(site, 'login-links:send', 'emails:read', 'operators:write');
      const sent = expectResponse('resendEmail', await resend(site, id, headers), 201).data;
      expect(sent).toMatchObject({ type: 'invitation', recipient: operator.email, memberId: null });
      const [event] = (await site.get('/events?type=operator.invited')).body.data;
      expect(event).toMatchObject({
        actor: { type: 'key' },
        data: { operator: { id: operator.id, email: operator.email, role: 'support' } },
      });
      await everyEmailGone(server, site);
      const { text } = (await site.get(`/emails/${sent.id}`)).body.data;
      expect(text).toContain(encodeURIComponent(operator.email));
    });

    test('only with the permissions to send login links and to read emails', async () => {
      const site = await server.createSite();
      const { id } = await aFailedLink(site);
      const others: Permission[][] = [
        ['emails:read'],
        ['login-links:send'],
        ['emails:read', 'login-links:write'],
      ];
      for (const permissions of others) {
        const answer = await resend(site, id, await as(site, ...permissions));
        expectResponse('resendEmail', answer, 403, 'permission_denied');
      }
    });

    test('only if it has failed, and is a login link of a member or an invitation', async () => {
      const site = await server.createSite();
      await aDomain(site);
      await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
      const notSent = await anEmailAtRest(site);
      const email = `new-${crypto.randomUUID()}@example.com`;
      await new Visitor(site).requestLink(email);
      await emailTo(server, email);
      const ofVisitor = (await everyItem(site, '/emails')).find(({ recipient }) => recipient === email)!.id;
      await site.failEmail(ofVisitor);
      const ofLimit = await anEmailAtRest(site);
      await site.failEmail(ofLimit);
      await server.database.run(
        sql`UPDATE emails SET type = 'session_limit' WHERE site_id = ${site.siteId} AND id = ${ofLimit}`,
      );
      for (const id of [notSent, ofVisitor, ofLimit])
        expectResponse('resendEmail', await resend(site, id), 409, 'email_not_resendable');
      expectResponse('resendEmail', await resend(site, unknownId()), 404, 'email_not_found');
      const other = await server.createSite();
      const { id } = await aFailedLink(other);
      expectResponse('resendEmail', await resend(site, id), 404, 'email_not_found');
    });

    test('not to a member who is blocked or deleted, nor to a former operator', async () => {
      const site = await server.createSite();
      const blocked = await aFailedLink(site);
      await site.patch(`/members/${blocked.member.id}`, { status: 'blocked' });
      expectResponse('resendEmail', await resend(site, blocked.id), 409, 'member_blocked');
      const deleted = await aFailedLink(site);
      await site.delete(`/members/${deleted.member.id}`);
      expectResponse('resendEmail', await resend(site, deleted.id), 404, 'email_not_found');
      const { id, operator } = await aFailedInvitation(site);
      const [row] = await server.database.all<{ content: string }>(
        sql`SELECT content FROM emails WHERE site_id = ${site.siteId} AND id = ${id}`,
      );
      expect(row!.content).toBeNull();
      await server.database.run(
        sql`DELETE FROM operator_roles WHERE site_id = ${site.siteId} AND id = ${operator.id}`,
      );
      expectResponse('resendEmail', await resend(site, id), 404, 'operator_not_found');
    });

    test('within the budgets, and once for one idempotency key', async () => {
      const site = await server.createSite();
      const { id } = await aFailedLink(site);
      const key = { 'idempotency-key': crypto.randomUUID() };
      const [first, again] = [await resend(site, id, key), await resend(site, id, key)];
      expect(again.text).toBe(first.text);
      const statuses = [];
      for (let count = 0; count < 9; count += 1) statuses.push((await resend(site, id)).status);
      // The first email of the key to this person was the one that has failed.
      expect(statuses).toEqual([...Array(8).fill(201), 429]);
      const { id: invitation } = await aFailedInvitation(site);
      const invited = [];
      for (let count = 0; count < 10; count += 1) invited.push((await resend(site, invitation)).status);
      expect(invited).toEqual([...Array(9).fill(201), 429]);
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
      expectResponse('getEmail', await site.get(`/emails/${emailId}`), 404, 'email_not_found');
    }
    expect(await everyItem(site, '/emails')).toEqual([]);
  });
});
