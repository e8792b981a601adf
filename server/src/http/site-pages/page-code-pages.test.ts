import { expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { aDomain } from '../../../test/contract/given.ts';
import { aPageCode } from '../../../test/contract/ways-in.ts';
import { hour, timeWithinTheHour } from '../../../test/movable-time.ts';
import { anOperator } from '../../../test/operator.ts';
import { forOneStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { Visitor } from '../../../test/visitor.ts';
import { systemContext } from '../../base/change-context.ts';
import { pausePageCodes } from '../../domain/page-codes/pausing.ts';
import { emailComposer } from '../../pages/emails/email-composer.ts';

const path = '/_gatehouse/page-code';
const pass = '__Host-gatehouse_pass';

forOneStore((store) => {
  const { clock, advance } = timeWithinTheHour();
  const server = useTestServer(store, { clock, settings: { trustedProxies: ['127.0.0.1'] } });

  async function aBrowser(site: TestSite): Promise<Visitor> {
    await aDomain(site);
    const visitor = new Visitor(site);
    await visitor.get(`${path}?next=%2Fclass`);
    return visitor;
  }

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const problem = (text: string) => /role="alert">([^<]*)</.exec(text)?.[1];

  test('the page has one field and works without scripts, in each language', async () => {
    const site = await server.createSite();
    const visitor = await aBrowser(site);
    const languages = ['en', 'de', 'fr', 'es', 'ja'];
    const pages = await Promise.all(
      languages.map((language) => visitor.get(`${path}?next=%2Fclass`, { 'accept-language': language })),
    );
    expect(new Set(pages.map(({ text }) => /<h1>([^<]*)</.exec(text)?.[1])).size).toBe(languages.length);
    const [{ text, headers }] = pages as [(typeof pages)[0]];
    expect(text.match(/<input(?! type="hidden")/g)).toHaveLength(1);
    expect(text).toContain('name="next" value="/class"');
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/^__Host-gatehouse_form=/)]);
  });

  test('the right code sets the cookie of a pass and leads to the page', async () => {
    const site = await server.createSite();
    const { code } = await aPageCode(site);
    const visitor = await aBrowser(site);
    const answer = await visitor.post(path, { code: code!, next: '/class?a=1' });
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      `https://${await aDomain(site)}/class?a=1`,
    ]);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-gatehouse_pass=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const elsewhere = await (await aBrowser(site)).post(path, { code: code!, next: 'https://evil.example/' });
    expect(elsewhere.headers.location).toBe(`https://${await aDomain(site)}/`);
    expect((await visitor.get(path)).text).toContain(`${path}/leave`);
    const left = await visitor.post(`${path}/leave`);
    expect([left.status, visitor.cookies.has(pass)]).toEqual([303, false]);
    expect((await visitor.get(path)).text).not.toContain(`${path}/leave`);
  });

  test('a form that is sent twice takes one use, and one without the cookie of the page takes none', async () => {
    const site = await server.createSite();
    const { id, code } = await aPageCode(site);
    const visitor = await aBrowser(site);
    const cookie = `__Host-gatehouse_form=${visitor.cookies.get('__Host-gatehouse_form')}`;
    const send = (headers: Record<string, string>) =>
      site.visit('POST', path, { headers, form: { code: code!, next: '/class' } });
    const [one, other] = await Promise.all([send({ cookie }), send({ cookie })]);
    expect([one.status, other.status]).toEqual([303, 303]);
    expect(one.headers['set-cookie']).toEqual(other.headers['set-cookie']);
    const without = await send({});
    expect([without.status, problem(without.text)]).toEqual([400, expect.stringContaining('cookie')]);
    expect((await site.get(`/page-codes/${id}`)).body.data.usedCount).toBe(1);
  });

  test('ten wrong codes of an address are checked, and no right one counts', async () => {
    const site = await server.createSite();
    const { code } = await aPageCode(site);
    await aDomain(site);
    const status = async (sent: string, address: string) => {
      const visitor = await aBrowser(site);
      return (await visitor.post(path, { code: sent }, from(address))).status;
    };
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, index) => status(`wrong code ${index}`, `2001:db8:1:2::${index + 1}`)),
    );
    expect(tries.toSorted()).toEqual([...Array(10).fill(400), 429, 429]);
    expect(await status(code!, '2001:db8:1:2::99')).toBe(429);
    expect(await status(code!, '192.0.2.9')).toBe(303);
    // A class behind one address.
    for (let pupil = 0; pupil < 11; pupil += 1) expect(await status(code!, '192.0.2.10')).toBe(303);
    const other = await server.createSite();
    expect((await (await aBrowser(other)).post(path, { code: 'x' }, from('2001:db8:1:2::1'))).status).toBe(
      400,
    );
  });

  test('a class behind one address enters its code at once', async () => {
    const site = await server.createSite();
    const { code } = await aPageCode(site);
    await aDomain(site);
    const pupils = await Promise.all(Array.from({ length: 12 }, () => aBrowser(site)));
    const entered = pupils.map((pupil) => pupil.post(path, { code: code! }, from('192.0.2.11')));
    const statuses = (await Promise.all(entered)).map(({ status }) => status);
    expect(statuses).toEqual(Array(pupils.length).fill(303));
  });

  test('a login is offered only where it gives access too, and the login page offers the code again', async () => {
    const site = await server.createSite();
    const visitor = await aBrowser(site);
    const onlyCode = await visitor.post(path, { code: 'a wrong code', next: '/class' });
    expect([onlyCode.status, onlyCode.text]).toEqual([400, expect.not.stringContaining('/login')]);
    const login = '/_gatehouse/login?next=%2Fclass&amp;code=yes"';
    const withLogin = `${path}?next=%2Fclass&amp;login=yes"`;
    expect((await visitor.get(`${path}?next=%2Fclass&login=yes`)).text).toContain(login);
    const wrong = await visitor.post(path, { code: 'a wrong code', next: '/class', login: 'yes' });
    expect(wrong.text).toContain(login);
    const sent = { email: 'no address', next: '/class', code: 'yes' };
    expect((await visitor.post('/_gatehouse/login', sent)).text).toContain(withLogin);
    expect((await visitor.post('/_gatehouse/login', { ...sent, code: '' })).text).not.toContain('page-code');
  });

  test('wrong, expired and used up codes get the same response', async () => {
    const site = await server.createSite();
    const until = new Date(clock().getTime() + 60_000).toISOString();
    const expired = await aPageCode(site, { expiresAt: until });
    const used = await aPageCode(site, { maxUses: 1 });
    await (await aBrowser(site)).post(path, { code: used.code! });
    advance(60_000);
    const pages = [];
    for (const code of ['a wrong code', '', expired.code!, used.code!])
      pages.push(await (await aBrowser(site)).post(path, { code }));
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(problem(pages[0]!.text)).toContain('ask for a new one');
  });

  test('while chosen codes are paused, no response says which code is right', async () => {
    const site = await server.createSite();
    await anOperator(server, site.siteId, 'owner');
    await anOperator(server, site.siteId, 'viewer');
    const chosen = await aPageCode(site, { code: 'rowing on the lake' });
    const words = await aPageCode(site);
    const pause = () =>
      changing(
        server.database,
        site.siteId,
        (change) => pausePageCodes(change, emailComposer),
        systemContext(clock().toISOString()),
      );
    await pause();
    await pause();
    const enter = async (code: string) => (await aBrowser(site)).post(path, { code });
    const [right, wrong] = [await enter('rowing on the lake'), await enter('rowing on the sea')];
    expect([right.status, right.text]).toEqual([400, wrong.text]);
    expect(problem(wrong.text)).toContain('Try again later');
    expect((await site.get(`/page-codes/${chosen.id}`)).body.data.status).toBe('paused');
    expect((await enter(words.code!)).status).toBe(303);
    expect((await site.get('/events?type=page-code.paused')).body.data).toHaveLength(1);
    const { data: emails } = (await site.get('/emails')).body;
    expect(emails.map(({ type }: { type: string }) => type)).toEqual(['page_codes_paused']);
    advance(hour);
    expect((await enter('rowing on the lake')).status).toBe(303);
  });

  test('each host has its own page and its own pass', async () => {
    const site = await server.createSite();
    const primary = await aDomain(site);
    const forum = `forum-${primary}`;
    await site.patch('/site', { hosts: [{ domain: primary }, { domain: forum }] });
    const { id, code } = await aPageCode(site);
    await site.request('PUT', '/access-rules', {
      body: { rules: [{ path: '/', access: 'code', pageCodeIds: [id] }] },
    });
    const atForum = { host: forum };
    const page = await site.visit('GET', path, { headers: atForum });
    const cookie = page.headers['set-cookie']![0]!.split(';')[0]!;
    const answer = await site.visit('POST', path, {
      headers: { ...atForum, cookie },
      form: { code: code!, next: '/a' },
    });
    expect([answer.status, answer.headers.location]).toEqual([303, `https://${forum}/a`]);
    const sent = answer.headers['set-cookie']![0]!.split(';')[0]!;
    const status = async (domain: string) => {
      const headers = { host: domain, 'x-forwarded-host': domain, 'x-original-uri': '/', cookie: sent };
      return (await site.visit('GET', '/_gatehouse/auth?method=GET', { headers })).status;
    };
    expect([await status(forum), await status(primary)]).toEqual([204, 401]);
  });
});
