import { type AccessReason, accessReasons } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { memberPages } from '../domain/sites/page-addresses.ts';
import { noLinks } from '../domain/sites/site-links.ts';
import { availableLanguages, textsOf } from '../i18n/languages.ts';
import {
  type AccountPage,
  type AccountPasskeys,
  accountPage,
  checkEmailPage,
  confirmLoginPage,
  invalidLinkPage,
  leavingPage,
  linkAccountPage,
  loginPage,
  messagePage,
  noAccessPage,
  noOperatorPage,
  otherSessionsPage,
  type PageFrame,
  passkeyOfferPage,
  setupPage,
  siteMark,
} from './pages.ts';

/** Every page in every variant, with one text in place of all values from users. */
function everyPage(language: string, text: string): Map<string, string> {
  const frame = frameOf(language, text);
  const confirmed = { action: text, email: text, autoSubmit: true };
  const pages: [string, string][] = [
    ['login', loginPage(frame, { next: text, email: text })],
    ['login, sign-up', loginPage(frame, { next: text, email: text, offersSignUp: true })],
    ['check email', checkEmailPage(frame, { email: text, next: text })],
    ['check email, sign-up', checkEmailPage(frame, { email: text, next: text, offersSignUp: true })],
    ['check email, provider', checkEmailPage(frame, { email: text, next: text, unconfirmedBy: text })],
    ['check email, passkeys', checkEmailPage(frame, { email: text, next: text, offersPasskey: true })],
    ['confirm login', confirmLoginPage(frame, confirmed)],
    ['login with passkeys', loginPage(frame, { next: text, email: text, passkeys })],
    ['confirm login, passkeys', confirmLoginPage(frame, { ...confirmed, offersPasskey: true })],
    ['passkey offer', passkeyOfferPage(frame, { formKey: 'key', suggestedName: text, next: text })],
    ['setup', setupPage(frame, { action: text, email: text, displayName: text })],
    ['no operator', noOperatorPage(frame)],
    ['invalid link', invalidLinkPage(frame, { next: text, canEnterCode: false })],
    ['invalid link, code', invalidLinkPage(frame, { next: text, canEnterCode: true })],
    ['other sessions', otherSessions(frame, text)],
    ['account', account(frame, text, {})],
    ['account, saved', account(frame, text, { saved: 'name' })],
    ['account, no passkeys', account(frame, text, { passkeys: { ...ownPasskeys(text), list: [] } })],
    [
      'account, lost device',
      account(frame, text, { passkeys: { ...ownPasskeys(text), offersRemoval: true } }),
    ],
    ['account, wrong', account(frame, text, { problem: 'invalid_name', enteredName: text })],
  ];
  for (const adding of ['login_not_recent', 'not_allowed', 'too_many'] as const) {
    const page = account(frame, text, { passkeys: { ...ownPasskeys(text), adding } });
    pages.push([`account without adding, ${adding}`, page]);
  }
  pages.push(...pagesOfProviders(frame, text));
  for (const problem of ['invalid_email', 'too_many', 'expired_link'] as const) {
    pages.push([`login, ${problem}`, loginPage(frame, { next: text, email: text, problem, waitMinutes: 3 })]);
  }
  for (const problem of ['invalid_email', 'invalid_name'] as const) {
    const entered = { action: text, email: text, displayName: text };
    pages.push([`setup, ${problem}`, setupPage(frame, { ...entered, problem })]);
  }
  for (const problem of ['wrong_code', 'code_invalid'] as const) {
    pages.push([`check email, ${problem}`, checkEmailPage(frame, { email: text, next: text, problem })]);
  }
  for (const reason of accessReasons) {
    const member = { email: text, displayName: text };
    pages.push([`no access, ${reason}`, noAccessPage(frame, { reason, member, next: text })]);
    const anonymous = noAccessPage(frame, { reason, member: null, next: text });
    pages.push([`no access, ${reason}, logged out`, anonymous]);
  }
  for (const kind of [
    'logged_out',
    'unavailable',
    'not_found',
    'bad_request',
    'service_worker',
    'internal_error',
    'too_many',
  ] as const) {
    pages.push([`message, ${kind}`, messagePage(frame, { kind, requestId: text, waitMinutes: 1 })]);
  }
  return new Map(pages);
}

