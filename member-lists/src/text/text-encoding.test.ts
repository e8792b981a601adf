import { describe, expect, test } from 'vitest';
import { encode } from '../../test/encoded.ts';
import { EncodingDetector, textEncodings } from './encoding-detector.ts';
import { decodeInTurns, decodeParts, decodeText } from './text-encoding.ts';

const names = {
  German: ['Jürgen', 'Groß', 'Müller', 'Schröder', 'Bärbel', 'Jörg', 'Weiß', 'Österreich', 'Ärzte', 'MÜLLER'],
  French: ['André', 'René', 'François', 'Chloé', 'Hélène', 'Benoît', 'Anaïs', 'Lefèvre', 'Côté', 'Éric'],
  Spanish: ['García', 'Martínez', 'Pérez', 'Núñez', 'Begoña', 'Ángel', 'Íñigo', 'España', 'Sofía', 'MUÑOZ'],
  Swedish: ['Åsa', 'Björn', 'Sören', 'Håkan', 'Malmö', 'Östen'],
  Portuguese: ['João', 'Conceição', 'Gonçalves', 'Simões', 'Antônio', 'Inês'],
} as const;

/** 名前,email / 山田 花子,a@example.org in Shift_JIS */
const japanese = bytes('\x96\xbc\x91O,email\n\x8eR\x93c \x89\xd4\x8eq,a@example.org\n');

describe('the encoding of a file is found out', () => {
  for (const [language, words] of Object.entries(names)) {
    test(`by each ${language} word alone, and by all of them`, () => {
      for (const text of [...words, words.join(' ')]) {
        for (const encoding of ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh'] as const) {
          const list = `Name;Email\r\n${text};a@example.org\r\n`;
          expect([encoding, decodeText(encode(list, encoding))]).toEqual([encoding, list]);
        }
      }
    });
  }

  test('of apostrophes, dashes, quotes and signs as Windows writes them', () => {
    for (const text of [
      'O’Neill',
      'd’Arc',
      'Ada’s',
      '“Ada”',
      'Ada – Bo',
      '30 €',
      'Müller–Lüdenscheid',
      'Dušan',
    ])
      expect(decodeText(encode(text, 'windows-1252'))).toBe(text);
  });

  test('of Japanese lists of Excel, only if no other language fits', () => {
    expect(decodeText(japanese)).toBe('名前,email\n山田 花子,a@example.org\n');
    expect(decodeText(encode('École,email\n', 'macintosh'))).toBe('École,email\n');
  });

  test('with and without a byte order mark, which is no part of the text', () => {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      for (const text of ['\ufeffJosé,a@example.org', 'José,a@example.org', '\ufeff名前,a@example.org'])
        expect(decodeText(encode(text, encoding))).toBe(text.replace('\ufeff', ''));
    }
  });

  test('also of its beginning, whose last character is not complete', () => {
    expect(decodeText(encode('Zoë', 'utf-8').subarray(0, 3), true)).toBe('Zo');
    expect(decodeText(encode('Zoë', 'utf-16le').subarray(0, 5), true)).toBe('Zo');
  });
});

test('a file in parts of any length is read like the whole file', async () => {
  const text = `Name;Email\n${names.German.join(' ')} 𠮷野 😀;a@example.org\n`.repeat(20);
  const plain = text.replaceAll(/[^\0-\xff]/gu, '');
  for (const encoding of textEncodings) {
    const whole =
      encoding === 'shift_jis' ? japanese : encode(encoding.startsWith('utf') ? text : plain, encoding);
    for (const length of [1, 2, 3, 7, 1_000]) {
      const parts = Array.from({ length: Math.ceil(whole.length / length) }, (_, part) =>
        whole.subarray(part * length, (part + 1) * length),
      );
      const detector = new EncodingDetector();
      for (const part of parts) detector.add(part);
      const found = detector.detect();
      expect(found.encoding).toBe(encoding);
      const read = (await Array.fromAsync(decodeParts(parts, found.encoding!))).join('');
      expect(read).toBe(decodeText(whole));
    }
  }
});

test('a long file is read in turns like at once', async () => {
  const line = `x;Name;Email\n${names.German.join(' ')}\n`;
  const text = `${line}${'日本語 '.repeat(3)}😀`.repeat(4_000);
  const western = line.replaceAll(/[^\0-\xff]/gu, '').repeat(8_000);
  for (const whole of [encode(text, 'utf-8'), encode(text, 'utf-16le'), encode(western, 'windows-1252')]) {
    expect(whole.length).toBeGreaterThan(300_000);
    expect(await decodeInTurns(whole)).toEqual({ text: decodeText(whole) });
  }
  expect(await decodeInTurns(new Uint8Array(300_000))).toEqual({ text: null, kind: 'unknown' });
});

test('a file that is not a text is recognized', () => {
  const files: [string, Uint8Array][] = [
    ['excel', bytes('PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0[Content_Types].xml')],
    ['excel', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0')],
    ['open_document', bytes('PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet')],
    ['zip', bytes('PK\x03\x04\0\0people.csv')],
    ['gzip', bytes('\x1f\x8b\x08\0')],
    ['pdf', bytes('%PDF-1.7\n')],
    ['image', bytes('\x89PNG\r\n')],
    ['image', bytes('\xff\xd8\xff\xe0')],
    ['unknown', bytes('email\na@example.org\0\n')],
    ['unknown', bytes('\xff\xfe\0\0a\0\0\0')],
    ['mixed', new Uint8Array([...encode('Zoë Jürgen Groß, ', 'utf-8'), ...encode('Zoë', 'windows-1252')])],
  ];
  for (const [kind, file] of files) {
    const detector = new EncodingDetector();
    detector.add(file);
    expect(detector.detect()).toEqual({ encoding: null, kind });
    expect(decodeText(file)).toBe(null);
  }
});

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

test('two lists in different encodings, one after the other, are no text', () => {
  const list = 'Jürgen;Groß\n';
  const western = encode(list, 'windows-1252');
  for (const parts of [
    [encode(list, 'utf-8'), western],
    [western, western, western, encode(list, 'utf-8')],
  ])
    expect(decodeText(Buffer.concat(parts))).toBeNull();
  const oneMistake = [...Array.from({ length: 20 }, () => western), encode('Zoë\n', 'utf-8')];
  expect(decodeText(Buffer.concat(oneMistake))).toContain('Jürgen');
});
