import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockedPorts, type OutgoingSettings, readOutgoingUrl } from './outgoing-url.ts';

const production: OutgoingSettings = { allowedNetworks: [], allowsHttp: false };
const development: OutgoingSettings = { allowedNetworks: ['127.0.0.0/8', '::1/128'], allowsHttp: true };

const hrefOf = (text: string, settings = production) => {
  const read = readOutgoingUrl(text, settings);
  return read.problem === undefined ? read.url.href : `${read.reason}: ${read.problem}`;
};
const reasonOf = (text: string, settings = production) => {
  const read = readOutgoingUrl(text, settings);
  return read.problem === undefined ? read.url.href : read.reason;
};

test.each([
  ['https://example.org', 'https://example.org/'],
  ['https://example.org/list.csv?key=a%20b', 'https://example.org/list.csv?key=a%20b'],
  ['HTTPS://EXAMPLE.org:443/A', 'https://example.org/A'],
  ['https://example.org:8443/', 'https://example.org:8443/'],
  ['https://example.org/a#part', 'https://example.org/a'],
  ['https://example.org./a', 'https://example.org/a'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://example.org/@me', 'https://example.org/@me'],
  ['https://my_hooks.example.org/', 'https://my_hooks.example.org/'],
  ['https://1.1.1.1/', 'https://1.1.1.1/'],
  ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
  ['https://[::ffff:1.1.1.1]/', 'https://[::ffff:101:101]/'],
  ['https://localhost/', 'https://localhost/'],
])('%s is allowed, as %s', (text, href) => {
  expect(hrefOf(text)).toBe(href);
});

test.each([
  '',
  'example.org',
  '//example.org',
  '/list.csv',
  'https:',
  'https://',
  'https:example.org',
  'https:/example.org',
  'https:///example.org',
  'https://?',
  'https://#',
  'http://example.org',
  'ftp://example.org',
  'ws://example.org',
  'file:///etc/passwd',
  'data:text/plain,a',
  'javascript:alert(1)',
  'gopher://127.0.0.1/',
  'blob:https://a/b',
  'https://ada@example.org',
  'https://ada:secret@example.org',
  'https://@example.org',
  'https://:@example.org',
  'https://good.example@127.0.0.1',
  'https://a@b@example.org',
  'https://example.org:80@127.0.0.1/',
  'https://example.org\\@127.0.0.1',
  'https:\\\\example.org',
  'https://example.org\\.127.0.0.1',
  'https://exa\tmple.org',
  'https://example.org/\n',
  ' https://example.org',
  'https://example.org/a b',
  'https://a\0b',
  'https://example.org:0/',
  'https://example.org:25',
  'https://example.org:6000',
  'https://example.org:65536',
  'https://example..org',
  'https://.example.org',
  'https://example.org../',
  'https://127.0.0.1../',
  'https://./',
  'https://ex%61mple%2forg',
  'https://a*b.example',
  'https://a!b.example',
  "https://a'b.example",
  'https://%00/',
  'https://256.256.256.256',
  'https://1.2.3.4.5',
  'https://0x100000000/',
  'https://08.1.1.1/',
  'https://example.1',
  'https://[::1',
  'https://::1/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[::1]a/',
])('%j is not allowed', (text) => {
  expect(reasonOf(text)).toBe('url_not_allowed');
});

test.each([
  ['label', `https://${'a'.repeat(64)}.example/`],
  ['name', `https://${'a.'.repeat(127)}example/`],
  ['path', `https://example.org/${'a'.repeat(8_000)}`],
])('a %s that is too long is not allowed', (_, text) => {
  expect(reasonOf(text)).toBe('url_not_allowed');
});

test('a problem says what to do', () => {
  const problems = [
    'a',
    'http://a.example',
    'https://a@b.example',
    'https://a.example:25',
    'https://a!.example',
    'a b',
  ];
  for (const text of [...problems, 'https://10.0.0.1', `https://a.example/${'a'.repeat(8_000)}`]) {
    expect(hrefOf(text)).toMatch(/^\w+: [A-Z\d].+\. (?:Use|Remove) .+\.$/s);
  }
});

test('http is allowed only in development', () => {
  expect(reasonOf('http://example.org/')).toBe('url_not_allowed');
  expect(reasonOf('http://example.org/', development)).toBe('http://example.org/');
  expect(reasonOf('ftp://example.org/', development)).toBe('url_not_allowed');
});

test('an allowed network is allowed in a URL', () => {
  for (const host of ['127.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]']) {
    expect(reasonOf(`https://${host}/`)).toBe('address_not_allowed');
    expect(reasonOf(`https://${host}/`, development)).toMatch(/^https:/);
  }
  expect(reasonOf('https://10.0.0.1/', development)).toBe('address_not_allowed');
});

test('the blocked ports are those of fetch', () => {
  const { badPorts } = createRequire(import.meta.url)('undici/lib/web/fetch/constants.js');
  // The standard added 0 later.
  expect([...blockedPorts]).toEqual(['0', ...badPorts]);
});

describe('in every spelling', () => {
  const privateNetworks = [
    [0x0a000000, 0x0affffff],
    [0x7f000000, 0x7fffffff],
    [0xa9fe0000, 0xa9feffff],
    [0xac100000, 0xac1fffff],
    [0xc0a80000, 0xc0a8ffff],
    [0x64400000, 0x647fffff],
    [0x00000000, 0x00ffffff],
  ] as const;
  const privateAddress = fc.oneof(...privateNetworks.map(([min, max]) => fc.integer({ min, max })));
  const publicAddress = fc.oneof(
    fc.integer({ min: 0x01000000, max: 0x09ffffff }),
    fc.integer({ min: 0xd0000000, max: 0xdfffffff }),
  );

  test('a private IPv4 address is rejected as an address', () => {
    fc.assert(
      fc.property(privateAddress, spelling, (address, spell) => {
        expect(reasonOf(`https://${spell(address)}/`)).toBe('address_not_allowed');
      }),
      { numRuns: 2_000 },
    );
  });

  test('a public IPv4 address is allowed', () => {
    fc.assert(
      fc.property(publicAddress, spelling, (address, spell) => {
        const dotted = octetsOf(address).join('.');
        const mapped = new URL(`https://[::ffff:${dotted}]`).href;
        const translated = new URL(`https://[64:ff9b::${dotted}]`).href;
        expect([`https://${dotted}/`, mapped, translated]).toContain(hrefOf(`https://${spell(address)}/`));
      }),
      { numRuns: 2_000 },
    );
  });
});

type Spell = (address: number) => string;

const octetsOf = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255);

