import type { AccessRule, RuleReach } from '@gatehouse/contract';
import fc from 'fast-check';
import { ApiError } from '../../src/base/api-error.ts';
import { checkAccessRules } from '../../src/domain/access-rules/access-rule-checks.ts';

const rowers = '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6';
const ruleNames = [
  'members',
  'members.html',
  'members-html',
  'public',
  'a b',
  'a.b',
  'été',
  'straße',
  'コース',
];
const otherNames = [
  'Members',
  'MEMBERS.html',
  'members.htm',
  'members.HTML',
  'members.txt',
  'public.php',
  'a+b',
  'STRASSE',
  'e\u0301te\u0301',
  'ÉTÉ',
  '~ada',
  'talk:me',
  'ｍembers',
  'x',
  '100%',
  'コー\u200cス',
  'members.html.br',
  'members-2',
  'Members-2',
  'membrs',
  'pub',
  'e\u0301t',
  'strasse-2',
  'index.html',
  'index.php',
  'Index.html',
  'index.en.html',
  'default.aspx',
  'index.txt',
  'members-',
  '-members.html',
  'mem!bers',
  'mémbers',
  'a-b',
  'ab',
  'ete',
  'été-2',
  'strase',
  'pub-',
  'pub.lic',
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

/** The last name of a rule; some end in `*`. */
const lastName = fc.oneof(
  { weight: 4, arbitrary: ruleName },
  {
    weight: 2,
    arbitrary: fc.constantFrom('mem*', 'members*', 'members-*', 'members.*', 'pub*', 'é*', 'straß*'),
  },
);

/** The stored rules of a site. */
export const ruleTrees = fc
  .array(
    fc.record({
      names: fc
        .tuple(fc.array(ruleName, { maxLength: 2 }), fc.option(lastName))
        .map(([names, last]) => (last === null ? names : [...names, last])),
      appliesTo: fc.constantFrom<RuleReach[]>('folder', 'folder', 'page'),
      access,
    }),
    { maxLength: 8 },
  )
  .map(storedRules);

/** The rules of a list that may stand beside those before them. */
function storedRules(
  submitted: readonly { names: readonly string[]; appliesTo: RuleReach; access: AccessRule }[],
): AccessRule[] {
  let rules: AccessRule[] = [];
  for (const { names, appliesTo, access } of submitted) {
    try {
      rules = checkAccessRules([...rules, { ...access, path: `/${names.join('/')}`, appliesTo }]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return rules;
}

/** The names of a rule, without one that ends in `*`. */
interface NamedRule {
  readonly rule: AccessRule;
  readonly names: readonly string[];
  /** How the last name begins, for a rule whose path ends in `*`. */
  readonly beginning: string | undefined;
}

function toNamed(rule: AccessRule): NamedRule {
  const names = rule.path.split('/').filter(Boolean);
  if (!rule.path.endsWith('*')) return { rule, names, beginning: undefined };
  return { rule, names: names.slice(0, -1), beginning: names.at(-1)!.slice(0, -1) };
}

/** The rules at one level: those of the path itself, of another ending of its name, or of a name with `*`. */
interface Level {
  readonly page: AccessRule | undefined;
  readonly folder: AccessRule | undefined;
  /** Whether a program may read the name as another one with a rule. */
  readonly isUnclear?: boolean;
}

/**
 * The rules that apply, found by a search through all rules: the reference for the tree. Undefined if the path is
 * ambiguous.
 */
export function expectedRules(rules: readonly AccessRule[], path: readonly string[]) {
  const all = rules.map(toNamed);
  let { page, folder = null }: { page: AccessRule | undefined; folder?: AccessRule | null | undefined } =
    levelOf(all.filter((each) => isAt(each, [])));
  let isUnclear = false;
  for (let length = 1; length <= path.length; length += 1) {
    const start = path.slice(0, length);
    const found = length === path.length ? expectedLast(all, start, page) : expectedBefore(all, start, page);
    if (found === 'ambiguous') return undefined;
    if (found === 'index') return { page, folder };
    page = found.page;
    folder = found.folder ?? folder;
    isUnclear = found.isUnclear === true || (isUnclear && !found.folder && !(length === path.length && page));
  }
  return isUnclear ? undefined : { page, folder };
}

/** For a name with others behind it. */
function expectedBefore(
  all: readonly NamedRule[],
  start: readonly string[],
  pageOfFolder: AccessRule | undefined,
): Level | 'ambiguous' {
  const alike = all.filter(({ names }) => loose(names.slice(0, start.length)) === loose(start));
  if (isSpelledOtherwise(alike, start)) return 'ambiguous';
  const own = levelOf(alike.filter((each) => isAt(each, start)));
  if (own.folder) return own;
  const wildcard = expectedWildcard(all, start);
  if (wildcard === 'ambiguous') return 'ambiguous';
  const name = start.at(-1)!;
  const page = own.page ?? wildcard.page;
  const beside = namesBeside(all, start);
  if (
    ending.test(name) &&
    (page || beside.some((each) => each.hasRule && isReadAs(bare(name), bare(each.name))))
  )
    return 'ambiguous';
  if (pageOfFolder && alike.length === 0 && (isIndex(name) || isOtherIndex(name))) return 'ambiguous';
  const isUnclear =
    beside.some((each) => each.name !== name && isReadAs(name, each.name)) || isUnclearBeginning(all, start);
  if (isUnclear && alike.length === 0) return 'ambiguous';
  return { page, folder: wildcard.folder, isUnclear };
}

function expectedLast(
  all: readonly NamedRule[],
  start: readonly string[],
  pageOfFolder: AccessRule | undefined,
): Level | 'ambiguous' | 'index' {
  const alike = all.filter(({ names }) => loose(names.slice(0, start.length)) === loose(start));
  if (isSpelledOtherwise(alike, start)) return 'ambiguous';
  const own = levelOf(alike.filter((each) => isAt(each, start)));
  if (own.page && own.folder) return own;
  const name = start.at(-1)!;
  const others = pagesLike(all, start).filter((each) => !isAt(each, start));
  const otherNames = new Set(others.map(({ rule }) => rule.path));
  if (!own.page && !own.folder) {
    if (pageOfFolder && isIndex(name)) return name === name.toLowerCase() ? 'index' : 'ambiguous';
    if (pageOfFolder && isOtherIndex(name)) return 'ambiguous';
    if (isIndex(name)) return { page: undefined, folder: undefined };
    const hasWildcards = all.some(
      ({ names, beginning }) => beginning !== undefined && names.join('/') === start.slice(0, -1).join('/'),
    );
    if (isOtherIndex(name) && hasWildcards) return 'ambiguous';
    if (otherNames.size > 1 || others.some(({ names }) => !isWritten(names, start))) return 'ambiguous';
    const ownNames = [name, ...others.map(({ names }) => names.at(-1)!)];
    const lookalike = namesBeside(all, start)
      .filter((each) => !ownNames.includes(each.name))
      .some((each) => isReadAs(name, each.name) || (each.hasRule && isReadAs(bare(name), bare(each.name))));
    if (lookalike || (others.length === 0 && isUnclearBeginning(all, start))) return 'ambiguous';
  }
  const wildcard = expectedWildcard(all, start);
  if (wildcard === 'ambiguous') return 'ambiguous';
  for (const reach of ['page', 'folder'] as const) {
    const same = others.filter((each) => isForPage(each) === (reach === 'page'));
    if (same.length > 1 || (same[0] && !isWritten(same[0].names, start))) return 'ambiguous';
  }
  const levels = [own, levelOf(others), wildcard];
  const first = levels.find(({ page, folder }) => page || folder);
  return {
    page: first?.page && levels.find(({ page }) => page)!.page,
    folder: levels.find(({ folder }) => folder)?.folder,
  };
}

function expectedWildcard(all: readonly NamedRule[], start: readonly string[]): Level | 'ambiguous' {
  const name = start.at(-1)!;
  const beginnings = all.filter(
    ({ names, beginning }) => beginning !== undefined && names.join('/') === start.slice(0, -1).join('/'),
  );
  const isUnclear = ({ beginning = '' }: NamedRule) =>
    name.startsWith(beginning) !== loose([name]).startsWith(loose([beginning]));
  if (beginnings.some(isUnclear)) return 'ambiguous';
  const matching = beginnings
    .filter(({ beginning }) => name.startsWith(beginning!))
    .sort((one, other) => other.beginning!.length - one.beginning!.length);
  return levelOf(matching);
}

/** The names in the folder of a path that occur in rules. */
function namesBeside(all: readonly NamedRule[], start: readonly string[]) {
  const parent = start.slice(0, -1).join('/');
  const below = all.filter(
    ({ names }) => names.length >= start.length && names.slice(0, start.length - 1).join('/') === parent,
  );
  const own = (each: NamedRule) => each.beginning === undefined && each.names.length === start.length;
  return [...new Set(below.map(({ names }) => names[start.length - 1]!))].map((name) => ({
    name,
    hasRule: below.some((each) => own(each) && each.names.at(-1) === name),
  }));
}

/** Whether a program may read a name as one that matches other names with `*`. */
function isUnclearBeginning(all: readonly NamedRule[], start: readonly string[]): boolean {
  const name = start.at(-1)!;
  const parent = start.slice(0, -1).join('/');
  const beginnings = all.filter(
    ({ names, beginning }) => beginning !== undefined && names.join('/') === parent,
  );
  return ways.some((read) => {
    const whole = read(name).replace(/-$/, '') || '-';
    const matches = ({ beginning = '' }: NamedRule) => whole.startsWith(read(beginning));
    const written = beginnings.filter(({ beginning }) => name.startsWith(beginning!));
    if (!written.every(matches)) return true;
    return [true, false].some((forPage) => {
      const lengths = (found: readonly NamedRule[]) =>
        found.filter((each) => isForPage(each) === forPage).map(({ beginning }) => read(beginning!).length);
      const others = beginnings.filter((each) => !written.includes(each) && matches(each));
      return Math.max(-1, ...lengths(others)) > Math.max(-1, ...lengths(written));
    });
  });
}

/** How programs write the names that the tests use, in the simplest way to say it. */
const ways = [/[^\p{L}\p{N}-]+/gu, /[^\p{L}\p{N} ._+-]+/gu].flatMap((sign, index) =>
  ['s', 'ss'].map((sharp) => (name: string) => {
    const letters = name.toLowerCase().replaceAll('ß', sharp).normalize('NFKD').replace(/\p{M}/gu, '');
    const clean = letters.replace(sign, index === 0 ? '-' : '').replace(/[^\p{L}\p{N}]+/gu, '-');
    return clean.replace(/^-/, '');
  }),
);
const isReadAs = (one: string, other: string) =>
  ways.some((read) => read(one).replace(/-$/, '') === read(other).replace(/-$/, ''));
const bare = (name: string) => name.replace(ending, '');

const levelOf = (found: readonly NamedRule[]): Level => ({
  page: found.find(isForPage)?.rule,
  folder: found.find((each) => !isForPage(each))?.rule,
});
const pagesLike = (all: readonly NamedRule[], start: readonly string[]) =>
  all.filter(
    ({ names, beginning }) =>
      beginning === undefined && names.length === start.length && page(names) === page(start),
  );
const isSpelledOtherwise = (alike: readonly NamedRule[], start: readonly string[]) =>
  alike.some(({ names }) => names.slice(0, start.length).join('/') !== start.join('/'));
const isIndex = (name: string) => ['index', 'index.html', 'index.php'].includes(name.toLowerCase());
const isOtherIndex = (name: string) =>
  ['default.aspx', 'index.en.html', 'index.html.en', 'index.txt'].includes(name.toLowerCase());
const isAt = ({ names, beginning }: NamedRule, path: readonly string[]) =>
  beginning === undefined && names.join('/') === path.join('/');
const isForPage = ({ rule }: NamedRule) => rule.appliesTo === 'page';
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
          '/index.php',
          '/../',
          '/./',
          '//',
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
