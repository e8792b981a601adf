import type { Site } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { fieldOf, parseDomain, toChanges, toValues, withTyped } from './settings-values.ts';

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
  links: { contact: null, upgrade: null, imprint: null, privacy: null },
  languages: ['en', 'de'],
  maxSessions: 50,
  signUp: { policy: 'allowed_domains', domains: [{ domain: 'example.com', accessGroupIds: [] }] },
  color: '#0f766e',
  logoUrl: null,
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

test('nothing is sent if nothing was changed', () => {
  expect(toChanges(site, toValues(site))).toBeUndefined();
  expect(toChanges(site, { ...toValues(site), title: ' Rowing Club ', color: '#0F766E' })).toBeUndefined();
});

test('only changed values are sent', () => {
  const values = { ...toValues(site), title: 'Rowers', color: '', logo: null, membersCreateTokens: true };
  expect(toChanges(site, values)).toEqual({
    title: 'Rowers',
    color: null,
    logo: null,
    membersCreateTokens: true,
  });
});

test('domains are kept where they are not shown, and an unfinished one is sent only where it is', () => {
  const values = toValues(site);
  const unfinished = { key: 'new', domain: '', accessGroupIds: [] };
  const domainsWith = (policy: Site['signUp']['policy']) =>
    toChanges(site, { ...values, policy, domains: [...values.domains, unfinished] })?.signUp?.domains;
  expect(domainsWith('open')).toEqual(site.signUp.domains);
  expect(domainsWith('approval')).toEqual([...site.signUp.domains, { domain: '', accessGroupIds: [] }]);
});

test('headers are sent together, in lower case, and an empty one as none', () => {
  const values = toValues(site);
  const headers = { ...values.headers, user: ' X-WebAuth-User ', email: '' };
  expect(toChanges(site, { ...values, headers })).toEqual({
    identityHeaders: { ...site.identityHeaders, user: 'x-webauth-user', email: null },
  });
  expect(fieldOf('/identityHeaders/user')).toBe('headers.user');
});

test('a new domain is sent with the scheme shown beside it', () => {
  const values = { ...toValues(site), domain: 'club.example.org', scheme: 'http' as const };
  expect(toChanges(site, values)).toEqual({ domain: 'club.example.org', scheme: 'http' });
  expect(toChanges(site, { ...values, scheme: 'https' })).toEqual({
    domain: 'club.example.org',
    scheme: 'https',
  });
  const saved = { ...site, domain: 'xn--mllerei-n2a.example' };
  expect(toValues(saved).domain).toBe('müllerei.example');
  expect(toChanges(saved, toValues(saved))).toBeUndefined();
});

test('other hosts are sent together with the domain', () => {
  const primary = { domain: 'club.example.org', scheme: 'https', redirect: false } as const;
  const forum = { domain: 'forum.example.org', scheme: 'http', redirect: false } as const;
  const saved = { ...site, domain: primary.domain, hosts: [primary, forum] };
  const values = toValues(saved);
  expect(toChanges(saved, values)).toBeUndefined();
  const wiki = { key: 'new', domain: 'Wiki.example.org', scheme: null, use: 'redirect' } as const;
  const changed = { ...values, title: 'Rowers', domain: 'rowers.example', hosts: [...values.hosts, wiki] };
  expect(toChanges(saved, changed)).toEqual({
    title: 'Rowers',
    hosts: [
      { domain: 'rowers.example', scheme: 'https' },
      forum,
      { domain: 'wiki.example.org', scheme: 'https', redirect: true },
    ],
  });
  expect(toChanges(saved, { ...values, hosts: [] })).toEqual({
    hosts: [{ domain: 'club.example.org', scheme: 'https' }],
  });
  expect([fieldOf('/hosts/0/domain'), fieldOf('/hosts'), fieldOf('/hosts/2/domain')]).toEqual([
    'domain',
    'domain',
    'hosts.1.domain',
  ]);
});

test('a default scheme follows the domain, a chosen or typed one is kept', () => {
  const local = { domain: 'localhost:8080', scheme: 'http' as const };
  const club = { domain: 'club.example.org', scheme: 'https' as const };
  expect(parseDomain('Club.example.org', local)).toEqual(club);
  expect(parseDomain('localhost:8080', club)).toEqual(local);
  expect(parseDomain('rowers.example', { ...club, scheme: 'http' }).scheme).toBe('http');
  expect(parseDomain('http://Club.example.org/', club)).toEqual({ ...club, scheme: 'http' });
  expect(parseDomain('https://Club.example.org/', local)).toEqual(club);
  expect(parseDomain(' ', local)).toEqual({ domain: '', scheme: 'http' });
});

test('an incomplete email domain is left out if the policy uses no domains', () => {
  const [known] = toValues(site).domains;
  const domains = [known!, { key: 'new', domain: ' ', accessGroupIds: [] }];
  expect(toChanges(site, { ...toValues(site), policy: 'open', domains })).toEqual({
    signUp: { policy: 'open', domains: [{ domain: 'example.com', accessGroupIds: [] }] },
  });
});

test('the default language is the first one', () => {
  expect(toChanges(site, { ...toValues(site), languages: ['de', 'en'] })).toEqual({
    languages: ['de', 'en'],
  });
});

test('input typed during a save is kept, on top of the saved version', () => {
  const sent = { ...toValues(site), title: ' Rowers ', logo: 'data:image/png;base64,AAAA' };
  const saved = toValues({ ...site, title: 'Rowers', languages: ['en'] });
  expect(withTyped(saved, sent, { ...sent, color: '#1d4ed8' })).toEqual({ ...saved, color: '#1d4ed8' });
  expect(withTyped(saved, sent, { ...sent, title: 'Rowers of' }).title).toBe('Rowers of');
});

test('an error is shown at the field that it concerns', () => {
  expect(fieldOf('/title')).toBe('title');
  expect(fieldOf('/languages/0')).toBe('languages');
  expect(fieldOf('/signUp/domains/2/domain')).toBe('domains.2.domain');
  expect(fieldOf('/signUp/domains/0/accessGroupIds/1')).toBe('domains.0.accessGroupIds');
});
