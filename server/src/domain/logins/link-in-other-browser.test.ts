import { expect, test } from 'vitest';
import { aDomain, aLoginLink, aMember, aSession } from '../../../test/contract/given.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { anOperator, OperatorBrowser } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite, VisitResponse } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo, Visitor } from '../../../test/visitor.ts';

const minute = 60_000;
const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock, settings: { loginLimit: 0, loginLimitClient: 0 } });

  const isLoggedIn = async (visitor: Visitor) => (await visitor.get('/_gatehouse/account')).status === 200;
  const enter = (visitor: Visitor, code: string | undefined) =>
    visitor.post('/_gatehouse/code', { code: code! });
  const isFormAgain = (answer: VisitResponse) =>
    answer.status === 400 || answer.headers.location === '/_gatehouse/login';

  /** A browser that has requested a link, and another one in which it was pressed. */
  async function pressedElsewhere(site: TestSite, email: string, next?: string) {
    const [visitor, other] = [new Visitor(site), new Visitor(site)];
    await visitor.requestLink(email, next);
    const { path, code } = await emailTo(server, email);
    const pressed = await other.post(path, {}, firefox);
    expect([pressed.status, await isLoggedIn(other)]).toEqual([303, true]);
    return { visitor, other, path, code: code!, wrong: code === '000000' ? '000001' : '000000' };
  }

  /** The address of the page about other sessions that a login has led to. */
  const pageOf = ({ headers }: VisitResponse) => headers.location!.replace(/^https:\/\/[^/]+/, '');

  test('a code still works, once, after its link was pressed in a browser that had not requested it', async () => {
    const site = await server.createSite();
    const { email, id } = await aMember(site);
    const { visitor, other, path, code } = await pressedElsewhere(site, email, '/course?week=1');
    expect((await new Visitor(site).post(path)).status).toBe(410);
    for (const elsewhere of [other, new Visitor(site)])
      expect(isFormAgain(await enter(elsewhere, code))).toBe(true);

    const requested = visitor.cookies.get('__Host-gatehouse_login')!;
    expect((await enter(visitor, code)).status).toBe(303);
    expect(await isLoggedIn(visitor)).toBe(true);
    const again = new Visitor(site);
    again.cookies.set('__Host-gatehouse_login', requested);
    expect(isFormAgain(await enter(again, code))).toBe(true);
    expect((await again.post(path)).status).toBe(410);
    expect((await site.get(`/members/${id}/sessions`)).body.data).toHaveLength(2);
  });

  test('whoever then enters the code sees the other session and can end it', async () => {
    const site = await server.createSite();
    const { email } = await aMember(site);
    const { visitor, other, code } = await pressedElsewhere(site, email, '/course?week=1');
    const page = pageOf(await enter(visitor, code));
    const { status, text } = await visitor.get(page);
    expect([status, text]).toEqual([200, expect.stringContaining('Firefox')]);
    expect(text).toContain('href="/course?week=1"');
    const [, end] = /name="end" value="([\w-]+)"/.exec(text)!;
    const ended = await visitor.post('/_gatehouse/other-sessions', { end: end!, next: '/course?week=1' });
    expect([await isLoggedIn(other), await isLoggedIn(visitor)]).toEqual([false, true]);
    const further = await visitor.get(pageOf(ended));
    expect(further.headers.location).toBe(`https://${await aDomain(site)}/course?week=1`);
    expect((await visitor.get(page)).headers.location).toBe(`https://${await aDomain(site)}/course?week=1`);
  });

  test('a login through a service worker of the site, which cannot show the page, skips it', async () => {
    const site = await server.createSite();
    const { email } = await aMember(site);
    const { visitor, code } = await pressedElsewhere(site, email, '/course?week=1');
    const passedOn = {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'empty',
    };
    const { headers } = await visitor.post('/_gatehouse/code', { code }, passedOn);
    expect(headers.location).toBe(`https://${await aDomain(site)}/course?week=1`);
    expect(await isLoggedIn(visitor)).toBe(true);
  });

  test('the page about other sessions shows only those of the visitor, and leads only to the site', async () => {
    const site = await server.createSite();
    const { email } = await aMember(site);
    const { visitor, code } = await pressedElsewhere(site, email);
    await enter(visitor, code);
    const foreign = await aSession(site, (await aMember(site)).id);
    const page = `/_gatehouse/other-sessions?id=${foreign.id}&id=x&next=${encodeURIComponent('//evil.example')}`;
    const front = `https://${await aDomain(site)}/`;
    expect((await visitor.get(page)).headers.location).toBe(front);
    const form = { end: foreign.id, next: 'https://evil.example/' };
    const ended = await visitor.post('/_gatehouse/other-sessions', form);
    expect((await visitor.get(pageOf(ended))).headers.location).toBe(front);
    const verified = await site.post('/sessions/verify', { token: foreign.token });
    expect(verified.body.data.member).not.toBeNull();
    const anonymous = await new Visitor(site).get(page);
    expect(anonymous.headers.location).toContain('/_gatehouse/login');
  });

  test('five wrong codes and ten minutes remain the limits of a code whose link was pressed elsewhere', async () => {
    const site = await server.createSite();
    const { email } = await aMember(site);
    const tried = await pressedElsewhere(site, email);
    for (let count = 0; count < 5; count += 1) await enter(tried.visitor, tried.wrong);
    expect(isFormAgain(await enter(tried.visitor, tried.code))).toBe(true);
    const late = await pressedElsewhere(site, (await aMember(site)).email);
    advance(10.5 * minute);
    expect(isFormAgain(await enter(late.visitor, late.code))).toBe(true);
    advance(-10.5 * minute);
  });

  test.each([
    ['is blocked', (site: TestSite, id: string) => site.patch(`/members/${id}`, { status: 'blocked' })],
    ['is logged out everywhere', (site: TestSite, id: string) => site.delete(`/members/${id}/sessions`)],
  ])('a code whose link was pressed elsewhere ends once the member %s', async (_, change) => {
    const site = await server.createSite();
    const { email, id } = await aMember(site);
    const { visitor, code } = await pressedElsewhere(site, email);
    expect((await change(site, id)).status).toBeLessThan(300);
    await site.patch(`/members/${id}`, { status: 'active' });
    expect(isFormAgain(await enter(visitor, code))).toBe(true);
  });

  test('in the browser that requested it, a link that was pressed elsewhere leads to the code', async () => {
    const site = await server.createSite();
    const { email } = await aMember(site);
    const { visitor, path, code } = await pressedElsewhere(site, email);
    for (const answer of [await visitor.get(path), await visitor.post(path)]) {
      expect([answer.status, answer.text]).toEqual([
        410,
        expect.stringContaining('href="/_gatehouse/check"'),
      ]);
    }
    expect((await new Visitor(site).get(path)).text).not.toContain('/_gatehouse/check');
    expect((await enter(visitor, code)).status).toBe(303);
  });

  test('a link of another request or of an operator, pressed elsewhere, ends no code', async () => {
    const site = await server.createSite();
    const { email, id } = await aMember(site);
    const [first, second] = [new Visitor(site), new Visitor(site)];
    await first.requestLink(email);
    await second.requestLink(email);
    const code = (await emailTo(server, email, 2)).code;
    await new Visitor(site).post(`/_gatehouse/link/${await aLoginLink(site, id)}`);
    expect((await new Visitor(site).post((await emailTo(server, email, 2)).path)).status).toBe(410);
    expect((await enter(second, code)).status).toBe(303);
  });

  test('a login where the link was requested ends the codes of all links of the address', async () => {
    const site = await server.createSite();
    const { email } = await aMember(site);
    const { visitor: first, code } = await pressedElsewhere(site, email);
    const second = new Visitor(site);
    await second.requestLink(email);
    expect((await second.post((await emailTo(server, email, 2)).path)).status).toBe(303);
    expect(isFormAgain(await enter(first, code))).toBe(true);
  });

  test('codes whose links were pressed elsewhere leave room for three links', async () => {
    const site = await server.createSite();
    const { email } = await aMember(site);
    const { visitor, code } = await pressedElsewhere(site, email);
    for (let count = 2; count <= 4; count += 1) {
      await new Visitor(site).requestLink(email);
      expect((await new Visitor(site).get((await emailTo(server, email, count)).path)).status).toBe(200);
    }
    expect((await enter(visitor, code)).status).toBe(303);
  });

  test('the same is true of operators', async () => {
    const site = await server.createSite();
    const { email } = await anOperator(server, site.siteId);
    const [browser, other] = [new OperatorBrowser(server), new OperatorBrowser(server)];
    await browser.visit('POST', '/dashboard/login', { email, next: '/dashboard/academy/members' });
    const { path, code } = await emailTo(server, email);
    expect((await other.visit('POST', path, {}, firefox)).status).toBe(303);
    const entered = await browser.visit('POST', '/dashboard/code', { code: code! });
    const page = entered.headers.location!.replace(/^http:\/\/[^/]+/, '');
    const { status, text } = await browser.visit('GET', page);
    expect([status, text]).toEqual([200, expect.stringContaining('Firefox')]);
    const [, end] = /name="end" value="([\w-]+)"/.exec(text)!;
    await browser.visit('POST', '/dashboard/other-sessions', { end: end! });
    expect((await other.request('GET', 'me')).status).toBe(401);
    expect((await browser.request('GET', 'me')).status).toBe(200);
  });
});
