import type { AccessRule, Site } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { addressFor, pathsIn, rulesWithCode } from './rules-with-code.ts';

const rules: AccessRule[] = [
  { path: '/', access: 'members' },
  { path: '/class', access: 'code', pageCodeIds: ['a'] },
  { path: '/exam', hosts: ['forum.example.org'], access: 'code', pageCodeIds: ['b'] },
  { path: '/lab-*', access: 'code', pageCodeIds: ['c'] },
  {
    path: '/archive',
    access: 'conditional',
    anyOf: [{ access: 'members' }, { access: 'code', pageCodeIds: ['a'] }],
  },
];
const host = (domain: string, scheme: 'http' | 'https') => ({ domain, scheme }) as Site['hosts'][number];
const site = { hosts: [host('club.example.org', 'https'), host('forum.example.org', 'http')] };
const pathsWith = (id: string) => rulesWithCode(rules, id).map(({ path }) => path);

test('the rules that accept a page code are found, also where it is one of several conditions', () => {
  expect(pathsWith('a')).toEqual(['/class', '/archive']);
  expect(pathsWith('d')).toEqual([]);
});

test('only some of many paths are named, with the host of a rule for one', () => {
  expect(pathsIn(rules)).toBe('/, /class, forum.example.org/exam, …');
});

test('a code is entered at its only page, and otherwise at the site', () => {
  const address = (id: string) => addressFor(rulesWithCode(rules, id), site);
  expect(address('b')).toBe('http://forum.example.org/exam');
  expect(address('a')).toBe('https://club.example.org/');
  expect(address('c')).toBe('https://club.example.org/');
  expect(address('d')).toBe('https://club.example.org/');
  expect(addressFor([], { hosts: [] })).toBeUndefined();
});
