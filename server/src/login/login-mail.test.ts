import { describe, expect, test } from 'vitest';
import { availableLanguages } from '../languages/languages.ts';
import { type LoginMail, loginMail } from './login-mail.ts';
import type { MailFrame } from './mail-frame.ts';

const frame: MailFrame = { site: { title: 'Example Academy', colour: null, logoUrl: null }, language: 'en' };
const mail: LoginMail = {
  url: 'https://academy.example.com/_gatehouse/link/3q2-7wAAAA',
  code: '012345',
  minutes: 10,
  email: 'ada@example.com',
  origin: 'https://academy.example.com',
};

const hostileTexts = [
  '<script>alert(1)</script>',
  '</title></style><img src=x onerror=alert(1)>',
  '"><a href="https://evil.example">',
  "' style='display:none",
  '<!--',
  '&lt;b&gt;',
  '{code}{email}{time}',
  '$& $1',
  'Rowing\r\nBcc: eve@example.com',
  'Rowing\n\nA second message',
  'Rowing\u2028Bcc: eve@example.com',
  'Rowing\u0000\u001b[31m',
  '"Ada <ada@evil.example>" ',
  '=?utf-8?q?=0D=0ABcc:_eve?=',
  'Café "Zum Löwen" & Söhne',
  '🚣‍♀️ Rowing 東京',
  '\u202Egro.elpmaxe',
  '\uD800',
  'x'.repeat(500),
  '-- \nsignature',
];

describe.each(availableLanguages)('the mail in %s', (language) => {
  const usual = loginMail({ ...frame, language }, mail);

  test('names the site and, last, the code', () => {
    expect(usual.subject).toContain('Example Academy');
    expect(usual.subject).toMatch(/012345$/);
  });

  test('says the same in both parts', () => {
    for (const part of [usual.text, usual.html]) {
      for (const word of [mail.url, '012345', '10', 'ada@example.com', 'https://academy.example.com']) {
        expect(part).toContain(word);
      }
      expect(part).not.toMatch(/[{}]|undefined|null/);
    }
    expect(usual.html).toContain(`<html lang="${language}" dir="ltr">`);
  });

  test.each(hostileTexts)('%j in the title and the address stays a text', (hostile) => {
    const site = { ...frame.site, title: hostile };
    const { subject, text, html } = loginMail({ site, language }, { ...mail, email: hostile });
    expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    expect(subject).toMatch(/012345$/);
    expect(subject.isWellFormed()).toBe(true);
    expect(text.split('\n')).toHaveLength(usual.text.split('\n').length);
    expect(skeletonOf(html)).toEqual(skeletonOf(usual.html));
  });
});

/** The tags with all their attributes but the values that vary. */
function skeletonOf(page: string): string[] {
  return page.match(/<[^>]*>?/g)!;
}

test('without a code there is nothing to type', () => {
  const { subject, text, html } = loginMail(frame, { ...mail, code: null });
  expect(subject).toBe('Log in to Example Academy');
  expect(`${text}${html}`).not.toMatch(/code/);
});

test('the text part can be read as it is', () => {
  expect(loginMail(frame, mail).text).toMatchInlineSnapshot(`
    "Hello,

    With this link you log in to Example Academy:

    https://academy.example.com/_gatehouse/link/3q2-7wAAAA

    Or type this code on the page where you asked for the mail:

        012345

    This works once, for 10 minutes.

    If you did not ask for this mail, you need not do anything: without it nobody can log in as you.

    -- 
    Sent to ada@example.com for logging in at https://academy.example.com
    "
  `);
});

test('the HTML part brings no background but the button’s and no picture but the logo', () => {
  const { html } = loginMail(frame, mail);
  expect(html.match(/background[^;]*;/g)).toEqual(['background-color:#3f5bd8;']);
  expect(html).not.toMatch(/<img|<table|<script|<style/);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  const logoUrl = 'https://academy.example.com/_gatehouse/logo?v=1';
  const withLogo = loginMail({ ...frame, site: { ...frame.site, logoUrl } }, mail).html;
  expect(withLogo).toContain(`<img src="${logoUrl}" alt="" `);
});

test.each(['#ffffff', '#000000', '#ffe600', '#1c1c1e'])(
  'a button in %s can be seen on any ground',
  (colour) => {
    const { html } = loginMail({ ...frame, site: { ...frame.site, colour } }, mail);
    expect(html).toContain(`background-color:${colour}`);
    expect(html).toContain('border:1px solid #808080');
  },
);
