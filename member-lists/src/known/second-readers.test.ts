import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { draftsOf, readMemberList } from '../reading/member-list.ts';

/** What another tool reads; null if it does not say. */
interface RecordedMember {
  readonly email: string;
  readonly name: string | null;
  readonly createdAt: string;
  readonly paid: boolean | null;
  readonly expiry: string | null;
}

const folder = new URL('../../test/', import.meta.url);
const recorded: Readonly<Record<string, readonly RecordedMember[]>> = JSON.parse(
  readFileSync(new URL('second-readers/recorded.json', folder), 'utf8'),
);
/** Has not confirmed the address: the other tool makes a member of it. */
const notConfirmed = ['new@example.org'];
const now = new Date('2026-09-15T00:00:00Z');
const site = { timeZone: 'Asia/Tokyo', groupNames: new Set<string>() };

describe.each(Object.entries(recorded))('the export %s', (file, members) => {
  test('is read as the tools of Ghost read it (see test/second-readers/record.mjs)', async () => {
    const list = await readMemberList(readFileSync(new URL(`exports/${file}.csv`, folder), 'utf8'));
    const plan = list.survey.headings.indexOf('plan');
    const { reading } = list.survey.propose({ nameColumns: plan === -1 ? [] : [plan] }, site);
    const drafts = draftsOf(list, reading, { now }).filter(({ isLeftOut }) => !isLeftOut);
    const expected = members.filter(({ email }) => !notConfirmed.includes(email));
    expect(drafts.map(({ address }) => address).sort()).toEqual(expected.map(({ email }) => email).sort());
    for (const { email, name, createdAt, paid, expiry } of expected) {
      const draft = drafts.find(({ address }) => address === email)!;
      expect(draft).toMatchObject({ registeredAt: createdAt, problem: undefined });
      if (name !== null) expect(draft.displayName).toBe(name);
      if (paid !== null) expect(draft.paid).toBe(paid);
      for (const { expiresAt } of draft.groups) if (expiry !== null) expect(expiresAt).toBe(expiry);
    }
  });
});
