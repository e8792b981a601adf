import { describe, expect, test } from 'vitest';
import { Authenticator } from '../../../../test/authenticator.ts';
import { aDomain, aLoginLink, aMember } from '../../../../test/contract/given.ts';
import { forEachStore } from '../../../../test/stores.ts';
import { send, startTestServer, type TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { formKeyIn, Visitor } from '../../../../test/visitor.ts';

forEachStore((store) => {
  const server = useTestServer(store, { settings: { trustedProxies: ['127.0.0.1'] } });

  /** A member's browser on a site with https, logged in by email, and the passkey of its device. */
  async function aLoggedInMember() {
    const site = await server.createSite();
    const domain = await aDomain(site);
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.post(`/_gatehouse/link/${await aLoginLink(site, member.id)}`);
    const authenticator = new Authenticator(`https://${domain}`);
    return { site, domain, member, visitor, authenticator };
  }

  /** Sends a request as the script of a page does. */
  async function post(site: TestSite, visitor: Visitor, path: string, body: unknown, headers = {}) {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await send(`${server.address}/_gatehouse/passkeys/${path}`, 'POST', {
      body,
      headers: { host: (await site.domain())!, cookie, 'sec-fetch-site': 'same-origin', ...headers },
    });
    for (const each of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
      if (value === '') visitor.cookies.delete(name!);
      else visitor.cookies.set(name!, value!);
    }
    return answer;
  }

  const keyOf = async (visitor: Visitor) => formKeyIn((await visitor.get('/_gatehouse/account')).text);

  async function withPasskey() {
    const given = await aLoggedInMember();
    const { site, visitor, authenticator } = given;
    const formKey = await keyOf(visitor);
    const options = (await post(site, visitor, 'options', { formKey })).body.data;
    const response = authenticator.register(options);
    const added = await post(site, visitor, 'add', { formKey, name: 'Phone', response });
    expect(added.status).toBe(201);
    return { ...given, formKey, added: added.body.data };
  }

  describe('adding a passkey', () => {
    test('needs the key of the forms of the account page, a session, and its challenge', async () => {
      const { site, visitor, authenticator, member } = await aLoggedInMember();
      const formKey = await keyOf(visitor);
      expect((await post(site, visitor, 'options', {})).status).toBe(403);
      expect((await post(site, visitor, 'options', { formKey: 'A'.repeat(43) })).status).toBe(403);
      expect((await post(site, new Visitor(site), 'options', { formKey })).status).toBe(401);
      const options = (await post(site, visitor, 'options', { formKey })).body.data;
      expect(options).toMatchObject({ rp: { id: await site.domain() }, user: { name: member.email } });
      const response = authenticator.register(options);
      expect((await post(site, visitor, 'add', { name: 'Phone', response })).status).toBe(403);
      for (const wrong of [
        { name: 'Phone' },
        { name: 1, response },
        { name: 'Phone', response: {} },
        { response },
      ]) {
        expect((await post(site, visitor, 'add', { formKey, ...wrong })).body.error.code).toBe(
          'invalid_request',
        );
      }
      expect((await post(site, visitor, 'add', { formKey, name: 'Phone', response })).status).toBe(201);
      // The challenge works once.
      expect((await post(site, visitor, 'add', { formKey, name: 'Phone', response })).status).toBe(400);
      expect((await site.get(`/members/${member.id}/passkeys`)).body.data).toHaveLength(1);
    });

    test('is not possible from other sites, on http, at other hosts, and where the site does not allow it', async () => {
      const { site, visitor, domain } = await aLoggedInMember();
      const formKey = await keyOf(visitor);
      const options = (headers = {}) => post(site, visitor, 'options', { formKey }, headers);
      expect((await options({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
      expect((await options({ 'content-type': 'text/plain' })).status).toBe(415);
      const forum = `forum.${domain}`;
      await site.patch('/site', { hosts: [{ domain }, { domain: forum }] });
      expect((await options({ host: forum })).status).toBe(404);
      await site.patch('/site', { allowsPasskeys: false });
      expect((await options()).status).toBe(404);
      expect((await post(site, visitor, 'login-options', {})).status).toBe(404);
      expect((await visitor.get('/_gatehouse/account')).text).not.toContain('Passkeys');
      await site.patch('/site', { allowsPasskeys: true });
      expect((await options()).status).toBe(200);
      expect((await site.patch('/site', { hosts: [{ domain, scheme: 'http' }] })).status).toBe(200);
      await expect.poll(async () => (await post(site, visitor, 'login-options', {})).status).toBe(404);
    });
  });

  describe('a login with a passkey', () => {
    const logIn = async (site: TestSite, visitor: Visitor, authenticator: Authenticator, next?: string) => {
      const options = (await post(site, visitor, 'login-options', {})).body.data;
      const response = authenticator.sign(options);
      return post(site, visitor, 'login', { response, ...(next !== undefined && { next }) });
    };

    test('leads on, and only to a page of the site', async () => {
      const { site, authenticator } = await withPasskey();
      for (const [next, end] of [
        ['/members?page=2', '/members?page=2'],
        ['//evil.example', '/'],
        ['/_gatehouse/logout', '/'],
      ]) {
        const other = new Visitor(site);
        expect((await logIn(site, other, authenticator, next)).body).toEqual({ data: { next: end } });
        expect((await other.get('/_gatehouse/account')).status).toBe(200);
      }
    });

    test('is refused with one error, and sets no cookie', async () => {
      const { site, authenticator, member, domain } = await withPasskey();
      const { authenticator: unknown } = await aLoggedInMember();
      const refused = async (used: Authenticator) => {
        const other = new Visitor(site);
        const answer = await logIn(site, other, used);
        expect(other.session).toBeUndefined();
        return [answer.status, answer.body.error.code, answer.body.error.message];
      };
      const expected = await refused(unknown);
      expect(expected.slice(0, 2)).toEqual([400, 'invalid_request']);
      await site.patch(`/members/${member.id}`, { status: 'blocked' });
      expect(await refused(authenticator)).toEqual(expected);
      await site.patch(`/members/${member.id}`, { status: 'active' });
      await site.patch('/site', { domain: `new-${domain}` });
      expect(await refused(authenticator)).toEqual(expected);
      await site.patch('/site', { domain });
      expect((await logIn(site, new Visitor(site), authenticator)).status).toBe(200);
    });

    test('is offered by the login page once somebody has a passkey', async () => {
      const { site, visitor } = await aLoggedInMember();
      const login = async () => (await new Visitor(site).get('/_gatehouse/login')).text;
      expect(await login()).toMatch(/autocomplete="email" (?!.*passkey)/s);
      const formKey = await keyOf(visitor);
      const options = (await post(site, visitor, 'options', { formKey })).body.data;
      const response = new Authenticator(`https://${await site.domain()}`).register(options);
      await post(site, visitor, 'add', { formKey, name: 'Phone', response });
      await expect.poll(login).toMatch(/autocomplete="email webauthn".*id="passkey"/s);
    });
  });

  test('too many requests of a client are refused, which can still request a link', async () => {
    const limited = await startTestServer(store, { settings: { loginLimitClient: 3 } });
    const site = await limited.createSite();
    const headers = { host: await aDomain(site) };
    const statuses = [];
    for (let count = 0; count < 4; count += 1) {
      const path = '/_gatehouse/passkeys/login-options';
      statuses.push((await send(limited.address + path, 'POST', { body: {}, headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await new Visitor(site).requestLink('ada@example.com')).status).toBe(303);
  });

  describe('removing passkeys', () => {
    test('needs the key, and no recent login', async () => {
      const { site, visitor, member, formKey, added } = await withPasskey();
      expect((await visitor.post('/_gatehouse/passkeys/delete', { id: added.id })).status).toBe(403);
      expect((await visitor.post('/_gatehouse/passkeys/delete-all')).status).toBe(403);
      const removed = await visitor.post('/_gatehouse/passkeys/delete', { formKey, id: added.id });
      expect(removed.headers.location).toBe('/_gatehouse/account?saved=passkey-removed');
      expect((await site.get(`/members/${member.id}/passkeys`)).body.data).toEqual([]);
      for (const id of [added.id, 'x']) {
        const again = await visitor.post('/_gatehouse/passkeys/delete', { formKey, id });
        expect(again.headers.location).toBe('/_gatehouse/account');
      }
      await visitor.post('/_gatehouse/passkeys/delete-all', { formKey });
    });

    test('where the site no longer allows them is still possible', async () => {
      const { site, visitor, member, formKey, added } = await withPasskey();
      await site.patch('/site', { allowsPasskeys: false });
      const { text } = await visitor.get('/_gatehouse/account');
      expect(text).toContain('Passkeys cannot be used at this site at present.');
      expect(text).not.toContain('add-passkey');
      await visitor.post('/_gatehouse/passkeys/delete', { formKey, id: added.id });
      expect((await site.get(`/members/${member.id}/passkeys`)).body.data).toEqual([]);
    });
  });

  describe('the offer after a login by link', () => {
    const useLink = async (
      site: TestSite,
      memberId: string,
      form: Record<string, string>,
      next = '/members',
    ) => {
      const visitor = new Visitor(site);
      const link = await aLoginLink(site, memberId, next);
      const { headers } = await visitor.post(`/_gatehouse/link/${link}`, form);
      return { visitor, location: headers.location!.replace(`https://${await site.domain()}`, '') };
    };

    test('is made once, and only to a browser that says that it can hold a passkey', async () => {
      const { site, member } = await aLoggedInMember();
      const wanted = { offersPasskey: 'yes' };
      const offer = '/_gatehouse/passkeys/offer?next=%2Fmembers';
      expect((await useLink(site, member.id, {})).location).toBe('/members');
      expect((await useLink(site, member.id, { offersPasskey: 'no' })).location).toBe('/members');
      const { visitor, location } = await useLink(site, member.id, wanted);
      expect(location).toBe(offer);
      const page = await visitor.get(location);
      expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
      expect(page.text).toContain('href="/members"');
      expect((await useLink(site, member.id, wanted)).location).toBe('/members');
      expect((await new Visitor(site).get(location)).headers.location).toContain(
        '/_gatehouse/login?next=%2Fmembers',
      );
    });

    test('is not made to somebody with a passkey, or where the site does not allow any', async () => {
      const { site, member } = await withPasskey();
      const wanted = { offersPasskey: 'yes' };
      expect((await useLink(site, member.id, wanted)).location).toBe('/members');
      const other = await aMember(site);
      await site.patch('/site', { allowsPasskeys: false });
      expect((await useLink(site, other.id, wanted)).location).toBe('/members');
      await site.patch('/site', { allowsPasskeys: true });
      expect((await useLink(site, other.id, wanted)).location).toContain('/offer?');
    });
  });
});