/** The pages of a site with login providers. */
function pagesOfProviders(frame: PageFrame, text: string): [string, string][] {
  const types = ['google', 'microsoft', 'github', 'apple', 'oidc'] as const;
  const [last, ...others] = types.map((type) => ({ id: text, type, name: text }));
  const content = { next: text, email: text, providers: { last, others } };
  const linked = {
    label: text,
    email: 'a@example.com',
    subject: text,
    createdAt: lastWeek,
    lastUsedAt: null,
  };
  const accounts = [
    { ...linked, id: text, provider: last! },
    { ...linked, id: text, provider: { id: text, name: text, type: null }, lastUsedAt: lastWeek },
  ];
  const linkedAccounts = { accounts, providers: others, canLink: true };
  const names = {
    provider: text,
    account: text,
    email: text,
    next: text,
    sessionIds: [text],
    formKey: 'key',
  };
  const reasons = ['denied', 'unavailable', 'rejected', 'refused', 'expired'] as const;
  return [
    ['login, providers', loginPage(frame, content)],
    ['login, no last provider', loginPage(frame, { ...content, providers: { last: undefined, others } })],
    ...reasons.map((reason): [string, string] => [
      `login, ${reason}`,
      loginPage(frame, { ...content, providerProblem: { reason, provider: text } }),
    ]),
    ['leaving', leavingPage(frame, { name: text, url: text })],
    ['link account', linkAccountPage(frame, names)],
    ['account, linked', account(frame, text, { linkedAccounts, linking: 'linked' })],
    ['account, removed', account(frame, text, { linkedAccounts, saved: 'identity_removed' })],
    ...(['unchanged', 'login_not_recent', 'taken', 'denied', 'failed'] as const).map(
      (linking): [string, string] => [
        `account, ${linking}`,
        account(frame, text, { linkedAccounts: { ...linkedAccounts, canLink: false }, linking }),
      ],
    ),
  ];
}

function account(frame: PageFrame, text: string, rest: Partial<AccountPage>): string {
  const session = {
    id: text,
    userAgent: text,
    ipAddress: text,
    lastSeenAt: lastWeek,
    createdAt: lastWeek,
  };
  return accountPage(frame, {
    formKey: 'key',
    member: { email: text, displayName: text },
    groups: [
      { name: text, expiresAt: null },
      { name: text, expiresAt: nextWeek },
    ],
    tokens: [
      { id: text, name: text, pathPrefix: text, lastUsedAt: lastWeek, expiresAt: null },
      { id: text, name: text, pathPrefix: text, lastUsedAt: null, expiresAt: null },
    ],
    newestTokenId: null,
    address: { pendingEmail: null, canChange: true, hasPasskeys: false, hasIdentities: false },
    passkeys: ownPasskeys(text),
    timeZone: 'UTC',
    createsTokens: true,
    sessions: [
      { ...session, current: true },
      { ...session, current: false },
      { ...session, current: false, userAgent: null, ipAddress: null },
    ],
    now,
    ...rest,
  });
}

const passkeys = { optionsPath: '/options', loginPath: '/login', suggests: true };

function ownPasskeys(text: string): AccountPasskeys {
  const passkey = { id: text, name: text, createdAt: lastWeek };
  return {
    list: [
      { ...passkey, lastUsedAt: lastWeek, synced: true, disabled: false },
      { ...passkey, lastUsedAt: null, synced: false, disabled: true },
    ],
    adding: 'possible',
    suggestedName: text,
    offersRemoval: false,
  };
}

function otherSessions(frame: PageFrame, text: string): string {
  const session = { userAgent: text, ipAddress: text, createdAt: lastWeek };
  const sessions = [
    { id: 'one', ...session },
    { id: 'two', ...session, userAgent: null, ipAddress: null },
  ];
  return otherSessionsPage(frame, { sessions, next: text, now });
}

