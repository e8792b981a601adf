import type { Member } from '@gatehouse/client';
import { normalizeDisplayName, normalizeEmail, normalizeGroupName } from '@gatehouse/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow, partsOf, readRows } from '../csv/csv.ts';
import { readDraft } from '../reading/member-draft.ts';
import { draftsOf, readMemberList } from '../reading/member-list.ts';
import { ListSurvey } from '../reading/survey.ts';
import { type ExportedMember, exportColumns, toExportRow } from './export.ts';

const now = new Date('2026-06-01T00:00:00Z');
const formulaStart = fc.constantFrom(
  ...['', '=', '+', '-', '@', '＝', '\u200b=', "'", "'=", "''=", "' =", '"', ';', ',', '\\', '\uFEFF'],
);
const text = fc
  .tuple(formulaStart, fc.string({ unit: 'grapheme', maxLength: 20 }))
  .map(([start, rest]) => start + rest);
const time = (min: string, max: string) =>
  fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true }).map((date) => date.toISOString());
const member = fc.record({
  email: fc
    .string({ unit: fc.constantFrom(..."abz019.!#$%&'*+/=?^_`{|}~-"), minLength: 1, maxLength: 12 })
    .map((local) => normalizeEmail(`${local}@example.com`))
    .filter((email) => email !== null),
  displayName: text.map(normalizeDisplayName).filter((name) => name !== undefined),
  status: fc.constantFrom('active' as const, 'blocked' as const),
  paid: fc.option(fc.boolean()),
  registeredAt: fc.option(time('1970-01-01T00:00:00Z', '2026-05-31T00:00:00Z')),
});
const groups = fc.uniqueArray(
  fc.record({
    name: text.map(normalizeGroupName).filter((name) => name !== undefined),
    expiresAt: fc.option(time('2026-07-01T00:00:00Z', '9000-01-01T00:00:00Z')),
  }),
  { selector: ({ name }) => name, maxLength: 4 },
);
const exported: fc.Arbitrary<ExportedMember> = fc.record({
  member: member.map((values): Member => {
    const createdAt = '2026-05-31T00:00:00.000Z';
    return { id: 'x', verified: false, lastLoginAt: null, createdAt, updatedAt: null, ...values };
  }),
  groups,
});

test('an import reads what an export writes, with groups, their ends and the registration', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(exported, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (members, isRaw) => {
        const rows = [exportColumns, ...members.map(toExportRow)];
        const csv = rows.map((row) => `${csvRow(row, { isRaw })}\r\n`).join('');
        const drafts = isRaw ? await readRaw(csv) : await readList(csv);
        expect(drafts.map(({ problem }) => problem)).toEqual(members.map(() => undefined));
        expect(
          drafts.map(({ address, displayName, status, paid, registeredAt, groups }) => ({
            ...{ email: address, displayName, status, paid, registeredAt, groups },
          })),
        ).toEqual(
          members.map(({ member, groups }) => ({
            email: member.email,
            displayName: member.displayName ?? undefined,
            status: member.status,
            paid: member.paid ?? undefined,
            registeredAt: member.registeredAt ?? undefined,
            groups,
          })),
        );
      },
    ),
    { numRuns: 500 },
  );
});

const site = { timeZone: 'UTC', groupNames: new Set<string>() };

async function readList(csv: string) {
  const list = await readMemberList(csv);
  return draftsOf(list, list.survey.propose({}, site).reading, { now });
}

async function readRaw(csv: string) {
  const { reading } = new ListSurvey(exportColumns).propose({}, site);
  const rows = await Array.fromAsync(readRows(partsOf(csv), ','));
  const context = { headingCount: exportColumns.length, isRaw: true, now };
  return rows.slice(1).map((row) => readDraft(row, reading, context));
}
