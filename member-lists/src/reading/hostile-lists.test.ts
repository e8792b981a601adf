import { describe, expect, test } from 'vitest';
import { encode } from '../../test/encoded.ts';
import { hostileLists } from '../../test/hostile-lists.ts';
import { InvalidCsv } from '../csv/invalid-csv.ts';
import type { TextEncoding } from '../text/encoding-detector.ts';
import { decodeText } from '../text/text-encoding.ts';
import { draftsOf, readMemberList } from './member-list.ts';

const site = { timeZone: 'Europe/Berlin', groupNames: new Set(['Choir']) };
const maxRows = 20_000;

describe('a hostile list is understood and read, or rejected for its first row that is too large:', () => {
  test.each(hostileLists)('$name', async ({ make }) => {
    expect(await readEncoded(make(200_000), 'utf-8')).toSatisfy(isBounded);
    const text = make(30_000);
    for (const encoding of ['utf-16le', 'utf-16be', 'windows-1252', 'macintosh'] as const) {
      expect(await readEncoded(text, encoding)).toSatisfy(isBounded);
    }
  });
});

function isBounded(rows: number | 'invalid'): boolean {
  return rows === 'invalid' || rows <= maxRows;
}

/** Reads a list as far as an import does before it sends anything. Returns the number of rows. */
async function readEncoded(text: string, encoding: TextEncoding): Promise<number | 'invalid'> {
  const decoded = decodeText(encode(text, encoding));
  expect(decoded).not.toBe(null);
  // Other encodings do not have all characters.
  if (encoding.startsWith('utf')) expect(decoded).toBe(text);
  try {
    const list = await readMemberList(decoded!, maxRows);
    const { reading, questions } = list.survey.propose({}, site);
    expect(JSON.stringify({ reading, questions }).length).toBeLessThan(100_000);
    return draftsOf(list, reading, { now: new Date('2026-01-01'), groupNames: site.groupNames }).length;
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidCsv);
    return 'invalid';
  }
}
