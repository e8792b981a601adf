import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../../../contract/test/any-character.ts';
import { readRequestPath } from './request-path.ts';

const ordinary: [string, string[]][] = [
  ['/', []],
  ['/?', []],
  ['/courses', ['courses']],
  ['/courses/', ['courses']],
  ['/courses/rowing/week-1?lang=en', ['courses', 'rowing', 'week-1']],
  ['/?next=/../members', []],
  ['/courses?a=%zz&b=\\;//', ['courses']],
  ['/assets/app.3f2a.min.js', ['assets', 'app.3f2a.min.js']],
  ['/v1.2/notes.txt', ['v1.2', 'notes.txt']],
  ['/.well-known/security.txt', ['.well-known', 'security.txt']],
  ['/cours/%C3%A9t%C3%A9', ['cours', 'été']],
  ['/cours/%c3%a9t%c3%a9', ['cours', 'été']],
  ['/cours/e%CC%81te%CC%81', ['cours', 'e\u0301te\u0301']],
  ['/stra%C3%9Fe', ['straße']],
  ['/%E3%82%B3%E3%83%BC%E3%82%B9/%E5%88%9D%E7%B4%9A', ['コース', '初級']],
  ['/%EA%B0%95%EC%A2%8C', ['강좌']],
  ['/%D9%83%D8%AA%D8%A7%D8%A8', ['كتاب']],
  ['/%DA%A9%D8%AA%D8%A7%D8%A8%E2%80%8C%D9%87%D8%A7', ['کتاب\u200cها']],
  ['/%F0%9F%9A%A3', ['🚣']],
  ['/%E2%9D%A4%EF%B8%8F', ['❤️']],
  ['/a%20b/c%20d', ['a b', 'c d']],
  ['/a+b', ['a+b']],
  ['/a%2Bb', ['a+b']],
  ['/@ada', ['@ada']],
  ['/~ada/notes', ['~ada', 'notes']],
  ['/talk:rowing', ['talk:rowing']],
  ['/Foo::Bar', ['Foo::Bar']],
  ["/it's(1),a&b=c!", ["it's(1),a&b=c!"]],
  ['/$metadata', ['$metadata']],
  ['/notes~2026-01', ['notes~2026-01']],
  ['/100%25', ['100%']],
  ['/index.php', ['index.php']],
  ['/..data', ['..data']],
  [`/${'a'.repeat(4_095)}`, ['a'.repeat(4_095)]],
];

test.each(ordinary)('%s is accepted', (target, names) => {
  expect(readRequestPath(target)).toEqual(names);
});

