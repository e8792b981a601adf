import { describe, expect, test } from 'vitest';
import { availableLanguages } from '../languages/languages.ts';
import { type InvitationMail, invitationMail } from './invitation-mail.ts';

const url = 'https://gate.example.org/dashboard/login?email=grace%40example.com';
const invitation: InvitationMail = {
  url,
  inviter: 'Ada Lovelace',
  siteTitle: 'Rowing Club',
  email: 'grace@example.com',
  origin: 'https://gate.example.org',
};

function mailIn(language: string, values: Partial<InvitationMail> = {}) {
  const frame = { site: { title: 'Gatehouse', colour: null, logoUrl: null }, language };
  return invitationMail(frame, { ...invitation, ...values });
}

describe.each(availableLanguages)('an invitation in %s', (language) => {
  test('says who invites to which site, and where to log in', () => {
    const { subject, text, html } = mailIn(language);
    for (const part of [subject, text, html]) {
      expect(part).toContain('Ada Lovelace');
      expect(part).toContain('Rowing Club');
    }
    expect(text).toContain(`\n\n${url}\n\n`);
    expect(html).toContain(`<a href="${url}"`);
  });

  test('leaves nothing open where nobody in particular invites', () => {
    const { subject, text, html } = mailIn(language, { inviter: null });
    expect(subject + text + html).not.toMatch(/\{\w+\}|null/);
  });
});

test('what others wrote is shown as text, and begins no line of its own in the subject', () => {
  const hostile = '<img src=x onerror=alert(1)>\r\nBcc: eve@example.com';
  const { subject, html } = mailIn('en', { inviter: hostile, siteTitle: hostile });
  expect(subject).not.toMatch(/[\r\n]/);
  expect(html).not.toContain('<img');
});
