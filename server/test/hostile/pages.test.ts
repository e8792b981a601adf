import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { anOperator } from '../operator.ts';
import { forOneStore } from '../stores.ts';
import type { TestResponse } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { Visitor } from '../visitor.ts';
import { hostileAddresses, hostileBrowsers, hostileTexts } from './hostile-texts.ts';

/** Texts from users that pages show: names and titles, an address, the User-Agent of a browser. */
interface Written {
  text: string;
  address: string;
  userAgent: string;
}

/** A page as sent, and the texts that must appear on it. */
interface Sent {
  html: string;
  texts: string[];
}

const harmless: Written = { text: 'Rowing Club', address: 'ada@example.com', userAgent: 'harmless' };

// Other tests check on each store that texts are stored unchanged.
forOneStore((store) => {
  const server = useTestServer(store, { settings: { loginLimitClient: 0 } });
  let expected: Map<string, Sent>;
  let sent: Map<string, Sent>[];

  beforeAll(async () => {
    expected = await everyPage(harmless);
    sent = [];
    // In small batches, because more would wait too long for a connection.
    for (let first = 0; first < hostileTexts.length; first += 5) {
      const some = hostileTexts
        .slice(first, first + 5)
        .map((text, index) => writtenWith(text, first + index));
      sent.push(...(await Promise.all(some.map(everyPage))));
    }
  });

  test.each(hostileTexts.map((text, index) => ({ text, index })))(
    '$text stays text on the pages for visitors, and in emails',
    ({ index }) => {
      const pages = sent[index]!;
      expect([...pages.keys()]).toEqual([...expected.keys()]);
      for (const [name, { html, texts }] of pages) {
        const { structure, content } = read(html);
        expect([name, structure]).toEqual([name, read(expected.get(name)!.html).structure]);
        for (const each of texts) expect([name, content]).toEqual([name, expect.stringContaining(each)]);
      }
    },
  );

  /** Every page and email of a site that shows text from users. */
  async function everyPage({ text, address, userAgent }: Written): Promise<Map<string, Sent>> {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    await made(site.patch('/site', { title: text, domain: `${slug}.example.org` }), 200);
    const owner = await anOperator(server, site.siteId);
    await made(owner.browser.request('PATCH', 'me', { displayName: text }), 200);
    const typed = new URLSearchParams({ next: `/${text}`, email: text });
    const pages = new Map<string, Sent>();
    const visitor = new Visitor(site);

    const login = await visitor.get(`/_gatehouse/login?${typed}`);
    pages.set('login', { html: login.text, texts: [text] });
    const dashboardLogin = await owner.browser.visit('GET', `/dashboard/login?${typed}`);
    pages.set('login of the dashboard', { html: dashboardLogin.text, texts: [] });
    for (const kind of ['login', 'email']) {
      const { text: html } = await owner.browser.request(
        'GET',
        `preview/${kind}?title=${encodeURIComponent(text)}`,
      );
      pages.set(`preview of the ${kind}`, { html, texts: [text] });
    }

    const requested = await visitor.post('/_gatehouse/login', { email: address, next: `/${text}` });
    expect(requested.status).toBe(303);
    const check = await visitor.get(String(requested.headers.location));
    pages.set('check', { html: check.text, texts: [text, address] });

    const member = await made(site.post('/members', { email: `${newId()}@example.com`, displayName: text }));
    const link = await made(site.post(`/members/${member.id}/login-links`, { send: false }));
    const { pathname } = new URL(link.url);
    pages.set('link', { html: (await visitor.get(pathname)).text, texts: [text] });
    await visitor.post(pathname, {}, { 'user-agent': userAgent });
    expect(visitor.session).toBeDefined();
    const account = await visitor.get('/_gatehouse/account');
    pages.set('account', { html: account.text, texts: [text, member.email] });

    const invited = { email: `${newId()}@example.com`, role: 'viewer' };
    await made(owner.browser.api(site.siteId, 'POST', '/operators', invited));
    await made(site.post(`/members/${member.id}/login-links`, { send: true }));
    for (const { id, recipient } of (await site.get('/emails')).body.data) {
      const { html } = (await site.get(`/emails/${id}`)).body.data;
      pages.set(recipient === invited.email ? 'invitation' : 'login email', { html, texts: [text] });
    }
    return pages;
  }
});

function writtenWith(text: string, index: number): Written {
  return {
    text,
    address: hostileAddresses[index % hostileAddresses.length]!,
    userAgent: hostileBrowsers[index % hostileBrowsers.length]!,
  };
}

async function made(answer: Promise<TestResponse>, expected = 201) {
  const { status, text, body } = await answer;
  expect(status, text).toBe(expected);
  return body.data;
}

/**
 * The parsed page: all elements with the names of their attributes, everything that could run or link elsewhere, and
 * separately the texts.
 */
function read(html: string): { structure: string[]; content: string } {
  const structure: string[] = [];
  const content: string[] = [];
  visit(parse(html));
  return { structure, content: content.join('\n') };

  function visit(node: DefaultTreeAdapterTypes.Node): void {
    if (node.nodeName === '#comment') structure.push('a comment');
    if ('value' in node) content.push(node.value);
    if ('tagName' in node) {
      structure.push([node.tagName, ...node.attrs.map(({ name }) => name)].join(' '));
      for (const { name, value } of node.attrs) {
        content.push(value);
        if (urlAttributes.has(name)) structure.push(`${name} to ${schemeOf(value)}`);
      }
    }
    const isCode = node.nodeName === 'script' || node.nodeName === 'style';
    const children = 'childNodes' in node ? node.childNodes : [];
    if (isCode) for (const child of children) structure.push('value' in child ? child.value : child.nodeName);
    else for (const child of children) visit(child);
  }
}

/** Attributes that contain a URL. */
const urlAttributes = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'data',
  'poster',
  'srcset',
  'background',
]);

/** The target of a URL: the page's own host, or otherwise its scheme. */
function schemeOf(address: string): string {
  const own = 'http://page.example';
  const url = new URL(address, own);
  return url.origin === own ? 'its own host' : url.protocol;
}
