import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Authenticator } from '../../../test/authenticator.ts';
import { changing } from '../../../test/change.ts';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aDomain, aMember, aSession, everyItem, unknownId } from '../../../test/contract/given.ts';
import { type Recording, recordStatements } from '../../../test/contract/recorded-statements.ts';
import {
  aBrowser,
  addMemberPasskey,
  logInWithMemberPasskey,
  passkeyStepAt,
} from '../../../test/member-passkeys.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { systemContext } from '../../base/change-context.ts';
import { beginPasskeyLogin } from '../../http/shared/login/passkey-steps.ts';
import { emailComposer } from '../../pages/emails/email-composer.ts';
import { completeLogin } from '../logins/login.ts';
import { lockMember } from '../members/member-lookup.ts';
import { deleteMember } from '../members/members.ts';
import { asMember } from '../own-account/own-session.ts';
import { generateToken } from '../sessions/token.ts';
import { consumePasskeyOffer, wasOfferedPasskey } from './own-passkeys.ts';
import { consumeChallenge } from './passkeys.ts';

const minute = 60_000;

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  /** Lets time pass for the rest of a test. */
  function wait(milliseconds: number): void {
    advance(milliseconds);
    onTestFinished(() => advance(-milliseconds));
  }

  /** A member who has just logged in with a link, with an authenticator of the own. */
  async function aLoggedInMember(site: TestSite) {
    const origin = `https://${await aDomain(site)}`;
    const member = await aMember(site);
    const session = await aSession(site, member.id);
    const step = await passkeyStepAt(server, site, clock);
    return { member, session, step, authenticator: new Authenticator(origin) };
  }

  /** The same, with a passkey. */
  async function aMemberWithPasskey(site: TestSite) {
    const logged = await aLoggedInMember(site);
    const passkey = (await addMemberPasskey(logged.step, logged.session, logged.authenticator))!;
    return { ...logged, passkey };
  }

  const passkeysOf = async (site: TestSite, id: string) =>
    expectResponse('listMemberPasskeys', await site.get(`/members/${id}/passkeys`), 200).data;
  const sessionsOf = async (site: TestSite, id: string) =>
    (await site.get(`/members/${id}/sessions`)).body.data;
  const eventsOf = (site: TestSite, type: string) => everyItem(site, `/events?type=member.passkey.${type}`);

  async function emailsOf(memberId: string): Promise<{ type: string; text: string }[]> {
    const rows = await server.database.all<{ type: string; content: string }>(sql`
      SELECT type, content FROM emails
      WHERE member_id = ${memberId} AND type IN ('new_passkey', 'passkey_removed') ORDER BY id`);
    return rows.map(({ type, content }) => ({ type, text: JSON.parse(content).text }));
  }

  describe('a passkey of a member', () => {
    test('is added after a login by email, and logs in', async () => {
      const site = await server.createSite();
      const { member, session, step, authenticator } = await aLoggedInMember(site);
      authenticator.isSynced = true;
      const passkey = await addMemberPasskey(step, session, authenticator);
      const added = { name: 'My phone', lastUsedAt: null, synced: true, disabled: false };
      expect(passkey).toMatchObject(added);
      expect(await passkeysOf(site, member.id)).toEqual([passkey]);
      expect(await eventsOf(site, 'added')).toMatchObject([
        {
          actor: { type: 'member', id: member.id },
          data: { memberId: member.id, passkey: { id: passkey!.id, name: 'My phone', synced: true } },
        },
      ]);
      const [email, ...others] = await emailsOf(member.id);
      expect([email!.type, others]).toEqual(['new_passkey', []]);
      expect(email!.text).toContain('“My phone”');
      expect(email!.text).toContain(`${authenticator.origin}/_gatehouse/account`);

      const before = (await site.get(`/members/${member.id}`)).body.data;
      wait(minute);
      const login = await logInWithMemberPasskey(step, authenticator);
      expect(login).toMatchObject({ outcome: 'logged_in', next: '/course' });
      const [newest] = await sessionsOf(site, member.id);
      expect(newest).toMatchObject({ method: 'passkey' });
      const { verified, lastLoginAt, lastSeenAt } = (await site.get(`/members/${member.id}`)).body.data;
      expect([verified, lastLoginAt]).toEqual([before.verified, before.lastLoginAt]);
      expect(lastSeenAt > before.lastSeenAt).toBe(true);
      const [used] = await passkeysOf(site, member.id);
      expect(used.lastUsedAt).toBe(clock().toISOString());
      const logins = (await site.get(`/events?type=member.login&memberId=${member.id}`)).body.data;
      expect(logins.at(-1).data.passkey).toEqual({ id: used.id, name: 'My phone' });
    });

    test('is found by the browser: the options name no passkey, and are the same for everybody', async () => {
      const site = await server.createSite();
      const { step } = await aMemberWithPasskey(site);
      const { challenge, ...options } = await beginPasskeyLogin(step, generateToken());
      expect(challenge).toMatch(/^[\w-]{43}$/);
      const rpId = (await aDomain(site)).replace(/:.*/, '');
      expect(options).toEqual({ rpId, timeout: 300_000, userVerification: 'required' });
    });

    test('of a blocked member fails like one that is not known, and changes nothing', async () => {
      const site = await server.createSite();
      const { member, step, authenticator } = await aMemberWithPasskey(site);
      await site.patch(`/members/${member.id}`, { status: 'blocked' });
      const before = await passkeysOf(site, member.id);
      expect(await logInWithMemberPasskey(step, authenticator)).toEqual({ outcome: 'expired' });
      expect(await passkeysOf(site, member.id)).toEqual(before);
      expect(await sessionsOf(site, member.id)).toEqual([]);
      expect(await logInWithMemberPasskey(step, new Authenticator(authenticator.origin))).toBeUndefined();
      await site.patch(`/members/${member.id}`, { status: 'active' });
      expect(await logInWithMemberPasskey(step, authenticator)).toMatchObject({ outcome: 'logged_in' });
    });

    test('is one of at most 20', async () => {
      const site = await server.createSite();
      const { member, session, step, authenticator } = await aLoggedInMember(site);
      for (let count = 0; count < 20; count += 1) await site.storePasskey(member.id);
      await expect(addMemberPasskey(step, session, authenticator)).rejects.toThrow('the maximum');
    });

    test('is not added to a second member', async () => {
      const site = await server.createSite();
      const { authenticator, step } = await aMemberWithPasskey(site);
      const { session } = await aLoggedInMember(site);
      await expect(addMemberPasskey(step, session, authenticator)).rejects.toThrow('already registered');
    });
  });

  const openedWith = ({ session: { id } }: LoggedIn, method: string) =>
    server.database.run(sql`UPDATE sessions SET method = ${method} WHERE id = ${id}`);

  const endsWithKey = ({ session: { id }, member }: LoggedIn) =>
    server.database.run(
      sql`UPDATE sessions SET ends_at = expires_at WHERE id = ${id} AND member_id = ${member.id}`,
    );

  type LoggedIn = Awaited<ReturnType<typeof aLoggedInMember>>;

  test.each<[string, (logged: LoggedIn, site: TestSite) => Promise<unknown> | undefined, string]>([
    ['more than 10 minutes ago', async () => wait(11 * minute), 'login_not_recent'],
    ['with a passkey', (logged) => openedWith(logged, 'passkey'), 'login_not_recent'],
    ['with an account elsewhere', (logged) => openedWith(logged, 'provider'), 'login_not_recent'],
    ['with a link of a key that expires', endsWithKey, 'login_not_recent'],
    [
      'and was blocked',
      ({ member: { id } }, site) => site.patch(`/members/${id}`, { status: 'blocked' }),
      'logged_out',
    ],
    [
      'in a session that has ended',
      ({ member: { id } }, site) => site.delete(`/members/${id}/sessions`),
      'logged_out',
    ],
    [
      'on a site without passkeys',
      (_, site) => site.patch('/site', { allowsPasskeys: false }),
      'permission_denied',
    ],
  ])('a member who logged in %s adds none', async (_, change, code) => {
    const site = await server.createSite();
    const logged = await aLoggedInMember(site);
    await change(logged, site);
    const added = addMemberPasskey(logged.step, logged.session, logged.authenticator);
    await expect(added).rejects.toMatchObject({ code });
    expect(await passkeysOf(site, logged.member.id)).toEqual([]);
    expect(await emailsOf(logged.member.id)).toEqual([]);
  });

  describe('a passkey is not accepted', () => {
    test.each<[string, (authenticator: Authenticator) => void]>([
      [
        'from a page of a subdomain',
        (each) => Object.assign(each, { origin: each.origin.replace('//', '//evil.') }),
      ],
      ['from another port of the host', (each) => Object.assign(each, { origin: `${each.origin}:8443` })],
      [
        'from a page without https',
        (each) => Object.assign(each, { origin: each.origin.replace('https', 'http') }),
      ],
      ['without verification of the user', (each) => Object.assign(each, { verifiesUser: false })],
    ])('%s, neither when it is added nor at a login', async (_, change) => {
      const site = await server.createSite();
      const { session, step, authenticator } = await aLoggedInMember(site);
      const { origin } = authenticator;
      change(authenticator);
      expect(await addMemberPasskey(step, session, authenticator)).toBeUndefined();
      Object.assign(authenticator, { origin, verifiesUser: true });
      expect(await addMemberPasskey(step, session, authenticator)).toBeDefined();
      change(authenticator);
      expect(await logInWithMemberPasskey(step, authenticator)).toBeUndefined();
    });

    test('that was made for the domain above the host', async () => {
      const site = await server.createSite();
      const { session, step, authenticator } = await aLoggedInMember(site);
      const rp = { id: 'example.com', name: 'Club' };
      const added = addMemberPasskey(step, session, authenticator, (options) => ({ ...options, rp }));
      expect(await added).toBeUndefined();
      await addMemberPasskey(step, session, authenticator);
      const login = logInWithMemberPasskey(step, authenticator, (options) => ({ ...options, rpId: rp.id }));
      expect(await login).toBeUndefined();
    });

    test('for a challenge that is old, of another browser, or used before', async () => {
      const site = await server.createSite();
      const { session, step, authenticator } = await aMemberWithPasskey(site);
      const other = new Authenticator(authenticator.origin);
      let challenge = '';
      const remember = <Options extends { challenge: string }>(options: Options) => {
        challenge ||= options.challenge;
        return { ...options, challenge };
      };
      expect(await addMemberPasskey(step, session, other, remember)).toBeDefined();
      expect(
        await addMemberPasskey(step, session, new Authenticator(other.origin), remember),
      ).toBeUndefined();
      expect(await logInWithMemberPasskey(step, authenticator, remember)).toBeUndefined();
      challenge = '';
      expect(await logInWithMemberPasskey(step, authenticator, remember)).toBeDefined();
      expect(await logInWithMemberPasskey(step, authenticator, remember)).toBeUndefined();
      const browserToken = generateToken();
      await step.act('saveChallengeFor', { browserToken, purpose: 'log_in', challenge: 'c' });
      wait(6 * minute);
      expect(await step.act('consumeChallenge', { browserToken, purpose: 'log_in' })).toBeNull();
      await step.act('saveChallengeFor', { browserToken, purpose: 'add', challenge: 'c' });
      expect(await step.act('consumeChallenge', { browserToken, purpose: 'log_in' })).toBeNull();
      await changing(server.database, (await server.createSite()).siteId, async (change) => {
        expect(await consumeChallenge(change, browserToken, 'add')).toBeNull();
      });
    });

    test.each<
      [string, (known: { site: TestSite; id: string; authenticator: Authenticator }) => Promise<unknown>]
    >([
      [
        'whose user was not verified when it was added',
        ({ id }) => server.database.run(sql`UPDATE passkeys SET user_verified = ${false} WHERE id = ${id}`),
      ],
      ['that names another owner', async ({ authenticator }) => (authenticator.userHandle = unknownId())],
      [
        'whose counter goes back',
        ({ id }) => server.database.run(sql`UPDATE passkeys SET counter = 100 WHERE id = ${id}`),
      ],
      ['while the site has no passkeys', ({ site }) => site.patch('/site', { allowsPasskeys: false })],
      ['while the site has no https', ({ site }) => site.patch('/site', { scheme: 'http' })],
      [
        'while the site has another domain',
        ({ site }) => site.patch('/site', { domain: `${site.siteId}.example.net` }),
      ],
    ])('%s', async (_, change) => {
      const site = await server.createSite();
      const { step, authenticator, passkey, member } = await aMemberWithPasskey(site);
      await change({ site, id: passkey.id, authenticator });
      const now = await passkeyStepAt(server, site, clock);
      for (const each of [step, now]) {
        const login = await logInWithMemberPasskey(each, authenticator);
        expect(['undefined', 'expired']).toContain(login?.outcome ?? 'undefined');
      }
      expect(
        (await sessionsOf(site, member.id)).filter(({ method }: { method: string }) => method === 'passkey'),
      ).toEqual([]);
    });

    test('by another site', async () => {
      const { authenticator } = await aMemberWithPasskey(await server.createSite());
      const { step } = await aMemberWithPasskey(await server.createSite());
      expect(await logInWithMemberPasskey(step, authenticator)).toBeUndefined();
    });
  });

  test('another domain disables a passkey, and the former one enables it again', async () => {
    const site = await server.createSite();
    const { member, authenticator, passkey } = await aMemberWithPasskey(site);
    const domain = await aDomain(site);
    await site.patch('/site', { domain: `other-${domain}` });
    expect(await passkeysOf(site, member.id)).toEqual([{ ...passkey, disabled: true }]);
    await site.patch('/site', { domain });
    expect(await passkeysOf(site, member.id)).toEqual([passkey]);
    const step = await passkeyStepAt(server, site, clock);
    expect(await logInWithMemberPasskey(step, authenticator)).toMatchObject({ outcome: 'logged_in' });
  });

  describe('passkeys end', () => {
    test('with the first login by email, if they were added before it', async () => {
      const site = await server.createSite();
      await aDomain(site);
      const { id } = await aMember(site);
      const passkeyId = await site.storePasskey(id);
      await aSession(site, id);
      expect(await passkeysOf(site, id)).toEqual([]);
      expect(await eventsOf(site, 'removed')).toMatchObject([
        {
          actor: { type: 'member', id },
          data: { memberId: id, passkeyIds: [passkeyId], names: ['My phone'], reason: 'email_verified' },
        },
      ]);
      expect((await emailsOf(id)).map(({ type }) => type)).toEqual(['passkey_removed']);
      const later = await site.storePasskey(id);
      await aSession(site, id);
      expect(await passkeysOf(site, id)).toMatchObject([{ id: later }]);
    });

    test('with a new email address that the site sets, before its owner has logged in', async () => {
      const site = await server.createSite();
      const { member, step, authenticator, passkey } = await aMemberWithPasskey(site);
      await site.patch(`/members/${member.id}`, { email: `new-${member.email}` });
      expect(await logInWithMemberPasskey(step, authenticator)).toBeUndefined();
      expect(await eventsOf(site, 'removed')).toMatchObject([
        { data: { passkeyIds: [passkey.id], reason: 'email_changed' } },
      ]);
    });

    test('with a new email address that the site sets together with a block', async () => {
      const site = await server.createSite();
      const { member, step, authenticator } = await aMemberWithPasskey(site);
      await site.patch(`/members/${member.id}`, { email: `new-${member.email}`, status: 'blocked' });
      expect(await passkeysOf(site, member.id)).toEqual([]);
      await site.patch(`/members/${member.id}`, { status: 'active' });
      expect(await logInWithMemberPasskey(step, authenticator)).toBeUndefined();
    });

    test('with the member', async () => {
      const site = await server.createSite();
      const { member, step, authenticator } = await aMemberWithPasskey(site);
      expect((await site.delete(`/members/${member.id}`)).status).toBe(204);
      expect(await logInWithMemberPasskey(step, authenticator)).toBeUndefined();
      expect(await server.database.all(sql`SELECT id FROM passkeys WHERE member_id = ${member.id}`)).toEqual(
        [],
      );
      // The member has typed its name.
      const [added] = await eventsOf(site, 'added');
      expect(added!.data).toEqual({ memberId: member.id, erased: true });
    });

    test('when the member removes them, one by one', async () => {
      const site = await server.createSite();
      const { member, session, step, passkey } = await aMemberWithPasskey(site);
      const { passkey: foreign } = await aMemberWithPasskey(site);
      const remove = (passkeyId: string) =>
        step.act('deleteOwnPasskey', { sessionToken: session.token, passkeyId, language: 'de' });
      await expect(remove(foreign.id)).rejects.toMatchObject({ code: 'passkey_not_found' });
      await remove(passkey.id);
      await expect(remove(passkey.id)).rejects.toMatchObject({ code: 'passkey_not_found' });
      expect(await passkeysOf(site, member.id)).toEqual([]);
      expect(await eventsOf(site, 'removed')).toMatchObject([
        {
          actor: { type: 'member', id: member.id },
          data: { passkeyIds: [passkey.id], names: ['My phone'], reason: 'removed' },
        },
      ]);
      const { type, text } = (await emailsOf(member.id)).at(-1)!;
      expect([type, text]).toEqual(['passkey_removed', expect.stringContaining('„My phone“')]);
    });

    test('when the site removes one or all, which the member is told', async () => {
      const site = await server.createSite();
      const { member, step, authenticator, passkey } = await aMemberWithPasskey(site);
      const path = `/members/${member.id}/passkeys`;
      const two = [await site.storePasskey(member.id), await site.storePasskey(member.id)];
      expect((await site.delete(`${path}/${passkey.id}`)).status).toBe(204);
      expectResponse(
        'deleteMemberPasskey',
        await site.delete(`${path}/${passkey.id}`),
        404,
        'passkey_not_found',
      );
      expect(await logInWithMemberPasskey(step, authenticator)).toBeUndefined();
      expect((await site.delete(path)).status).toBe(204);
      expect((await site.delete(path)).status).toBe(204);
      expect(await passkeysOf(site, member.id)).toEqual([]);
      const removed = (await eventsOf(site, 'removed')).map(({ data }) => data.passkeyIds);
      expect(removed).toEqual([[passkey.id], two]);
      const texts = (await emailsOf(member.id)).map(({ text }) => text).slice(1);
      expect(texts).toEqual([
        expect.stringContaining('“My phone” was removed'),
        expect.stringContaining('Every passkey was removed'),
      ]);
    });
  });

  describe('a member is offered a passkey', () => {
    const offer = (site: TestSite, token: string) =>
      changing(
        server.database,
        site.siteId,
        (change) => asMember(change, token, (session, own) => consumePasskeyOffer(own, session)),
        systemContext(clock().toISOString()),
      );

    test('once, after a login by email whose form may be sent twice', async () => {
      const site = await server.createSite();
      const { member, session } = await aLoggedInMember(site);
      expect(await offer(site, session.token)).toBe(true);
      expect(await offer(site, session.token)).toBe(true);
      wait(1);
      const later = await aSession(site, member.id);
      expect(await offer(site, later.token)).toBe(false);
      const view = { db: server.database, siteId: site.siteId, now: clock().toISOString() };
      expect(await wasOfferedPasskey(view, session.token)).toBe(false);
      expect(await wasOfferedPasskey(view, later.token)).toBe(true);
    });

    test('but not with a passkey, or on a site that has none', async () => {
      const site = await server.createSite();
      const { session } = await aMemberWithPasskey(site);
      expect(await offer(site, session.token)).toBe(false);
      const other = await aLoggedInMember(site);
      await site.patch('/site', { allowsPasskeys: false });
      expect(await offer(site, other.session.token)).toBe(false);
    });
  });

  test('a first login by email and the deletion of a member run no statement for passkeys that the site does not have', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const { id } = await aMember(site);
    const recording: Recording = [];
    const recorded = recordStatements(server.database, recording);
    await changing(recorded, site.siteId, async (change) => {
      const member = await lockMember(change, id);
      const login = { method: 'link', next: '/' } as const;
      const { outcome } = await completeLogin(change, member, login, aBrowser, emailComposer);
      expect(outcome).toBe('logged_in');
    });
    await changing(recorded, site.siteId, (change) => deleteMember(change, id));
    const texts = recording.flat().map(({ text }) => text);
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => /\b(?:FROM|INTO|UPDATE) passkey/.test(text))).toEqual([]);
  });
});