function frameOf(language: string, text: string): PageFrame {
  return {
    site: {
      title: text,
      color: '#0f766e',
      logoUrl: text,
      links: { contact: text, upgrade: text, imprint: text, privacy: text },
    },
    addresses: memberPages,
    language,
    styleAddress: text,
    iconAddress: text,
  };
}

/** The pages that have scripts, by their name or the part of it before a comma. */
const scripts: Record<string, readonly string[]> = {
  login: ['send-once.js'],
  'login with passkeys': ['send-once.js', 'passkey.js'],
  'confirm login, passkeys': ['send-once.js', 'passkey-offer.js', 'press.js'],
  'passkey offer': ['send-once.js', 'add-passkey.js'],
  'check email': ['send-once.js', 'code.js'],
  'check email, code_invalid': [],
  'check email, passkeys': ['send-once.js', 'passkey-offer.js', 'code.js'],
  'confirm login': ['send-once.js', 'press.js'],
  setup: ['send-once.js'],
  account: ['send-once.js', 'add-passkey.js'],
  'account without adding': ['send-once.js'],
  'link account': ['send-once.js'],
};

/** They run before the page is painted. */
const firstScripts = ['passkey.js', 'add-passkey.js'];

const lastWeek = '2026-01-24T12:00:00.000Z';
const nextWeek = '2026-02-07T12:00:00.000Z';
const now = '2026-01-31T12:00:00.000Z';

const hostileTexts = [
  '<script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '" autofocus onfocus="alert(1)',
  '--><svg onload=alert(1)>',
  '<!--',
  '<![CDATA[',
  ']]><a>',
  '&lt;script&gt;',
  '&quot; onclick=&quot;',
  '&#x3c;b&#x3e;',
  '</bdi></p></main><form action=//evil.example>',
  '{site}{email}{time}',
  '$& $1 $`',
  '`alert(1)`',
  '"ada<b>"@example.com',
  '\u202Egro.elpmaxe@ada',
  '\uD800 \u0000 \uFFFE',
  '👩‍🚀 Z̸̛a̵l̶g̷o "<&>\'',
  'a\r\nSet-Cookie: b=c\r\n\r\n<script>',
];

describe.each(availableLanguages)('in %s', (language) => {
  const harmless = everyPage(language, 'harmless');

  test.each(hostileTexts)('%j stays a text on every page', (hostile) => {
    for (const [name, page] of everyPage(language, hostile)) {
      expect(skeletonOf(page), name).toEqual(skeletonOf(harmless.get(name)!));
      expect(page, name).toContain(escaped(hostile));
    }
  });

  test.each([...harmless])(
    'the page "%s" declares its language and loads nothing from other hosts',
    (name, page) => {
      expect(page).toMatch(new RegExp(`^<!DOCTYPE html>\\n<html lang="${language}" dir="ltr">\\n`));
      expect(page.match(/<h1>/g)).toHaveLength(1);
      expect(page.match(/<main>/g)).toHaveLength(1);
      expect(page).not.toMatch(/\sstyle=|\son\w+=|<style|javascript:|https?:/);
      expect(page.match(/<script[^>]*>/g) ?? []).toEqual(
        (scripts[name] ?? scripts[name.split(',')[0]!] ?? []).map((script) =>
          expect.stringMatching(
            `^<script src="/_gatehouse/${script}\\?v=[0-9a-f]{8}"${firstScripts.includes(script) ? '' : ' defer'}>$`,
          ),
        ),
      );
      expect(page, 'every placeholder is filled').not.toMatch(/\{[a-z]+\}|undefined|null|\[object/i);
    },
  );

  test.each([...harmless])(
    'the fields and buttons of the page "%s" are accessible to screen readers',
    (_, page) => {
      const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [field] of page.matchAll(/<input(?! type="hidden")[^>]*>/g)) {
        const id = field.match(/\sid="([^"]+)"/)![1];
        expect(page).toMatch(new RegExp(`<label for="${id}">[^<]+</label>`));
        expect(field).toMatch(/\sautocomplete="[^"]+"/);
      }
      for (const [, target] of page.matchAll(/\saria-describedby="([^"]+)"/g)) expect(ids).toContain(target);
      for (const [image] of page.matchAll(/<img[^>]*>/g)) expect(image).toContain('alt=""');
      for (const [form] of page.matchAll(/<form.*?<\/form>/gs)) {
        expect(form).toMatch(/^<form[^>]* method="post"/);
        expect(form.replace(/<svg.*?<\/svg>|<\/?(?:span|bdi)>/g, '')).toMatch(
          /<button[^>]* type="submit"[^>]*>[^<]+<\/button>/,
        );
      }
    },
  );
});

