import { describe, expect, test } from 'vitest';
import type { EmailFrame, LoginEmail } from '../../domain/emails/email-composer.ts';
import { availableLanguages } from '../../i18n/languages.ts';
import { loginEmail } from './login-email.ts';

const frame: EmailFrame = { site: { title: 'Example Academy', color: null, logoUrl: null }, language: 'en' };
const email: LoginEmail = {
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

describe.each(availableLanguages)('the email in %s', (language) => {
  const composed = loginEmail({ ...frame, language }, email);

  test('names the site and, last, the code', () => {
    expect(composed.subject).toContain('Example Academy');
    expect(composed.subject).toMatch(/012345$/);
  });

  test('has the same content in both parts', () => {
    for (const part of [composed.text, composed.html]) {
      for (const word of [email.url, '012345', '10', 'ada@example.com', 'https://academy.example.com']) {
        expect(part).toContain(word);
      }
      expect(part).not.toMatch(/[{}]|undefined|null/);
    }
    expect(composed.html).toContain(`<html lang="${language}" dir="ltr">`);
  });

  test.each(hostileTexts)('%j in the title and the address stays a text', (hostile) => {
    const site = { ...frame.site, title: hostile };
    const { subject, text, html } = loginEmail({ site, language }, { ...email, email: hostile });
    expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    expect(subject).toMatch(/012345$/);
    expect(subject.isWellFormed()).toBe(true);
    expect(text.split('\n')).toHaveLength(composed.text.split('\n').length);
    expect(skeletonOf(html)).toEqual(skeletonOf(composed.html));
  });
});

/** The tags with all their attributes except the values that vary. */
function skeletonOf(page: string): string[] {
  return page.match(/<[^>]*>?/g)!;
}

test('without a code the email does not mention one', () => {
  const { subject, text, html } = loginEmail(frame, { ...email, code: null });
  expect(subject).toBe('Log in to Example Academy');
  expect(`${text}${html}`).not.toMatch(/code/);
});

test('the text part is readable plain text', () => {
  expect(loginEmail(frame, email).text).toMatchInlineSnapshot(`
    "Hello,

    Use this link to log in to Example Academy:

    https://academy.example.com/_gatehouse/link/3q2-7wAAAA

    Or enter this code on the page where you requested the email:

        012345

    The link or the code works once, within 10 minutes.

    If you did not request this email, ignore it. Nobody can log in as you without it.

    -- 
    Sent to ada@example.com for a login at https://academy.example.com
    "
  `);
});

test('the HTML part has no background except the button’s and no image except the logo', () => {
  const { html } = loginEmail(frame, email);
  expect(html.match(/background[^;]*;/g)).toEqual(['background-color:#3f5bd8;']);
  expect(html).not.toMatch(/<img|<table|<script|<style/);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  const logoUrl = 'https://academy.example.com/_gatehouse/logo?v=1';
  const withLogo = loginEmail({ ...frame, site: { ...frame.site, logoUrl } }, email).html;
  expect(withLogo).toContain(`<img src="${logoUrl}" alt="" `);
});

test.each(['#ffffff', '#000000', '#ffe600', '#1c1c1e'])(
  'a button in %s is visible on any background',
  (color) => {
    const { html } = loginEmail({ ...frame, site: { ...frame.site, color } }, email);
    expect(html).toContain(`background-color:${color}`);
    expect(html).toContain('border:1px solid #808080');
  },
);
