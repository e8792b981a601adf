import { expect, test } from 'vitest';
import { availableLanguages } from '../../i18n/languages.ts';
import { memberInvitationEmail } from './member-invitation-email.ts';

const url = 'https://club.example.org/_gatehouse/join/3q2-7wAAAA';
const values = {
  url,
  expiresAt: '2027-02-01T00:00:00.000Z',
  timeZone: 'UTC',
  email: 'ada@example.com',
  origin: 'https://club.example.org',
};

test.each(availableLanguages)('an invitation in %s names the site, the link and its end', (language) => {
  const hostile = 'Rowing <b>Club</b>\r\nBcc: eve@example.com';
  const frame = { site: { title: hostile, color: null, logoUrl: null }, language };
  const { subject, text, html } = memberInvitationEmail(frame, values);
  expect(subject).toContain('Rowing <b>Club</b>');
  expect(subject).not.toMatch(/[\r\n]/);
  expect(text).toContain(`\n\n${url}\n\n`);
  expect(text).toMatch(/31\b.*2027|2027.*31/);
  expect(html).toContain(`<a href="${url}"`);
  expect(html).not.toContain('<b>Club');
  expect(subject + text + html).not.toMatch(/\{\w+\}|undefined/);
});

test('the text part is readable plain text', () => {
  const frame = { site: { title: 'Example Academy', color: null, logoUrl: null }, language: 'en' };
  expect(memberInvitationEmail(frame, values).text).toMatchInlineSnapshot(`
    "Hello,

    You are invited to join Example Academy. Open the link and enter this email address. You then get an email with which you log in; you do not need a password.

    https://club.example.org/_gatehouse/join/3q2-7wAAAA

    The link works once. It works until January 31, 2027.

    If you do not expect this invitation, ignore this email. Then nothing happens.

    -- 
    Sent to ada@example.com for https://club.example.org
    "
  `);
});
