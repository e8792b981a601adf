import { Member, normalizeDisplayName, normalizeEmail, normalizeGroupName } from '@gatehouse/contract';
import { endOfDay } from '@gatehouse/contract/time-zones';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleOf } from '../../../contract/src/shared/examples.ts';
import { formulaText } from '../../test/formula-text.ts';
import { isIgnored } from '../columns/headings.ts';
import { csvRow, partsOf, readRows } from '../csv/csv.ts';
import type { SiteOfList } from '../reading/list-reading.ts';
import { readDraft } from '../reading/member-draft.ts';
import { draftsOf, readMemberList } from '../reading/member-list.ts';
import { ListSurvey } from '../reading/survey.ts';
import { joinGroupNames } from '../values/group-names.ts';
import { type ExportedMember, exportColumns, toExportRow } from './export.ts';

const now = new Date('2026-06-01T00:00:00Z');
/** Two ends of days in Berlin, the last millisecond of one, and a time within a day. */
const berlinEnds = [
  '2026-12-31T23:00:00.000Z',
  '2027-03-28T22:00:00.000Z',
  '2026-12-31T22:59:59.999Z',
  '2027-01-01T00:00:00.000Z',
];
const text = formulaText({ maxLength: 20 });
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
const zones = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Pacific/Auckland', 'Asia/Kathmandu'];
const timeZone = fc.constantFrom(...zones);
const anyTime = time('2026-07-01T00:00:00Z', '9000-01-01T00:00:00Z');
/** The end of a day in one of the zones, or the last millisecond of the day. */
const dayEnd = fc
  .tuple(anyTime, timeZone, fc.constantFrom(0, 1))
  .map(([at, zone, earlier]) =>
    new Date(Date.parse(endOfDay(at.slice(0, 10), zone)!) - earlier).toISOString(),
  );
const groups = fc.uniqueArray(
  fc.record({
    name: text.map(normalizeGroupName).filter((name) => name !== undefined),
    expiresAt: fc.option(fc.oneof(anyTime, dayEnd)),
  }),
  { selector: ({ name }) => name, maxLength: 4 },
);
const exported: fc.Arbitrary<ExportedMember> = fc.record({
  member: member.map((values): Member => {
    return { ...exampleOf(Member), createdAt: '2026-05-31T00:00:00.000Z', ...values };
  }),
  groups,
});

test('an import reads what an export writes, with groups, their ends and the registration, in each time zone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(exported, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      timeZone,
      async (members, isRaw, timeZone) => {
        const rows = [exportColumns, ...members.map((each) => toExportRow(each, timeZone))];
        const csv = rows.map((row) => `${csvRow(row, { isRaw })}\r\n`).join('');
        const site = { timeZone, groupNames: namesLike(members) };
        const drafts = isRaw ? await readRaw(csv, site) : await readList(csv, site);
        expect(drafts.map(({ problem }) => problem)).toEqual(members.map(() => undefined));
        expect(
          drafts.map(({ address, displayName, status, paid, registeredAt, groups }) => ({
            email: address,
            displayName,
            status,
            paid,
            registeredAt,
            groups,
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

test('each time of a member has a column, and an import reads none of them but the registration', () => {
  const [{ member }] = fc.sample(exported, 1) as [ExportedMember];
  const lastSeenAt = '2026-05-30T18:05:12.345Z';
  const row = toExportRow({ member: { ...member, lastSeenAt }, groups: [] }, 'UTC');
  expect(row[exportColumns.indexOf('lastSeenAt')]).toBe(lastSeenAt);
  const times = exportColumns.filter((column) => column.endsWith('At') && column !== 'groupsEndAt');
  expect(times.filter((column) => !isIgnored(column))).toEqual(['registeredAt']);
});

test.each([
  ['Europe/Berlin', ['2026-12-31', '2027-03-28', '2026-12-31T22:59:59.999Z', '2027-01-01T00:00:00.000Z', '']],
  [undefined, [...berlinEnds, '']],
])('in %s, ends of days are written as days', (zone, cells) => {
  const [{ member }] = fc.sample(exported, 1) as [ExportedMember];
  const ended = [...berlinEnds, null].map((expiresAt, index) => ({ name: `Group ${index}`, expiresAt }));
  const row = toExportRow({ member, groups: ended }, zone);
  expect(row[exportColumns.indexOf('groupsEndAt')]).toBe(cells.join(';'));
});

/** The names of the groups of these members, and names that contain several of them. */
function namesLike(members: readonly ExportedMember[]): Set<string> {
  const names = members.map(({ groups }) => groups.map(({ name }) => name));
  return new Set([...names.flat(), ...names.map((each) => each.join(';')), ...names.map(joinGroupNames)]);
}

async function readList(csv: string, site: SiteOfList) {
  const list = await readMemberList(csv);
  const { groupNames } = site;
  return draftsOf(list, list.survey.propose({}, site).reading, { now, groupNames });
}

async function readRaw(csv: string, site: SiteOfList) {
  const rows = await Array.fromAsync(readRows(partsOf(csv), ','));
  const survey = new ListSurvey(exportColumns);
  for (const row of rows.slice(1)) survey.add(row);
  const { reading } = survey.propose({}, site);
  const { groupNames } = site;
  const context = { headingCount: exportColumns.length, isRaw: true, now, groupNames };
  return rows.slice(1).map((row) => readDraft(row, reading, context));
}