/** The tags of a page with the names of their attributes: everything that a browser creates elements from. */
function skeletonOf(page: string): string[] {
  return page.replaceAll(/="[^"]*"/g, '=""').match(/<[^>]*>?/g)!;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

describe('the login page', () => {
  test('has a field for the address and keeps the entered value', () => {
    const page = loginPage(frame, { next: '/a?b=1&c', email: 'ada@', problem: 'invalid_email' });
    expect(page).toContain('<form method="post" action="/_gatehouse/login">');
    expect(page).toContain('<input type="hidden" name="next" value="/a?b=1&amp;c">');
    expect(fieldNamed(page, 'email')).toMatch(/type="email".* value="ada@" autocomplete="email".* required/);
    expect(fieldNamed(page, 'email')).toContain('aria-invalid="true" aria-describedby="problem"');
  });

  test('says when to try again if that is known', () => {
    const content = { next: '/', email: '', problem: 'too_many' } as const;
    expect(loginPage(frame, { ...content, waitMinutes: 1 })).toContain('in 1 minute.');
    expect(loginPage(frame, { ...content, waitMinutes: 12 })).toContain('in 12 minutes.');
    expect(loginPage(frame, content)).toContain('Try again later.');
  });
});

describe('the page for the code', () => {
  test.each(['123456', ' 123 456 ', '12-34-56', '123.456', '１２３４５６'])(
    'accepts the code as %j',
    (code) => {
      const pattern = fieldNamed(checkEmailPage(frame, { email: 'a@b.c', next: '/' }), 'code').match(
        /pattern="([^"]+)"/,
      )![1]!;
      const whole = new RegExp(`^(?:${pattern})$`, 'v');
      expect(code).toMatch(whole);
      expect(`${code}7`).not.toMatch(whole);
    },
  );

  test('has the focus in the field, which screen readers read with the sentence or the problem', () => {
    const content = { email: 'a@b.c', next: '/' };
    const [first, wrong] = [
      checkEmailPage(frame, content),
      checkEmailPage(frame, { ...content, problem: 'wrong_code' }),
    ];
    expect(fieldNamed(first, 'code')).toContain('required autofocus aria-describedby="sent">');
    expect(first).toContain(`<p id="sent">${textsOf('en')['checkEmail.intro'].split('{')[0]}`);
    expect(fieldNamed(wrong, 'code')).toContain('autofocus aria-describedby="problem" aria-invalid="true">');
    expect(fieldNamed(wrong, 'code')).not.toContain('value=');
    expect(wrong).toContain('id="problem" role="alert"');
  });

  test('has no field for an invalid code, and offers a new email that leads to the same page', () => {
    const page = checkEmailPage(frame, { email: 'a@b.c', next: '/a b?c=ü', problem: 'code_invalid' });
    expect(page).not.toContain('<form');
    expect(page).toContain('href="/_gatehouse/login?next=%2Fa%20b%3Fc%3D%C3%BC"');
  });
});

describe('the page of a login link', () => {
  const content = { action: '/_gatehouse/link/abc', email: 'ada@example.com' };

  test('has one button, and a script that presses it only where it submits itself', () => {
    const page = confirmLoginPage(frame, { ...content, autoSubmit: false });
    expect(page).toContain('<form id="press" method="post" action="/_gatehouse/link/abc">');
    expect(page.match(/<button/g)).toHaveLength(1);
    expect(page).not.toContain('press.js');
    expect(confirmLoginPage(frame, { ...content, autoSubmit: true })).toContain('press.js');
  });
});

