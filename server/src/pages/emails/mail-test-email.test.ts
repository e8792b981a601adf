import { expect, test } from 'vitest';
import { availableLanguages } from '../../i18n/languages.ts';
import { mailTestEmail } from './mail-test-email.ts';

test.each(availableLanguages)('a test email in %s names the site, and who has requested it', (language) => {
  const hostile = 'Rowing <b>Club</b>\r\nBcc: eve@example.com';
  const frame = { site: { title: hostile, color: null, logoUrl: null }, language };
  const values = { email: 'ada@example.com', origin: 'https://gate.example.org' };
  const { subject, text, html } = mailTestEmail(frame, values);
  expect(subject).toContain('Rowing <b>Club</b>');
  expect(subject).not.toMatch(/[\r\n]/);
  expect(text).toContain('ada@example.com');
  expect(html).not.toContain('<b>Club');
  expect(html).not.toContain('<a ');
  expect(subject + text + html).not.toMatch(/\{\w+\}|undefined/);
});

test('it says that email works', () => {
  const frame = { site: { title: 'Rowing Club', color: null, logoUrl: null }, language: 'en' };
  const { text } = mailTestEmail(frame, { email: 'ada@example.com', origin: 'https://gate.example.org' });
  expect(text).toContain('\n\nThis is a test from Rowing Club. If you read this, email works.\n\n');
});
