import { describe, expect, test } from 'vitest';
import { aDomain, aGroup, aMember, everyItem } from '../../../../test/contract/given.ts';
import {
  aJoinRequest,
  anAddress,
  anInvitation,
  anOpenSite,
  joinRequestsOf,
  pathOf,
  pressLink,
  sendJoinForm,
  unlimitedJoining,
} from '../../../../test/joining.ts';
import { forEachStore } from '../../../../test/stores.ts';
import type { TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { emailTo, everyLoginRequestProcessed, Visitor } from '../../../../test/visitor.ts';

forEachStore((store) => {
  const lines: string[] = [];
  const settings = { ...unlimitedJoining, logLevel: 'info' } as const;
  const server = useTestServer(store, { settings, log: (line) => lines.push(line) });

  const membersOf = (site: TestSite) => everyItem(site, '/members');
  const usedCountOf = async (site: TestSite, id: string) =>
    (await site.get(`/invitations/${id}`)).body.data.usedCount;
  /** A browser in which a member is logged in. */
  const loggedIn = async (site: TestSite, email: string) => {
    const visitor = new Visitor(site);
    await visitor.requestLink(email);
    await visitor.post((await emailTo(server, email)).path);
    expect(visitor.session).toBeDefined();
    return visitor;
  };

  describe('the page of an invitation', () => {
    test('says what it gives and to whom, and changes nothing, no matter how often it is opened', async () => {
      const site = await server.createSite();
      const group = await aGroup(site, { name: 'Rowing & sailing' });
      const emailDomains = ['club.example'];
      const invitation = await anInvitation(site, { accessGroupIds: [group.id], emailDomains, maxUses: 1 });
      const pages = [];
      for (let index = 0; index < 3; index += 1) pages.push(await new Visitor(site).get(pathOf(invitation)));
      for (const { status, text, headers } of pages) {
        expect(status).toBe(200);
        expect(text).toContain('<bdi>Rowing &amp; sailing</bdi>');
        expect(text).toContain('<bdi>club.example</bdi>');
        expect(text).not.toContain('name="message"');
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
          'referrer-policy': 'strict-origin',
        });
      }
      expect(await usedCountOf(site, invitation.id)).toBe(0);
    });

    test('makes a member of the person who presses the link in the email, in the groups, and logs in', async () => {
      const site = await server.createSite();
      const group = await aGroup(site);
      const invitation = await anInvitation(site, { accessGroupIds: [group.id], maxUses: 1 });
      const email = anAddress();
      const visitor = new Visitor(site);
      const sent = await sendJoinForm(visitor, pathOf(invitation), { email, next: '/course' });
      expect([sent.status, sent.headers.location]).toEqual([303, '/_gatehouse/check']);
      expect(await membersOf(site)).toEqual([]);
      const pressed = await pressLink(server, visitor, email);
      expect(pressed.headers.location).toBe(`https://${await aDomain(site)}/course`);
      expect(visitor.session).toBeDefined();
      expect(await membersOf(site)).toMatchObject([{ email, verified: true }]);
      expect(await everyItem(site, `/access-groups/${group.id}/memberships`)).toHaveLength(1);
      expect(await usedCountOf(site, invitation.id)).toBe(1);
    });

    test('also joins with the code of the email', async () => {
      const site = await server.createSite();
      const invitation = await anInvitation(site);
      const email = anAddress();
      const visitor = new Visitor(site);
      await sendJoinForm(visitor, pathOf(invitation), { email });
      const { code } = await emailTo(server, email);
      expect((await visitor.get('/_gatehouse/check')).text).toContain('id="code-form"');
      expect((await visitor.post('/_gatehouse/code', { code: code! })).status).toBe(303);
      expect(await membersOf(site)).toMatchObject([{ email }]);
    });

    test('of which the last use is taken between the email and the press, makes no member and says so', async () => {
      const site = await server.createSite();
      const invitation = await anInvitation(site, { maxUses: 1 });
      const people = [anAddress(), anAddress()].map((email) => ({ email, visitor: new Visitor(site) }));
      for (const { email, visitor } of people) await sendJoinForm(visitor, pathOf(invitation), { email });
      await everyLoginRequestProcessed(server);
      const [first, second] = people as [(typeof people)[0], (typeof people)[0]];
      expect((await pressLink(server, first.visitor, first.email)).status).toBe(303);
      const pressed = await pressLink(server, second.visitor, second.email);
      expect([pressed.status, second.visitor.session]).toEqual([410, undefined]);
      expect(pressed.text).toContain('This invitation is no longer valid');
      expect(await membersOf(site)).toMatchObject([{ email: first.email }]);
      expect((await new Visitor(site).get(pathOf(invitation))).status).toBe(410);
    });

    test('that is revoked between the email and the press logs a member in as usual', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const group = await aGroup(site);
      const invitation = await anInvitation(site, { accessGroupIds: [group.id] });
      const visitor = new Visitor(site);
      await sendJoinForm(visitor, pathOf(invitation), { email });
      await everyLoginRequestProcessed(server);
      await site.delete(`/invitations/${invitation.id}`);
      expect((await pressLink(server, visitor, email)).status).toBe(303);
      expect(visitor.session).toBeDefined();
      expect(await everyItem(site, `/access-groups/${group.id}/memberships`)).toEqual([]);
    });

    test('to an address works for no other one, and the responses are the same', async () => {
      const site = await server.createSite();
      const [invited, other] = [anAddress(), anAddress()];
      const invitation = await anInvitation(site, { email: invited, send: false });
      const path = pathOf(invitation);
      const answers = [];
      for (const email of [invited, other]) {
        const sent = await sendJoinForm(new Visitor(site), path, { email });
        answers.push([sent.status, sent.text, sent.headers.location]);
      }
      expect(answers[0]).toEqual(answers[1]);
      await emailTo(server, invited);
      await everyLoginRequestProcessed(server);
      const { data } = (await site.get('/emails')).body;
      expect(data.map(({ recipient }: { recipient: string }) => recipient)).toEqual([invited]);
    });

    test('lets a member who is logged in join with one press', async () => {
      const site = await server.createSite();
      const { id, email } = await aMember(site);
      const group = await aGroup(site);
      const invitation = await anInvitation(site, { accessGroupIds: [group.id] });
      const visitor = await loggedIn(site, email);
      const shown = await visitor.get(pathOf(invitation));
      expect(shown.text).toContain(email);
      expect(shown.text).not.toContain('name="email"');
      const joined = await visitor.post(pathOf(invitation), { as: 'member', next: '/course' });
      expect(joined.headers.location).toBe(`https://${await aDomain(site)}/course`);
      expect(await everyItem(site, `/access-groups/${group.id}/memberships`)).toMatchObject([
        { memberId: id },
      ]);
      expect((await visitor.post(pathOf(invitation), { as: 'member' })).status).toBe(303);
      expect(await usedCountOf(site, invitation.id)).toBe(1);
    });

    test('says to a member with another address that it is for another one', async () => {
      const site = await server.createSite();
      const { email } = await aMember(site);
      const invited = anAddress();
      const invitation = await anInvitation(site, { email: invited, send: false });
      const answer = await (await loggedIn(site, email)).get(pathOf(invitation));
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('This invitation is for another email address');
      expect(answer.text).not.toContain(invited);
    });

    test('that needs approval makes a request instead of a member, and takes no use', async () => {
      const site = await server.createSite();
      const group = await aGroup(site);
      const values = { accessGroupIds: [group.id], needsApproval: true, maxUses: 1 };
      const invitation = await anInvitation(site, values);
      const request = await aJoinRequest(server, site, {
        path: pathOf(invitation),
        displayName: ' Ada ',
        message: 'Class 7b\r\n<b>please</b>',
      });
      expect(request).toMatchObject({
        displayName: 'Ada',
        message: 'Class 7b\n<b>please</b>',
        invitationId: invitation.id,
        requestedGroupIds: [group.id],
        memberId: null,
        status: 'pending',
      });
      expect(await membersOf(site)).toEqual([]);
      expect(await usedCountOf(site, invitation.id)).toBe(0);
    });

    test('is the same for an unknown code and for one that has ended: 410', async () => {
      const site = await server.createSite();
      const invitation = await anInvitation(site);
      await site.delete(`/invitations/${invitation.id}`);
      const unknown = `/_gatehouse/join/${'x'.repeat(43)}`;
      const [ended, missing] = [
        await site.visit('GET', pathOf(invitation)),
        await site.visit('GET', unknown),
      ];
      expect([ended.status, missing.status]).toEqual([410, 410]);
      expect(ended.text).toBe(missing.text);
    });

    test('the log has no code of an invitation', async () => {
      const site = await server.createSite();
      const invitation = await anInvitation(site);
      const code = pathOf(invitation).split('/').at(-1)!;
      await site.visit('POST', pathOf(invitation), { form: { email: anAddress() } });
      await site.delete(`/invitations/${invitation.id}`);
      await site.visit('GET', pathOf(invitation));
      await expect.poll(() => lines.join()).toContain('/_gatehouse/join/*');
      expect(lines.join()).not.toContain(code);
    });
  });

  describe('a program that opens every link and sends every form without cookies', () => {
    test('redeems nothing and uses up nothing', async () => {
      const site = await anOpenSite(server, { allowsAccessRequests: true });
      const invitation = await anInvitation(site, { maxUses: 1 });
      const email = anAddress();
      const program = (path: string, form: Record<string, string>) => site.visit('POST', path, { form });
      for (const path of [pathOf(invitation), '/_gatehouse/join']) {
        expect((await site.visit('GET', path)).status).toBe(200);
        const answer = await program(path, { email: anAddress(), next: '/' });
        expect([answer.status, answer.headers['set-cookie']]).toEqual([400, undefined]);
        expect(answer.text).toContain('Your browser sent no cookie');
      }
      const visitor = new Visitor(site);
      await sendJoinForm(visitor, pathOf(invitation), { email });
      const { path } = await emailTo(server, email);
      expect((await site.visit('GET', path)).status).toBe(200);
      expect((await program(path, {})).status).toBe(400);
      expect(await usedCountOf(site, invitation.id)).toBe(0);
      expect(await membersOf(site)).toEqual([]);
      expect((await pressLink(server, visitor, email)).status).toBe(303);
      expect(await membersOf(site)).toMatchObject([{ email }]);
    });

    test('asks for nothing in the name of who has requested a login', async () => {
      const site = await anOpenSite(server);
      const email = anAddress();
      const visitor = new Visitor(site);
      await visitor.requestLink(email);
      const { path } = await emailTo(server, email);
      expect((await site.visit('POST', path, { form: {} })).status).toBe(400);
      expect(await joinRequestsOf(site)).toEqual([]);
      expect((await pressLink(server, visitor, email)).status).toBe(200);
      expect(await joinRequestsOf(site)).toHaveLength(1);
    });
  });

  describe('asking to join', () => {
    test('is offered on the login page under approval, and is unknown elsewhere', async () => {
      const site = await anOpenSite(server);
      const login = await site.visit('GET', '/_gatehouse/login?next=/course');
      expect(login.text).toContain('href="/_gatehouse/join?next=%2Fcourse"');
      const other = await server.createSite();
      await aDomain(other);
      expect((await other.visit('GET', '/_gatehouse/login')).text).not.toContain('/_gatehouse/join');
      expect((await other.visit('GET', '/_gatehouse/join')).status).toBe(404);
      expect((await other.visit('POST', '/_gatehouse/join', { form: { email: anAddress() } })).status).toBe(
        404,
      );
    });

    test('stores a request with what was entered once the address is verified, and no session', async () => {
      const site = await anOpenSite(server);
      const email = anAddress();
      const visitor = new Visitor(site);
      const form = { email, displayName: 'Ada', message: 'Hello', next: '/course?secret=1' };
      await sendJoinForm(visitor, '/_gatehouse/join', form);
      await emailTo(server, email);
      expect(await joinRequestsOf(site)).toEqual([]);
      const pressed = await pressLink(server, visitor, email);
      expect(pressed.text).toContain('Your request was sent');
      expect(visitor.session).toBeUndefined();
      const [request] = await joinRequestsOf(site);
      expect(request).toMatchObject({ email, displayName: 'Ada', message: 'Hello', path: '/course' });
      const [event] = await everyItem(site, '/events?type=join-request.created');
      expect(event).toMatchObject({ ipAddress: null, data: { joinRequestId: request!.id, memberId: null } });
      expect(JSON.stringify(event)).not.toContain(email);
    });

    test('after an ordinary login request, the page of the link has the fields', async () => {
      const site = await anOpenSite(server);
      const email = anAddress();
      const visitor = new Visitor(site);
      await visitor.requestLink(email, '/course');
      const { path } = await emailTo(server, email);
      const page = await visitor.get(path);
      expect(page.text).toContain('name="message"');
      expect(page.text).not.toContain('press.js');
      const long = await visitor.post(path, { displayName: '', message: 'x'.repeat(501) });
      expect([long.status, long.text]).toEqual([400, expect.stringContaining('x'.repeat(501))]);
      await visitor.post(path, { displayName: 'Ada', message: '' });
      const [request] = await joinRequestsOf(site);
      expect(request).toMatchObject({ email, displayName: 'Ada', message: null, path: '/course' });
    });

    test('an address at one of the domains becomes a member at once', async () => {
      const domains = [{ domain: 'example.com', accessGroupIds: [] }];
      const site = await anOpenSite(server, { signUp: { policy: 'approval', domains } });
      const email = anAddress();
      const visitor = new Visitor(site);
      await sendJoinForm(visitor, '/_gatehouse/join', { email });
      expect((await pressLink(server, visitor, email)).status).toBe(303);
      expect(await membersOf(site)).toMatchObject([{ email }]);
      expect(await joinRequestsOf(site)).toEqual([]);
    });

    test('a member logs in instead', async () => {
      const site = await anOpenSite(server);
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      await sendJoinForm(visitor, '/_gatehouse/join', { email });
      expect((await pressLink(server, visitor, email)).status).toBe(303);
      expect(visitor.session).toBeDefined();
      expect(await joinRequestsOf(site)).toEqual([]);
    });

    test('a form or a press that is sent twice has the effect of one, and the same page', async () => {
      const site = await anOpenSite(server);
      const email = anAddress();
      const visitor = new Visitor(site);
      await visitor.get('/_gatehouse/join');
      for (let index = 0; index < 2; index += 1) await visitor.post('/_gatehouse/join', { email });
      const { path } = await emailTo(server, email);
      await everyLoginRequestProcessed(server);
      expect((await site.get('/emails')).body.data).toHaveLength(1);
      await visitor.get(path);
      const [first, second] = [await visitor.post(path), await visitor.post(path)];
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(second.text).toBe(first.text);
      expect(await joinRequestsOf(site)).toHaveLength(1);
    });

    test('a person who asks again while a request waits gets the same page, and stores nothing', async () => {
      const site = await anOpenSite(server);
      const { email, id } = await aJoinRequest(server, site, { message: 'First' });
      const visitor = new Visitor(site);
      await sendJoinForm(visitor, '/_gatehouse/join', { email, message: 'Second' });
      const { path } = await emailTo(server, email, 2);
      await visitor.get(path);
      expect((await visitor.post(path)).text).toContain('Your request was sent');
      expect(await joinRequestsOf(site)).toMatchObject([{ id, message: 'First' }]);
    });
  });

  describe('asking for access', () => {
    test('is offered on the page that denies it, if the site allows that, and needs no email', async () => {
      const site = await server.createSite();
      await aDomain(site);
      const { id, email } = await aMember(site, { displayName: 'Grace' });
      const visitor = await loggedIn(site, email);
      expect((await visitor.get('/_gatehouse/join')).status).toBe(404);
      await site.patch('/site', { allowsAccessRequests: true });
      const page = await visitor.get('/_gatehouse/join?next=/board/minutes');
      expect(page.text).toContain('name="message"');
      expect(page.text).not.toContain('name="email"');
      const form = { as: 'member', next: '/board/minutes', message: 'I am the secretary.' };
      const sent = await visitor.post('/_gatehouse/join', form);
      expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('Your request was sent')]);
      expect(await joinRequestsOf(site)).toMatchObject([
        { email, memberId: id, displayName: 'Grace', path: '/board/minutes', message: 'I am the secretary.' },
      ]);
      expect((await visitor.post('/_gatehouse/join', form)).text).toContain('Your request was sent');
      expect(await joinRequestsOf(site)).toHaveLength(1);
    });
  });
});