describe('the page for denied access', () => {
  const member = { email: 'ada@example.com', displayName: null };
  const next = '/courses';

  test.each(['blocked', 'not_paying', 'not_in_groups'] as const)(
    'shows a member who is %s the reason, the account, and what to do',
    (reason) => {
      const page = noAccessPage(frame, { reason, member, next });
      expect(page).toContain('<strong><bdi>ada@example.com</bdi></strong>');
      expect(page).toContain(textsOf('en')['noAccess.contact'].split('{')[0]);
      expect(page).toContain('<form method="post" action="/_gatehouse/logout">');
    },
  );

  test('offers an anonymous visitor the login page', () => {
    const page = noAccessPage(frame, { reason: 'anonymous', member: null, next });
    expect(page).toContain('href="/_gatehouse/login?next=%2Fcourses"');
    expect(page).not.toContain('<form');
  });

  test('names whom to contact, and what gives access, where the site has links for that', () => {
    const links = { ...noLinks, contact: 'mailto:a@b.example', upgrade: 'https://b.example/join' };
    const shown = (reason: AccessReason, shownLinks: typeof noLinks = links) =>
      noAccessPage(
        { ...frame, site: { ...frame.site, links: shownLinks } },
        { reason, member, next, accessRequestUrl: '/request' },
      ).match(/<main>.*<\/main>/s)![0];
    const button = (page: string) => page.match(/<a class="button" href="([^"]*)"/)![1];
    for (const reason of ['not_paying', 'not_in_groups'] as const) {
      expect(button(shown(reason))).toBe(links.upgrade);
      expect(button(shown(reason, noLinks))).toBe('/request');
    }
    for (const reason of ['blocked', 'condition_not_met'] as const) {
      expect(shown(reason)).toContain('contact <a href="mailto:a@b.example" rel="noreferrer">the team of');
      expect(shown(reason)).not.toContain(links.upgrade);
    }
    expect(shown('not_paying', noLinks)).toContain('contact the team of');
  });

  test('has a different explanation for each reason', () => {
    const reasons = [
      'blocked',
      'not_paying',
      'not_in_groups',
      'ambiguous_path',
      'site_suspended',
      'anonymous',
    ];
    const pages = reasons.map((reason) =>
      noAccessPage(frame, { reason: reason as (typeof accessReasons)[number], member, next }),
    );
    expect(new Set(pages).size).toBe(reasons.length);
  });
});

