import { expect, test } from 'vitest';
import { noLinks } from '../../domain/sites/site-links.ts';
import { emailComposer as composer } from './email-composer.ts';

const texts = {
  greeting: 'Ahoy <b>{email}</b>,',
  welcome: 'Welcome {code}\nto <i>us</i> & all',
  closing: 'See you\n"soon"',
};
const site = { title: 'Rowing Club', color: null, logoUrl: null, links: noLinks };
const frame = { site, language: 'en', texts };
const url = 'https://club.example.org/_gatehouse/account';
const common = { url, email: 'ada@example.com', origin: 'https://club.example.org' };
const invitation = { ...common, expiresAt: '2026-12-01T00:00:00.000Z', timeZone: 'UTC' };
const emails = {
  login: () => composer.loginEmail(frame, { ...common, code: '123456', minutes: 10 }),
  'session limit': () => composer.sessionLimitEmail(frame, common),
  passkey: () => composer.passkeyEmail(frame, { ...common, notice: { type: 'new_passkey', name: 'Key' } }),
  'linked account': () => composer.accountLinkedEmail(frame, { ...common, provider: 'Example' }),
  'address code': () => composer.addressCodeEmail(frame, { ...common, code: null, minutes: 15 }),
  'address changed': () => composer.addressChangedEmail(frame, { ...common, days: 7 }),
  approval: () => composer.joinDecisionEmail(frame, { ...common, isApproved: true }),
  invitation: () => composer.memberInvitationEmail(frame, invitation),
};

test.each(Object.entries(emails))(
  'an email (%s) has the texts of its site, and nothing in them acts',
  (_, make) => {
    const { subject, text, html } = make();
    expect(subject).not.toMatch(/Ahoy|Welcome/);
    expect(text).toMatch(/^Ahoy <b>\{email\}<\/b>,\n\nWelcome \{code\}\nto <i>us<\/i> & all\n\n/);
    expect(text).toMatch(/\n\nSee you\n"soon"\n\n-- \nSent to ada@example\.com/);
    const paragraph = (content: string) =>
      expect.stringMatching(new RegExp(`<p dir="auto" style="[^"]*">${content}</p>`));
    expect(html).toEqual(paragraph('Ahoy &lt;b&gt;\\{email\\}&lt;/b&gt;,'));
    expect(html).toEqual(paragraph('Welcome \\{code\\}<br>to &lt;i&gt;us&lt;/i&gt; &amp; all'));
    expect(html).toEqual(paragraph('See you<br>&quot;soon&quot;'));
    expect(html + text).not.toContain('Hello,');
  },
);

test('texts that are not set leave an email as it is', () => {
  const none = { greeting: null, welcome: null, closing: null };
  const make = (own: object) =>
    composer.loginEmail({ site, language: 'en', ...own }, { ...common, code: '123456', minutes: 10 });
  expect(make({ texts: none })).toEqual(make({}));
});
