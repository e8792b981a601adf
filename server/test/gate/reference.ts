import type { AccessRule } from '@gatehouse/contract';
import fc from 'fast-check';
import { checkAccessRules } from '../../src/domain/access-rules/access-rule-checks.ts';

const rowers = '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6';
const ruleNames = ['members', 'members.html', 'public', 'a b', 'été', 'straße', 'コース'];
const otherNames = [
  ...[
    'Members',
    'MEMBERS.html',
    'members.htm',
    'members.HTML',
    'members.txt',
    'public.php',
    'a+b',
    'STRASSE',
  ],
  ...[
    'e\u0301te\u0301',
    'ÉTÉ',
    '~ada',
    'talk:me',
    'ｍembers',
    'x',
    '100%',
    'コー\u200cス',
    'members.html.br',
  ],
];

/** Names of rules; two of them occur often, so that paths match rules at several levels. */
const ruleName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('members', 'public') },
  { weight: 1, arbitrary: fc.constantFrom(...ruleNames) },
);

/** A name of an ordinary path, often one of a rule. */
export const names = fc.oneof(
  { weight: 3, arbitrary: ruleName },
  { weight: 1, arbitrary: fc.constantFrom(...otherNames) },
);

const access = fc.constantFrom<AccessRule[]>(
  { path: '/', access: 'public' },
  { path: '/', access: 'members' },
  { path: '/', access: 'paying_members' },
  { path: '/', access: 'groups', groupIds: [rowers], match: 'any' },
);

/** The stored rules of a site. */
export const ruleTrees = fc
  .uniqueArray(fc.record({ names: fc.array(ruleName, { maxLength: 3 }), access }), {
    selector: (rule) => rule.names.join('/'),
    maxLength: 8,
  })
  .map((rules) =>
    checkAccessRules(rules.map((rule) => ({ ...rule.access, path: `/${rule.names.join('/')}` }))),
  );

/**
 * The rule that applies, found by a search through all rules: the reference for the tree. Null if there is none,
 * undefined if the path is ambiguous.
 */
export function expectedRule(rules: readonly AccessRule[], path: readonly string[]) {
  const all = rules.map((rule) => ({ rule, names: rule.path.split('/').filter(Boolean) }));
  for (let length = 1; length <= path.length; length += 1) {
    const start = path.slice(0, length);
    const alike = all.filter((each) => loose(each.names.slice(0, length)) === loose(start));
    if (alike.some((each) => each.names.slice(0, length).join('/') !== start.join('/'))) return undefined;
    const own = alike.find((each) => each.names.length === length);
    const pages = all.filter((each) => each.names.length === length && page(each.names) === page(start));
    if (own || pages.length === 0) continue;
    if (length === path.length)
      return pages.length === 1 && isWritten(pages[0]!.names, start) ? pages[0]!.rule : undefined;
    if (alike.length === 0 && ending.test(start.at(-1)!)) return undefined;
  }
  const above = all
    .filter(
      (each) => each.names.length <= path.length && each.names.every((name, index) => name === path[index]),
    )
    .sort((one, other) => other.names.length - one.names.length);
  return above[0]?.rule ?? null;
}

const ending = /\.(html|htm|php|html\.br)$/i;
const loose = (path: readonly string[]) =>
  path.join('/').normalize('NFKC').replaceAll('\u200c', '').replaceAll('+', ' ').toUpperCase().toLowerCase();
const page = (path: readonly string[]) => loose(path).replace(ending, '');
const isWritten = (one: readonly string[], other: readonly string[]) => {
  const lowerEnding = /\.(html|htm|php|html\.br)$/;
  return one.join('/').replace(lowerEnding, '') === other.join('/').replace(lowerEnding, '');
};

/** Ways to write a path: unescaped, completely escaped, and escaped at random. */
export function variants(path: readonly string[], choices: Iterator<number>): string[] {
  const write = (choose: () => number) =>
    `/${path.map((name) => [...Buffer.from(name)].map((byte) => written(byte, choose())).join('')).join('/')}`;
  return [`/${path.map(encodeURIComponent).join('/')}`, write(() => 1), write(() => choices.next().value)];
}

function written(byte: number, choice: number): string {
  const character = String.fromCharCode(byte);
  if (choice % 3 === 0 && /[\w.~:+-]/.test(character)) return character;
  const escaped = `%${byte.toString(16).padStart(2, '0')}`;
  return choice % 3 === 1 ? escaped : escaped.toUpperCase();
}

/** Targets composed of the elements of tricks. */
export const targets = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('/') },
      { weight: 3, arbitrary: fc.constantFrom('members', 'public', 'members', 'x') },
      { weight: 2, arbitrary: names.map(encodeURIComponent) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          ...[
            '.',
            '..',
            '%2e',
            '%2E%2e',
            '%2f',
            '\\',
            '%5C',
            ';',
            ';a=b',
            '%3b',
            '%00',
            '%20',
            ' ',
            '+',
            '%2B',
            '%09',
          ],
          ...[
            '.html',
            '.HTML',
            '.php',
            '%25',
            '%256d',
            '%6d',
            '%4D',
            '?',
            '?a=/',
            '#',
            '%3f',
            '~1',
            ':$DATA',
            ':',
            '%c3%a9',
          ],
          ...[
            '%ef%bc%8e',
            '%ef%bc%8f',
            '%e2%80%a5',
            '%e2%80%8b',
            '%e2%80%8c',
            '%c0%ae',
            '%zz',
            '%',
            '*',
            '"',
            '%cd%be',
          ],
          ...['/index.php', '/../', '/./', '//'],
        ),
      },
    ),
    { maxLength: 8 },
  )
  .map((pieces) => `/${pieces.join('')}`);

/**
 * The paths that servers may interpret a target as: each behavior alone, and each applied to the results of the one
 * before. Empty if a server rejects the target.
 */
export function readings(target: string): string[][] {
  const path = target.replace(/[?#].*$/s, '');
  const found = new Set([once(path)]);
  for (const habit of habits) for (const reading of [...found]) found.add(habit(reading));
  return [...found].map((reading) => resolved(reading));
}

const habits: ((path: string) => string)[] = [
  (path) => once(path), // decodes twice
  (path) => path.replaceAll('\\', '/'),
  (path) => path.replace(/;[^/]*/g, ''),
  (path) => path.replace(/\0.*$/s, ''),
  (path) => path.replace(/[?#].*$/s, ''),
  (path) => path.normalize('NFKC'),
  (path) => path.normalize('NFC'),
  (path) => path.replace(/[\u200b\u200c]/g, ''),
  (path) => path.replace(/:\$[^/]*/g, ''),
  (path) => path.replace(/(?<=[^/.])[. ]+(?=\/|$)/g, ''),
  (path) => path.toLowerCase(),
  (path) => path.replaceAll('+', ' '),
  (path) => path.replace('/index.php/', '/'),
];

/** Decodes like servers that pass invalid escapes unchanged. */
function once(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  );
}

/** Without empty names and dot segments. */
function resolved(path: string): string[] {
  const segments: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') segments.pop();
    else if (name !== '' && name !== '.') segments.push(name);
  }
  return segments;
}
