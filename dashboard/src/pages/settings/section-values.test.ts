import type { Site } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { type FormSection, withTyped } from './form/form-section.ts';
import { headersSection } from './headers/headers-values.ts';
import { hostsSection, parseDomain } from './hosts/hosts-values.ts';
import { linksSection } from './links/links-values.ts';
import { lookSection } from './look/look-values.ts';
import { sessionsSection } from './sessions/sessions-values.ts';
import { signUpSection } from './sign-up/sign-up-values.ts';
import { siteSection } from './site/site-values.ts';

const site: Site = {
  id: '01980a2f-5b10-7c55-8a01-6f0d2c9b7e11',
  slug: 'club',
  title: 'Rowing Club',
  timeZone: 'UTC',
  domain: null,
  scheme: 'https',
  hosts: [],
  membersCreateTokens: false,
  allowsAccessRequests: false,
  allowsPasskeys: true,
  showsSetUpSteps: true,
  languages: ['en', 'de'],
  maxSessions: 50,
  signUp: { policy: 'allowed_domains', domains: [{ domain: 'example.com', accessGroupIds: [] }] },
  color: '#0f766e',
  logoUrl: null,
  links: { contact: null, upgrade: null, imprint: null, privacy: null },
  identityHeaders: {
    encoding: 'percent',
    user: 'remote-user',
    email: 'remote-email',
    name: 'remote-name',
    groups: 'remote-groups',
    signed: null,
  },
  status: 'active',
  createdAt: '2026-01-05T08:00:00.000Z',
};

/** What is sent for a section of which some values have changed. */
function sent<Values extends object>(
  { toValues, toChanges }: FormSection<Values>,
  values: Partial<Values> = {},
  saved = site,
) {
  return toChanges(saved, { ...toValues(saved), ...values });
}

test('nothing is sent if nothing was changed', () => {
  const saved = { ...site, domain: 'xn--mllerei-n2a.example' };
  expect([
    sent(siteSection),
    sent(hostsSection),
    sent(hostsSection, {}, saved),
    sent(signUpSection),
    sent(sessionsSection),
    sent(lookSection),
    sent(linksSection),
    sent(headersSection),
  ]).toEqual(Array(8).fill(undefined));
  expect(hostsSection.toValues(saved).domain).toBe('müllerei.example');
  expect(sent(siteSection, { title: ' Rowing Club ' })).toBeUndefined();
  expect(sent(lookSection, { color: '#0F766E' })).toBeUndefined();
});

test('only changed values are sent', () => {
  expect(sent(siteSection, { title: 'Rowers' })).toEqual({ title: 'Rowers' });
  expect(sent(siteSection, { languages: ['de', 'en'] })).toEqual({ languages: ['de', 'en'] });
  expect(sent(lookSection, { color: '' })).toEqual({ color: null });
  expect(sent(lookSection, { logo: null })).toEqual({ logo: null });
  expect(sent(sessionsSection, { membersCreateTokens: true })).toEqual({ membersCreateTokens: true });
});

test('domains are kept where they are not shown, and an unfinished one is sent only where it is', () => {
  const known = signUpSection.toValues(site).domains;
  const unfinished = { key: 'new', domain: ' ', accessGroupIds: [] };
  const domainsWith = (policy: Site['signUp']['policy']) =>
    sent(signUpSection, { policy, domains: [...known, unfinished] })?.signUp?.domains;
  expect(domainsWith('open')).toEqual(site.signUp.domains);
  expect(domainsWith('approval')).toEqual([...site.signUp.domains, { domain: '', accessGroupIds: [] }]);
});

test('headers are sent together, in lower case, and an empty one as none', () => {
  expect(sent(headersSection, { user: ' X-WebAuth-User ', email: '' })).toEqual({
    identityHeaders: { ...site.identityHeaders, user: 'x-webauth-user', email: null },
  });
});