describe('the account page', () => {
  const session = {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ipAddress: '203.0.113.7',
    createdAt: '2026-01-21T12:00:00.000Z',
    lastSeenAt: '2026-01-31T09:00:00.000Z',
  };
  const sessions = [
    { ...session, id: 'other-one', current: false },
    { ...session, id: 'this-one', current: true },
  ];
  const shown = (rest: Partial<AccountPage> = {}) =>
    accountPage(frame, {
      formKey: 'key',
      member: { email: 'ada@example.com', displayName: null },
      groups: [],
      tokens: [],
      newestTokenId: null,
      address: { pendingEmail: null, canChange: true, hasPasskeys: false, hasIdentities: false },
      passkeys: { list: [], adding: 'not_allowed', suggestedName: '', offersRemoval: false },
      timeZone: 'Europe/Berlin',
      createsTokens: false,
      sessions,
      now,
      ...rest,
    });
  const page = shown();

  test('shows this browser first, and offers to end only the other sessions', () => {
    expect(page.match(/This browser/g)).toHaveLength(1);
    expect(page.indexOf('This browser')).toBeLessThan(page.indexOf('3 hours ago'));
    expect(page).not.toContain('value="this-one"');
    expect(page).toContain('<input type="hidden" name="id" value="other-one">');
  });

  test('shows browser and times, with machine-readable times', () => {
    expect(page).toContain('<bdi>Firefox</bdi> on <bdi>Linux</bdi>');
    expect(page).toContain('<time datetime="2026-01-31T09:00:00.000Z">3 hours ago</time>');
    expect(page).toContain('Logged in <time datetime="2026-01-21T12:00:00.000Z">10 days ago</time>');
  });

  test('has an empty field for a member without a name', () => {
    expect(fieldNamed(page, 'displayName')).toContain('value=""');
  });

  test('offers to log out here and everywhere', () => {
    expect(page).toContain('action="/_gatehouse/logout"');
    expect(page).toContain('action="/_gatehouse/logout-everywhere"');
  });

  test('shows the groups of the member, first those whose end is within 14 days, which are marked', () => {
    const groups = [
      { name: 'Board', expiresAt: null },
      { name: 'Masters', expiresAt: '2026-02-14T12:00:00.001Z' },
      { name: 'Regatta', expiresAt: '2026-02-14T12:00:00.000Z' },
      { name: 'Sculling', expiresAt: '2026-02-01T23:00:00.000Z' },
    ];
    const listed = shown({ groups })
      .match(/<h2>Your groups<\/h2>.*?<\/section>/s)![0]
      .replaceAll(/<[^>]+>/g, '')
      .split('\n')
      .filter(Boolean);
    expect(listed).toEqual([
      'Your groups',
      'Sculling',
      'Until February 1, 2026 tomorrow',
      'Regatta',
      'Until February 14, 2026 at 1:00 PM GMT+1 in 14 days',
      'Board',
      'Masters',
      'Until February 14, 2026 at 1:00 PM GMT+1',
    ]);
    expect(page).not.toContain('Your groups');
  });

  test('folds what is long, in a way that needs no script', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...session, id: `s${index}`, current: index === 0 }));
    expect(shown({ sessions: many(6) })).not.toContain(' more</summary>');
    const long = shown({ sessions: many(60) });
    expect(long).toContain('<summary>55 more</summary>');
    expect(long.indexOf('value="s4"')).toBeLessThan(long.indexOf('55 more'));
    expect(long.indexOf('value="s5"')).toBeGreaterThan(long.indexOf('55 more'));
  });
});

describe('the links of a site', () => {
  const withLinks = (links: Partial<typeof noLinks>) =>
    messagePage(
      { ...frame, site: { ...frame.site, links: { ...noLinks, ...links } } },
      { kind: 'not_found' },
    );

  test('are below each page, only those that are set', () => {
    const page = withLinks({ contact: 'mailto:office@b.example', privacy: 'https://b.example/?a=1&b=2' });
    expect(
      [...page.matchAll(/<a href="([^"]*)" rel="noreferrer">([^<]*)</g)].map(([, ...all]) => all),
    ).toEqual([
      ['mailto:office@b.example', 'Contact'],
      ['https://b.example/?a=1&amp;b=2', 'Privacy policy'],
    ]);
    expect(withLinks({})).not.toContain('<footer>');
    expect(withLinks({ upgrade: 'https://b.example' })).not.toContain('<footer>');
  });
});

describe('a site without a logo shows the first letter of its title', () => {
  test.each([
    ['rowing club', 'R'],
    ['"Ähren" e. V.', 'Ä'],
    ['🚣 rowing', 'R'],
    ['🏳️‍🌈', '🏳️‍🌈'],
    ['<3', '3'],
    ['さくら', 'さ'],
    ['ß', 'SS'],
    ['', ''],
  ])('%j: %j', (title, initial) => {
    const page = invalidLinkPage(
      { ...frame, site: { title, color: null, logoUrl: null, links: noLinks } },
      { next: '/', canEnterCode: false },
    );
    expect(page).toContain(`<span class="initial" aria-hidden="true">${initial}</span>`);
    expect(page).not.toContain('<img');
    const letter = initial.replace('<', '&lt;');
    expect(siteMark({ title, color: '#ffee00' })).toMatch(new RegExp(`fill="#000000">${letter}</text>`));
  });
});

const frame = frameOf('en', 'Example Academy');

function fieldNamed(page: string, name: string): string {
  return page.match(new RegExp(`<input[^>]* name="${name}"[^>]*>`))![0];
}
