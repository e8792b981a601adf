import { expect, test } from 'vitest';
import { availableLanguages } from '../../i18n/languages.ts';
import { sessionLimitEmail } from './session-limit-email.ts';

const url = 'https://club.example.org/_gatehouse/account';

test.each(availableLanguages)(
  'an email about ended sessions in %s names the site and the account',
  (language) => {
    const hostile = 'Rowing <b>Club</b>\r\nBcc: eve@example.com';
    const frame = { site: { title: hostile, color: null, logoUrl: null }, language };
    const values = { url, email: 'ada@example.com', origin: 'https://club.example.org' };
    const { subject, text, html } = sessionLimitEmail(frame, values);
    expect(subject).toContain('Rowing <b>Club</b>');
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).toContain(`\n\n${url}\n\n`);
    expect(html).toContain(`<a href="${url}"`);
    expect(html).not.toContain('<b>Club');
    expect(subject + text + html).not.toMatch(/\{\w+\}|undefined/);
  },
);
