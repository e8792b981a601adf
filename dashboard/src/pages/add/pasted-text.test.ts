import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readText } from './pasted-text.ts';

const read = (text: string) => readText(text).map(({ email, displayName }) => [email, displayName ?? null]);

test.each([
  ['ada@example.com', 'ada@example.com', null],
  ['Ada Lovelace <ada@example.com>', 'ada@example.com', 'Ada Lovelace'],
  ['"Lovelace" <ada@example.com>', 'ada@example.com', 'Lovelace'],
  ['"Lovelace, Ada" <ada@example.com>', 'ada@example.com', 'Lovelace, Ada'],
  ["'Ada Lovelace' <mailto:ada@example.com>;", 'ada@example.com', "'Ada Lovelace'"],
  ['\ufeffada\u200b@example.com\u2060;', 'ada@example.com', null],
  ['mailto:ada@example.com?subject=Hello', 'ada@example.com', null],
  ['„Ada Lovelace“ <ada@example.com>', 'ada@example.com', 'Ada Lovelace'],
  ['Ada Lovelace ＜ada@example.com＞、', 'ada@example.com', 'Ada Lovelace'],
  ['«ada@example.com»', 'ada@example.com', null],
  ["O'Brien <o'brien@example.com>", "o'brien@example.com", "O'Brien"],
  ['mail ada@example.com.', 'ada@example.com', null],
  ['Émile Zola emile@example.com', 'emile@example.com', 'Émile Zola'],
  ['zoe@example.com (Zoe)', 'zoe@example.com', 'Zoe'],
  ['zoe@example.com Zoe Zebra', 'zoe@example.com', 'Zoe Zebra'],
  ['3. Zoe Zebra – zoe@example.com', 'zoe@example.com', 'Zoe Zebra'],
  ['dora@example.com\tDora Dent', 'dora@example.com', 'Dora Dent'],
  ['dora@example.com\tDent, Dora', 'dora@example.com', 'Dent, Dora'],
  ['Dora\tDent\tdora@example.com\tyes', 'dora@example.com', 'Dora Dent'],
  ['dora@example.com; Dora Dent; Berlin', 'dora@example.com', 'Dora Dent'],
  ['Dora Dent, dora@example.com', 'dora@example.com', 'Dora Dent'],
])('%j is understood', (text, email, displayName) => {
  expect(read(text)).toEqual([[email, displayName]]);
});

test('addresses can have any separator', () => {
  const found = readText('a@x.org, b@x.org;c@x.org\nd@x.org\te@x.org (f@x.org)');
  expect(found.map(({ email }) => email)).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@x.org`),
  );
  expect(found.every(({ displayName }) => displayName === undefined)).toBe(true);
});

test('addresses can have any separator of East Asian texts', () => {
  const found = readText('a@x.org、b@x.org；c@x.org，d@x.org');
  expect(found.map(({ address }) => address)).toEqual(['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org']);
});

test('each address gets the name next to it', () => {
  expect(read('Ada <a@x.org>, b@x.org\nCarol C. <c@x.org> Dan <d@x.org>')).toEqual([
    ['a@x.org', 'Ada'],
    ['b@x.org', null],
    ['c@x.org', 'Carol C.'],
    ['d@x.org', 'Dan'],
  ]);
  const names = [
    ['a@x.org', 'Ada'],
    ['b@x.org', 'Bob'],
  ];
  expect(read('Ada; a@x.org; Bob; b@x.org')).toEqual(names);
  expect(read('a@x.org, Ada, b@x.org, Bob')).toEqual(names);
  expect(read('a@x.org, Ada; Bob, b@x.org')).toEqual(names);
});

test('a name never comes from another line', () => {
  expect(read('gina at x.org\n<h@x.org>\nIna\r\ni@x.org\u2028Jo')).toEqual([
    ['gina at x.org', null],
    ['h@x.org', null],
    ['Ina', null],
    ['i@x.org', null],
    ['Jo', null],
  ]);
});

test.each(['rosa(at)x.org', 'sam @x.org', 'gina at x.org', 'nobody here, @ alone', 'Name\tE-Mail'])(
  'a line with %j is shown, and has no valid address',
  (line) => {
    expect(readText(`a@x.org\n\n ${line} \n,;`)).toMatchObject([
      { line: 1, email: 'a@x.org', displayName: undefined, address: 'a@x.org', problem: undefined },
      { line: 3, email: line, displayName: undefined, address: null, problem: { code: 'invalid_email' } },
    ]);
  },
);

test('a malformed address is not used as a name', () => {
  expect(read('rosa(at)x.org; a@x.org; sam @x.org, b@x.org gina at x.org')).toEqual([
    ['rosa(at)x.org', null],
    ['a@x.org', null],
    ['sam @x.org', null],
    ['b@x.org', null],
    ['gina at x.org', null],
  ]);
});

test('every line with content gives at least one draft, with a name from the same line', () => {
  const piece = fc.oneof(
    fc.constantFrom(' ', '\t', ',', ';', '<', '>', '"', '(', ')', "'", '@', '.', ' at ', '(at)'),
    fc.constantFrom('ada@x.org', 'Émile', 'Zola', 'bob@', '@y.org', 'word', '1.'),
    fc.string({ maxLength: 3, unit: 'grapheme' }),
  );
  const line = fc
    .array(piece, { maxLength: 12 })
    .map((pieces) => pieces.join('').replace(/[\r\n\u2028\u2029]/g, ''));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const drafts = readText(lines.join('\n'));
      const spoken = lines.flatMap((text, index) => (/[^\s,;]/.test(text) ? [index + 1] : []));
      expect([...new Set(drafts.map((draft) => draft.line))]).toEqual(spoken);
      for (const { line: number, email, displayName } of drafts) {
        const text = lines[number - 1]!;
        expect(text).toContain(email);
        for (const part of displayName?.split(' ') ?? []) expect(text).toContain(part);
      }
      for (const [index, text] of lines.entries()) {
        const given = text.split(/[\s,;<>()"]+/).filter((one) => one === 'ada@x.org').length;
        const found = drafts.filter((one) => one.line === index + 1 && one.email === 'ada@x.org').length;
        expect(found).toBeGreaterThanOrEqual(given);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a long text without line breaks is parsed too', () => {
  const text = `${'word '.repeat(100_000)}ada@example.com ${'x'.repeat(100_000)}`;
  expect(readText(text).map(({ email }) => email)).toEqual(['ada@example.com']);
  expect(readText('"a,'.repeat(100_000))).toHaveLength(1);
  expect(readText('a@x.org, '.repeat(20_000))).toHaveLength(20_000);
});
