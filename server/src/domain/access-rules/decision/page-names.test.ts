import type { AccessRule } from '@gatehouse/contract';
import { rulePathFault } from '@gatehouse/contract/rule-paths';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  collationNames,
  comparedBy,
  equalIn,
  type ReadName,
  slug,
  wordPressName,
} from '../../../../test/gate/page-names.ts';
import { decide } from './access-decision.ts';
import { compileAccessTree } from './access-tree.ts';

const access = (path: string): AccessRule => ({ path, access: 'members' });
const everywhere: AccessRule = { path: '/', access: 'public' };

/** The reason for an anonymous visitor on a public site with rules for members. */
function reasonFor(paths: readonly string[], ...names: string[]): string {
  const target = `/${names.map(encodeURIComponent).join('/')}`;
  const request = {
    target,
    method: () => 'GET',
    isPreflight: () => false,
    time: 0,
    ipAddress: () => undefined,
  };
  return decide(compileAccessTree([everywhere, ...paths.map(access)]), request, null, 'active').reason;
}

describe.each(collationNames)('a name that %s reads as that of a rule', (collation) => {
  test('is ambiguous, for every character', () => {
    const open: string[] = [];
    for (const { text, members } of equalIn(collation)) {
      for (const member of members) {
        const [rule, name] = [`mem${text}bers-x`, `mem${member}bers-x`];
        for (const [one, other] of [
          [rule, name],
          [name, rule],
        ] as const) {
          if (rulePathFault(`/${one}`) !== undefined) continue;
          if (reasonFor([`/${one}`], other) === 'public') open.push(`${one} ${other}`);
        }
      }
    }
    expect(open).toEqual([]);
  });
});

const named = 'a page of a rule is not shown by a program that';
const programs: Record<string, ReadName> = {
  'looks names up as WordPress does': wordPressName,
  'writes a hyphen for everything but letters and digits': slug,
  ...Object.fromEntries(collationNames.map((name) => [`compares names by ${name}`, comparedBy(name)])),
};

/** Parts of names that a program may read as one another. */
const parts = fc.constantFrom(
  'm',
  'e',
  'é',
  'E',
  'e\u0301',
  'ê',
  's',
  'ß',
  'ss',
  'ſ',
  'ä',
  'ae',
  'æ',
  'a',
  'ø',
  'o',
  'ı',
  'i',
  'İ',
  '-',
  '--',
  ' ',
  '.',
  '_',
  '+',
  '!',
  "'",
  '@',
  '’',
  '–',
  '1',
  '①',
  '٣',
  '3',
  '٪',
  '🚣',
  '🍣',
  '\ufffd',
  '---c3------a9---',
  'か',
  'が',
  'カ',
  'ヵ',
  'ｶ',
  'й',
  'и',
  '\u0300',
  '\u0640',
  '\u0363',
  'K',
  'k',
  '℞',
  '.html',
  'n',
  '0',
);
/** Names of rules and of requests, of which many are read alike. */
const names = fc.array(parts, { minLength: 1, maxLength: 4 }).map((each) => each.join('').normalize('NFC'));

describe.each(Object.entries(programs))(`${named} %s`, (_, read) => {
  const isRule = (path: string) => rulePathFault(path) === undefined;
  /** Other names that the program reads in the same way, if there are any. */
  const alike = fc
    .array(names, { minLength: 2, maxLength: 60 })
    .map((all) => {
      const found = all.flatMap((one, index) =>
        all
          .slice(index + 1)
          .flatMap((other) => (one !== other && read(one) === read(other) ? [[one, other]] : [])),
      );
      return found as [string, string][];
    })
    .filter((found) => found.length > 0);

  test('to anyone without access, however its name is written', () => {
    fc.assert(
      fc.property(alike, (pairs) => {
        for (const [rule, name] of pairs) {
          if (!isRule(`/${rule}`) || read(rule) === '') continue;
          for (const path of [[name], [name, 'minutes']])
            expect([rule, path, reasonFor([`/${rule}`], ...path)]).not.toEqual([rule, path, 'public']);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['/members', 'mem+bers'],
  ['/members', 'mem%2Bbers'],
  ['/club-news', 'c+lub.news'],
  ['/mem*', 'm+embers'],
  ['/mémbers', 'm---c3------a9---mbers'],
  ['/mémbers', 'm---C3------A9---m+bers'],
  ['/mém*', 'm---c3------a9---mbers'],
  ['/日本', '---e6------97------a5------e6------9c------ac---'],
])('%s for members is not public as %s, which WordPress reads alike', (rule, name) => {
  const reason = reasonFor([rule], decodeURIComponent(name));
  expect([reason, reasonFor([rule], decodeURIComponent(name), 'minutes')]).toEqual([
    'ambiguous_path',
    'ambiguous_path',
  ]);
});

test('other names with hyphens and plus signs are public', () => {
  const names = ['C++', 'a+b', 'my---50---years', '---c3---', 'release---1', '2026---12---24'];
  expect(names.map((name) => reasonFor(['/members', '/mémbers', '/team*'], name))).toEqual(
    names.map(() => 'public'),
  );
});
