import { expect, test } from 'vitest';
import { availableLanguages } from '../../i18n/languages.ts';
import { operatorNoticeEmail } from './operator-notice-email.ts';

const url = 'https://gate.example.org/dashboard/me';

test.each(availableLanguages)('an email about a new passkey or browser in %s says which', (language) => {
  const frame = { site: { title: 'Gatehouse', color: null, logoUrl: null }, language };
  const hostile = '<b>Key</b>\r\nBcc: eve@example.com';
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const notices = [
    { type: 'new_passkey', name: hostile },
    { type: 'new_browser', userAgent, ipAddress: '198.51.100.7' },
    { type: 'new_browser', userAgent: null, ipAddress: null },
  ] as const;
  const [passkey, browser, unknown] = notices.map((notice) =>
    operatorNoticeEmail(frame, { notice, url, email: 'ada@example.com', origin: 'https://gate.example.org' }),
  );
  expect(passkey!.text).toContain('<b>Key</b>');
  expect(passkey!.html).not.toContain('<b>Key');
  expect(browser!.text).toMatch(/Firefox.*198\.51\.100\.7/);
  for (const { subject, text, html } of [passkey!, browser!, unknown!]) {
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).toContain(`\n\n${url}\n\n`);
    expect(html).toContain(`<a href="${url}"`);
    expect(subject + text + html).not.toMatch(/\{\w+\}|undefined|\nBcc/);
  }
});