test('a link can be typed as people write it, and an email address without its scheme', () => {
  const none = site.links;
  const typed = [
    ['office@example.org', 'mailto:office@example.org'],
    ['mailto:office@example.org', 'mailto:office@example.org'],
    [' www.example.org/contact ', 'https://www.example.org/contact'],
    ['localhost:8080/contact', 'https://localhost:8080/contact'],
    ['http://localhost/contact', 'http://localhost/contact'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ];
  for (const [contact, link] of typed)
    expect(sent(linksSection, { contact: contact! })).toEqual({ links: { ...none, contact: link } });
  const saved = { ...site, links: { ...none, contact: 'mailto:office@example.org' } };
  expect(linksSection.toValues(saved).contact).toBe('office@example.org');
  expect(sent(linksSection, {}, saved)).toBeUndefined();
  expect(sent(linksSection, { contact: ' ' }, saved)).toEqual({ links: none });
});

test('a new domain is sent with the scheme shown beside it', () => {
  const domain = 'club.example.org';
  for (const scheme of ['http', 'https'] as const)
    expect(sent(hostsSection, { domain, scheme })).toEqual({ domain, scheme });
});

test('other hosts are sent together with the domain', () => {
  const primary = { domain: 'club.example.org', scheme: 'https', redirect: false } as const;
  const forum = { domain: 'forum.example.org', scheme: 'http', redirect: false } as const;
  const saved = { ...site, domain: primary.domain, hosts: [primary, forum] };
  expect(sent(hostsSection, {}, saved)).toBeUndefined();
  const wiki = { key: 'new', domain: 'Wiki.example.org', scheme: null, use: 'redirect' } as const;
  const { hosts } = hostsSection.toValues(saved);
  expect(sent(hostsSection, { domain: 'rowers.example', hosts: [...hosts, wiki] }, saved)).toEqual({
    hosts: [
      { domain: 'rowers.example', scheme: 'https' },
      forum,
      { domain: 'wiki.example.org', scheme: 'https', redirect: true },
    ],
  });
  expect(sent(hostsSection, { hosts: [] }, saved)).toEqual({
    hosts: [{ domain: 'club.example.org', scheme: 'https' }],
  });
});

test('a default scheme follows the domain, a chosen or typed one is kept', () => {
  const parse = (typed: string, parsedDomain: string, scheme: Site['scheme']) => {
    const parsed = parseDomain(typed, { parsedDomain, scheme });
    expect(parsed.parsedDomain).toBe(parsed.domain);
    return [parsed.domain, parsed.scheme];
  };
  expect(parse('Club.example.org', 'localhost:8080', 'http')).toEqual(['club.example.org', 'https']);
  expect(parse('localhost:8080', 'club.example.org', 'https')).toEqual(['localhost:8080', 'http']);
  expect(parse('rowers.example', 'club.example.org', 'http')).toEqual(['rowers.example', 'http']);
  expect(parse('http://Club.example.org/', 'club.example.org', 'https')).toEqual([
    'club.example.org',
    'http',
  ]);
  expect(parse('https://Club.example.org/', 'localhost:8080', 'http')).toEqual(['club.example.org', 'https']);
  expect(parse(' ', 'localhost:8080', 'http')).toEqual(['', 'http']);
});

test('input typed during a save is kept, on top of the saved version', () => {
  const typed = { title: ' Rowers ', timeZone: 'UTC', languages: ['en', 'de'], showsSetUpSteps: true };
  const saved = siteSection.toValues({ ...site, title: 'Rowers', languages: ['en'] });
  expect(withTyped(saved, typed, { ...typed, timeZone: 'Asia/Tokyo' })).toEqual({
    ...saved,
    timeZone: 'Asia/Tokyo',
  });
  expect(withTyped(saved, typed, { ...typed, title: 'Rowers of' }).title).toBe('Rowers of');
});

test('an error is shown at the field that it concerns', () => {
  const fieldsOf = ({ fieldOf }: Pick<FormSection<object>, 'fieldOf'>, ...pointers: string[]) =>
    pointers.map(fieldOf!);
  expect(fieldsOf(hostsSection, '/hosts/0/domain', '/hosts', '/hosts/2/domain', '/domain')).toEqual([
    'domain',
    'domain',
    'hosts.1.domain',
    'domain',
  ]);
  expect(fieldsOf(headersSection, '/identityHeaders/user')).toEqual(['user']);
  expect(fieldsOf(linksSection, '/links/imprint')).toEqual(['imprint']);
  const ofDomains = ['/signUp/domains/2/domain', '/signUp/domains/0/accessGroupIds/1', '/signUp/domains'];
  expect(fieldsOf(signUpSection, ...ofDomains)).toEqual([
    'domains.2.domain',
    'domains.0.accessGroupIds',
    'policy',
  ]);
});