const ambiguous: Record<string, string[]> = {
  'not a path': ['', '*', 'courses', '?a', 'http://example.com/', '\\courses', ' /courses'],
  'an overlong target': [`/${'a'.repeat(4_096)}`, `/?${'a'.repeat(4_096)}`, '/a'.repeat(2_049)],
  'not visible ASCII': ['/é', '/a b', '/a\tb', '/a\0', '/a?é', '/a? ', '/\ud800', '/a\n', '/\x7f'],
  'a fragment': ['/#', '/a#b', '/a?b#c', '/a%23b'],
  'an invalid escape': ['/%', '/%2', '/%zz', '/%u0041', '/a%', '/%%41', '/%-1'],
  'double encoding': ['/%2541', '/%25%34%31', '/%252541', '/%25u0041', '/%25e2'],
  'bytes that are not valid UTF-8': [
    '/%ff',
    '/%c0%ae',
    '/%e0%80%af',
    '/%ed%a0%80',
    '/%f4%90%80%80',
    '/%e2%82',
    '/%80',
  ],
  separators: ['/a%2fb', '/a%2Fb', '/a\\b', '/a%5cb', '/a%3fb', '/a;b', '/a%3bb', '/;'],
  'control characters': ['/%00', '/a%0a', '/%1f', '/a%7f', '/a%c2%80'],
  'repeated slashes': ['//', '//a', '/a//b', '/a//'],
  'dot segments': ['/.', '/..', '/./', '/a/../b', '/a/.', '/%2e', '/%2e%2E', '/.%2e', '/%2e.', '/...'],
  'characters that Windows drops': [
    '/a.',
    '/a./b',
    '/a%20',
    '/a%20/b',
    '/%20a',
    '/a%2e',
    '/a%c2%a0',
    '/%e3%80%80a',
  ],
  'streams and drives': ['/a::$DATA', '/a:$i30', '/a%3a%24x', '/a:', '/c:', '/C:/a', '/c%3aa'],
  'short names': ['/MEMBER~1', '/member~1', '/MEMBER~1.HTM', '/a~1', '/ab%7E12.h', '/~1', '/member~1/a'],
  'wildcards of Windows': ['/a*', '/a%2A', '/a%3c', '/a<', '/a%3E', '/a"b', '/a%22b', '/a|b', '/a%7c'],
  'lookalikes of syntax characters': [
    '/%ef%bc%8e',
    '/a%ef%bc%8fb',
    '/a%ef%bc%bcb',
    '/a%ef%bc%9bb',
    '/%ef%bc%8541',
    '/a%ef%bc%9ab',
    '/a%ef%bc%9f',
    '/%e2%80%a6',
    '/%e2%80%a5',
    '/a.%e2%80%a4b',
    '/a%cd%beb',
    '/a%e2%88%95b',
    '/a%c2%a5b',
    '/a%ef%bd%9e1',
    '/MEMBER~%ef%bc%91',
    '/%c2%a8a',
    '/%e2%84%82:',
  ],
  'invisible characters': [
    '/a%e2%80%8bb',
    '/a%e2%80%8cb',
    '/a%e2%80%8db',
    '/a%ef%b8%8f',
    '/%e2%80%8c%c3%a9',
    '/a%c2%adb',
    '/a%ef%bb%bf',
    '/%e2%80%aea',
    '/%e2%81%a6',
    '/%e2%80%a8',
    '/%ef%80%aa',
    '/%cd%b8',
    '/%ef%bf%bf',
    '/%e3%85%a4',
    '/%c3%a9%e2%81%a0',
  ],
  'a path after a script': [
    '/index.php/members',
    '/index.php/',
    '/a.PHP/b',
    '/%61.php5/b',
    '/a.aspx/b/',
    '/cgi/a.cgi/b',
    ...['php', 'php8', 'phps', 'phtml', 'pht', 'phar', 'pl', 'py', 'rb', 'lua', 'wsgi', 'fcgi', 'cgi'].map(
      (ending) => `/a.${ending}/b`,
    ),
    ...['asp', 'aspx', 'asmx', 'ashx', 'axd', 'svc', 'jsp', 'jspx', 'cfc', 'cfm', 'cfml', 'dll', 'PY'].map(
      (ending) => `/a.${ending}/`,
    ),
  ],
};

test.each(Object.entries(ambiguous))('%s is rejected', (_, targets) => {
  for (const target of targets) expect(readRequestPath(target), target).toBeUndefined();
});

test('escapes do not change how a path is read', () => {
  const name = fc.stringMatching(/^[a-zA-Z0-9_+@,=!-]{1,8}$/);
  fc.assert(
    fc.property(fc.array(name), fc.nat(), (names, place) => {
      const plain = `/${names.join('/')}`;
      expect(readRequestPath(plain)).toEqual(names);
      if (names.length === 0) return;
      const escaped = names.with(place % names.length, percentEncoded(names[place % names.length]!));
      expect(readRequestPath(`/${escaped.join('/')}`)).toEqual(names);
    }),
  );
});

test('the result is a strict reading, and reading it again gives the same', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '.',
      '%2e',
      '%',
      '%25',
      ':',
      '~1',
      '+',
      '%20',
      'php',
      '?',
      '%c3%a9',
      '%ef%bc%a1',
      'a',
    ),
    fc.string({ unit: anyCharacter, maxLength: 3 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const target = `/${pieces.join('')}`;
      const names = readRequestPath(target);
      if (!names) return;
      const path = decodeURIComponent(target.replace(/\?.*/, ''));
      expect(`/${names.join('/')}`).toBe(path.replace(/(.)\/$/, '$1'));
      expect(names.filter((name) => name === '' || /[/\\]|^\.*$/.test(name))).toEqual([]);
      expect(readRequestPath(`/${names.map(encodeURIComponent).join('/')}`)).toEqual(names);
    }),
    { numRuns: 5_000 },
  );
});

function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