const numeral = fc.constantFrom<((value: number) => string)[]>(
  (value) => String(value),
  (value) => `0x${value.toString(16)}`,
  (value) => `0X${value.toString(16).toUpperCase()}`,
  (value) => `0${value.toString(8)}`,
  (value) => `0x0000${value.toString(16)}`,
  (value) => `000${value.toString(8)}`,
);

/** One to four numbers, the last of which fills the rest (inet_aton). */
const numbers: fc.Arbitrary<Spell> = fc
  .tuple(fc.integer({ min: 1, max: 4 }), numeral, numeral, numeral, numeral)
  .map(([count, ...numerals]) => (address) => {
    const octets = octetsOf(address);
    const rest = octets.slice(count - 1).reduce((value, octet) => value * 256 + octet, 0);
    return [...octets.slice(0, count - 1), rest].map((value, index) => numerals[index]!(value)).join('.');
  });

/** Characters that a host is decoded or mapped from (URL Standard, section 3.5). */
const disguise = fc
  .tuple(fc.infiniteStream(fc.nat({ max: 5 })), fc.constantFrom('', '.', '。', '%2e'))
  .map(([choices, end]) => (text: string) => {
    const written = [...text].map((character) => {
      const code = character.codePointAt(0)!;
      const choice = choices.next().value;
      if (choice === 0) return `%${code.toString(16)}`;
      if (choice === 1) return String.fromCodePoint(code + 0xfee0);
      return choice === 2 && character === '.' ? '。' : character;
    });
    return written.join('') + end;
  });

const inIPv6: readonly Spell[] = ['::ffff:', '0:0:0:0:0:FFFF:', '64:ff9b::', '0064:ff9b:0:0:0:0:'].flatMap(
  (prefix) => [
    (address: number) => `[${prefix}${octetsOf(address).join('.')}]`,
    (address: number) => `[${prefix}${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}]`,
  ],
);

const spelling: fc.Arbitrary<Spell> = fc.oneof(
  numbers,
  fc.tuple(numbers, disguise).map(
    ([spell, hide]): Spell =>
      (address) =>
        hide(spell(address)),
  ),
  fc.constantFrom(...inIPv6),
);
