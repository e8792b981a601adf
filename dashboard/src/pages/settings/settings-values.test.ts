import type { Site } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { fieldOf, toChanges, toValues, understandDomain, withTyped } from './settings-values.ts';

const site: Site = {
  id: '01980a2f-5b10-7c55-8a01-6f0d2c9b7e11',
  slug: 'club',
  title: 'Rowing Club',
  domain: null,
  scheme: 'https',
  languages: ['en', 'de'],
  signUp: { policy: 'allowed_domains', domains: [{ domain: 'example.com', accessGroupIds: [] }] },
  colour: '#0f766e',
  logoUrl: null,
  status: 'active',
  createdAt: '2026-01-05T08:00:00.000Z',
};

test('nothing is sent while nothing differs', () => {
  expect(toChanges(site, toValues(site))).toBeUndefined();
  expect(toChanges(site, { ...toValues(site), title: ' Rowing Club ', colour: '#0F766E' })).toBeUndefined();
});

test('only what differs is sent', () => {
  const values = { ...toValues(site), title: 'Rowers', colour: '', logo: null };
  expect(toChanges(site, values)).toEqual({ title: 'Rowers', colour: null, logo: null });
});

test('a new domain goes with the scheme that is shown beside it', () => {
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

test('a default scheme follows the domain, one that was chosen or typed stays', () => {
  const local = { domain: 'localhost:8080', scheme: 'http' as const };
  const club = { domain: 'club.example.org', scheme: 'https' as const };
  expect(understandDomain('Club.example.org', local)).toEqual(club);
  expect(understandDomain('localhost:8080', club)).toEqual(local);
  expect(understandDomain('rowers.example', { ...club, scheme: 'http' }).scheme).toBe('http');
  expect(understandDomain('http://Club.example.org/', club)).toEqual({ ...club, scheme: 'http' });
  expect(understandDomain('https://Club.example.org/', local)).toEqual(club);
  expect(understandDomain(' ', local)).toEqual({ domain: '', scheme: 'http' });
});

test('a mail domain that was only begun is left out where no domain counts', () => {
  const [known] = toValues(site).domains;
  const domains = [known!, { key: 'new', domain: ' ', accessGroupIds: [] }];
  expect(toChanges(site, { ...toValues(site), policy: 'open', domains })).toEqual({
    signUp: { policy: 'open', domains: [{ domain: 'example.com', accessGroupIds: [] }] },
  });
});

test('the usual language is the first one', () => {
  expect(toChanges(site, { ...toValues(site), languages: ['de', 'en'] })).toEqual({
    languages: ['de', 'en'],
  });
});

test('what is typed while a save is on its way stays, on what was saved', () => {
  const sent = { ...toValues(site), title: ' Rowers ', logo: 'data:image/png;base64,AAAA' };
  const saved = toValues({ ...site, title: 'Rowers', languages: ['en'] });
  expect(withTyped(saved, sent, { ...sent, colour: '#1d4ed8' })).toEqual({ ...saved, colour: '#1d4ed8' });
  expect(withTyped(saved, sent, { ...sent, title: 'Rowers of' }).title).toBe('Rowers of');
});

test('what the service refuses is told at the field it is about', () => {
  expect(fieldOf('/title')).toBe('title');
  expect(fieldOf('/languages/0')).toBe('languages');
  expect(fieldOf('/signUp/domains/2/domain')).toBe('domains.2.domain');
  expect(fieldOf('/signUp/domains/0/accessGroupIds/1')).toBe('domains.0.accessGroupIds');
});
