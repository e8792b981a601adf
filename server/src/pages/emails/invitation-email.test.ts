import { describe, expect, test } from 'vitest';
import type { InvitationEmail } from '../../domain/emails/email-composer.ts';
import { availableLanguages } from '../../i18n/languages.ts';
import { invitationEmail } from './invitation-email.ts';

const url = 'https://gate.example.org/dashboard/login?email=grace%40example.com';
const invitation: InvitationEmail = {
  url,
  inviter: 'Ada Lovelace',
  siteTitle: 'Rowing Club',
  email: 'grace@example.com',
  origin: 'https://gate.example.org',
};

function emailIn(language: string, values: Partial<InvitationEmail> = {}) {
  const frame = { site: { title: 'Gatehouse', color: null, logoUrl: null }, language };
  return invitationEmail(frame, { ...invitation, ...values });
}

describe.each(availableLanguages)('an invitation in %s', (language) => {
  test('names the inviter, the site, and the login address', () => {
    const { subject, text, html } = emailIn(language);
    for (const part of [subject, text, html]) {
      expect(part).toContain('Ada Lovelace');
      expect(part).toContain('Rowing Club');
    }
    expect(text).toContain(`\n\n${url}\n\n`);
    expect(html).toContain(`<a href="${url}"`);
  });

  test('has complete sentences without an inviter', () => {
    const { subject, text, html } = emailIn(language, { inviter: null });
    expect(subject + text + html).not.toMatch(/\{\w+\}|null/);
  });
});

test('values from users are shown as text, and cannot add a line to the subject', () => {
  const hostile = '<img src=x onerror=alert(1)>\r\nBcc: eve@example.com';
  const { subject, html } = emailIn('en', { inviter: hostile, siteTitle: hostile });
  expect(subject).not.toMatch(/[\r\n]/);
  expect(html).not.toContain('<img');
});
