import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { distinctHeadings } from '../columns/headings.ts';
import { csvRow } from '../csv/csv.ts';
import { mergeRepeated } from '../import/repeated-rows.ts';
import type { ListAnswers, ListQuestion } from '../reading/list-reading.ts';
import type { MemberDraft } from '../reading/member-draft.ts';
import { draftsOf, type MemberList, readMemberList } from '../reading/member-list.ts';
import { decodeText } from '../text/text-encoding.ts';
import { type KnownExportName, knownExport, knownExportNames, recognize } from './known-exports.ts';

const folder = new URL('../../test/exports/', import.meta.url);
const now = new Date('2026-09-15T00:00:00Z');
/** In no zone that an export is written in, so that days and times of day differ. */
const site = { timeZone: 'Europe/Berlin', groupNames: new Set<string>() };

/** What each file says, a line for each row: see `described`. */
const expected: Readonly<
  Record<string, { readonly is: KnownExportName | null; readonly rows: readonly string[] }>
> = {
  beehiiv: {
    is: 'beehiiv',
    rows: [
      'mira.holt@example.org | Mira Holt | paid | active | Patrons Tier + founders, first + vip | since 2023-03-24T10:23:10Z',
      'jonas.beck@example.org | left out',
      'nora@example.org | – | free | active | Free Tier + news + vip | since 2025-04-11T14:02:46Z',
      'gone@example.org | left out',
      'new@example.org | left out',
    ],
  },
  'beehiiv-2023': {
    is: 'beehiiv',
    rows: [
      'mira.holt@example.org | Mira Holt | paid | active | Silver Tier | since 2023-03-24T10:36:47Z',
      'jonas.beck@example.org | left out',
      'nora@example.org | – | free | active | Free Tier | since 2023-05-11T14:02:46Z',
    ],
  },
  discourse: {
    is: 'discourse',
    rows: [
      'jara.olm@example.org | Jara Olm | choir + garden-team | since 2023-04-11T07:52:09Z',
      'tom.brink@example.org | Brink, Tom | blocked | since 2024-01-30T22:03:41Z',
      'back@example.org | Back Again | staff | since 2024-01-30T22:03:41Z',
      'new@example.org | left out',
      'staged@example.org | left out',
    ],
  },
  'discourse-2018': {
    is: 'discourse',
    rows: ['jara.olm@example.org | Jara Olm | since 2016-04-11T07:52:09Z'],
  },
  ghost: {
    is: 'ghost',
    rows: [
      'mira.holt@example.org | Mira Holt | paid | Founders + Gold + VIP | since 2024-03-01T09:30:00Z',
      'jonas.beck@example.org | Jonas Bäck | paid | Bronze + Silver | since 2022-11-18T17:02:44Z',
      'nora@example.org | – | free | since 2023-01-02T00:00:00Z',
      'gift@example.org | =Gift | paid | Gold | since 2026-05-01T12:00:00Z',
      'gone@example.org | left out',
    ],
  },
  'ghost-products': {
    is: 'ghost',
    rows: [
      'mira.holt@example.org | Mira Holt | paid | Gold + VIP | since 2021-03-01T09:30:00Z',
      'jonas.beck@example.org | Jonas Beck | free | since 2021-11-18T17:02:44Z',
    ],
  },
  'ghost-oldest': {
    is: 'ghost',
    rows: ['mira.holt@example.org | Mira Holt | since 2020-03-01T09:30:00Z'],
  },
  'google-contacts': {
    is: 'googleContacts',
    rows: [
      'jara.olm@example.org | Jara Olm | Choir, Tuesdays + Garden',
      'tom.brink@example.org | Tom Brink',
      'one@example.org ::: two@example.org | several_emails',
      ' | no_email',
    ],
  },
  'google-contacts-2023': {
    is: 'googleContacts',
    rows: ['jara.olm@example.org | Jara Olm | Garden + Newsletter', 'tom.brink@example.org | Tom Brink'],
  },
  'google-workspace': {
    is: 'googleWorkspace',
    rows: [
      'jara.olm@example.org | Jara Olm | active | /Members/Garden + Choir',
      'tom.brink@example.org | Tom Brink | blocked',
      'old@example.org | left out',
    ],
  },
  kit: {
    is: 'kit',
    rows: [
      'mira.holt@example.org | Mira | active | Course 2022 + VIP | since 2022-09-10T11:12:13Z',
      'jonas.beck@example.org | left out',
      'nora@example.org | left out',
    ],
  },
  'kit-by-email': {
    is: null,
    rows: [
      'mira.holt@example.org | Mira | active | since 2022-09-10T11:12:13Z',
      'jonas.beck@example.org | invalid_status',
    ],
  },
  luma: {
    is: 'luma',
    rows: [
      'jara.olm@example.org | Jara Olm | active | Dinner, vegan + Standard | since 2026-08-11T07:52:09.482Z',
      'jara.olm@example.org | merged into row 2',
      'tom.brink@example.org | left out',
      'invited@example.org | left out',
    ],
  },
  'luma-2025': {
    is: 'luma',
    rows: [
      'jara.olm@example.org | Jara Olm | active | Standard | since 2025-08-11T07:52:09.482Z',
      'tom.brink@example.org | left out',
    ],
  },
  'mailchimp-subscribed': {
    is: 'mailchimp',
    rows: [
      'mira.holt@example.org | Mira Holt | Lorem Editors + VIP, gold | since 2023-04-21T11:16:57Z',
      'jonas.beck@example.org | Jonas | since 2018-02-12T10:54:27Z',
    ],
  },
  'mailchimp-unsubscribed': {
    is: 'mailchimp',
    rows: ['mira.holt@example.org | left out', 'jonas.beck@example.org | left out'],
  },
  'mailchimp-cleaned': { is: 'mailchimp', rows: ['mira.holt@example.org | left out'] },
  memberful: {
    is: 'memberful',
    rows: [
      'mira.holt@example.org | Mira Holt | paid | active | Podcast + Yearly, with print until 2027-05-14T22:00:00Z | since 2020-01-31T23:00:00Z',
      'jonas.beck@example.org | left out',
      'Mira.Holt@example.org | merged into row 2',
      'mira.holt@example.org | left out',
      'nora@example.org | Nora Plan-Less | free | since 2024-02-28T23:00:00Z',
    ],
  },
  memberstack: {
    is: 'memberstack',
    rows: [
      'mira.holt@example.org | Mira Holt | paid | pln_newsletter-x1y2z3 + prc_gold-yearly-a1b2c3 | since 2024-03-01T09:30:00Z',
      'jonas.beck@example.org | Jonas Beck | free | pln_community-bb22 + pln_free-aa11 | since 2023-08-12T07:00:00Z',
    ],
  },
  moodle: {
    is: 'moodle',
    rows: [
      'jara.olm@example.org | Jara Olm | Example Association, Freiburg + Garden',
      'tom.brink@example.org | Tom Brink',
    ],
  },
  'moodle-participants': {
    is: null,
    rows: ['jara.olm@example.org | Jara Olm', 'tom.brink@example.org | Tom Brink'],
  },
  outlook: {
    is: 'outlook',
    rows: ['jara.olm@example.org | Jara Olm | Garden + Member', 'tom.brink@example.org | Tom Brink'],
  },
  'outlook-german': {
    is: 'outlook',
    rows: [
      'jara.olm@example.org | Jördis Olm | Garten + Mitglied',
      '/o=Verein/cn=Recipients/cn=brink | invalid_email',
    ],
  },
  'outlook-web': {
    is: 'outlook',
    rows: ['jara.olm@example.org | Jara Olm', 'tom.brink@example.org | Tom Brink'],
  },
  'paid-memberships-pro': {
    is: 'paidMembershipsPro',
    rows: [
      'jara.olm@example.org | Jara Olm | Choir, Tuesdays until 2027-04-10T22:00:00Z + Supporter | since 2023-04-10T22:00:00Z',
      'tom.brink@example.org | Tom Brink | Student until 2027-01-31T23:00:00Z | since 2024-01-29T23:00:00Z',
      'jara.olm@example.org | merged into row 2',
    ],
  },
  'paid-memberships-pro-former': {
    is: 'paidMembershipsPro',
    rows: ['jara.olm@example.org | left out', 'tom.brink@example.org | left out'],
  },
  'paid-memberships-pro-2': {
    is: 'paidMembershipsPro',
    rows: [
      'jara.olm@example.org | Jara Olm | Supporter | since 2023-04-10T22:00:00Z',
      'tom.brink@example.org | Tom Brink | Student until 2027-01-31T23:00:00Z | since 2024-01-29T23:00:00Z',
    ],
  },
  'paid-memberships-pro-1': {
    is: 'paidMembershipsPro',
    rows: [
      'jara.olm@example.org | Jara Olm | Supporter | since 2013-04-10T22:00:00Z',
      'tom.brink@example.org | Tom Brink | Student until 2027-01-31T23:00:00Z | since 2014-01-29T23:00:00Z',
    ],
  },
  patreon: {
    is: 'patreon',
    rows: [
      'mira.holt@example.org | Mira Holt | paid | active | Silver Circle | since 2025-10-08T17:45:28Z',
      'jonas.beck@example.org | left out',
      'leaving@example.org | Lea Ving | paid | active | Friends, Family & Co until 2026-12-01T08:00:00Z | since 2024-01-31T23:30:00.123Z',
      'declined@example.org | Dee Clined | free | blocked | Silver Circle | since 2025-05-01T07:00:00Z',
      'free@example.org | Frida Frei | free',
      ' | no_email',
    ],
  },
  'patreon-2022': {
    is: 'patreon',
    rows: ['mira.holt@example.org | Mira Holt | paid | active | Gold | since 2022-10-08T17:45:28Z'],
  },
  steady: {
    is: 'steady',
    rows: [
      'mira.holt@example.org | Mira Höltz | paid | active | Supporter, Gold | since 2022-06-07T22:00:00Z',
      'jonas.beck@example.org | Jonas Beck | paid | active | Supporter Silver until 2026-12-16T23:00:00Z | since 2022-12-15T23:00:00Z',
      'trial@example.org | Tria L | paid | active | Supporter Silver until 2026-10-10T22:00:00Z | since 2026-09-09T22:00:00Z',
      'gone@example.org | left out',
      'guest@example.org | – | paid | active | Supporter Silver | since 2025-12-15T23:00:00Z',
    ],
  },
  'substack-list': {
    is: 'substack',
    rows: [
      'mira.holt@example.org | – | paid | yearly until 2027-07-01T00:00:00Z | since 2026-06-01T08:11:02.120Z',
      'jonas.beck@example.org | – | free | since 2026-07-01T09:12:13Z',
      'for.ever@example.org | – | paid | since 2020-07-01T09:12:13Z',
      'former@example.org | – | free | monthly until 2024-02-01T00:00:00Z | since 2023-07-01T09:12:13Z',
      'a1b2c3d4@deletion-request.substack.com | left out',
    ],
  },
  'substack-signups-2020': {
    is: 'substack',
    rows: [
      'mira.holt@example.org | – | paid | since 2020-02-01T08:11:02.120Z',
      'jonas.beck@example.org | – | free | since 2020-03-01T09:12:13Z',
    ],
  },
  'substack-payers-2020': {
    is: 'substack',
    rows: [
      'mira.holt@example.org | – | paid | paid until 2027-01-01T00:00:00Z',
      'jonas.beck@example.org | – | paid | comp until 2118-01-01T00:00:00Z',
      'gift@example.org | – | paid | gift until 2026-12-24T00:00:00Z',
    ],
  },
  'substack-subscribers': {
    is: 'substack',
    rows: [
      'mira.holt@example.org | Mira Holt | paid | Essays + Weekly + Yearly Subscriber until 2027-03-01T00:00:00Z + Yearly until 2027-03-01T00:00:00Z | since 2024-02-03T04:05:06.789Z',
      'jonas.beck@example.org | – | free | Weekly | since 2025-01-15T10:00:00Z',
      'leaving@example.org | Lea "Lee" Ving | paid | Monthly Subscriber until 2026-10-01T00:00:00Z + Monthly until 2026-10-01T00:00:00Z | since 2025-01-15T10:00:00Z',
    ],
  },
  'substack-subscribers-2024': {
    is: 'substack',
    rows: [
      'mira.holt@example.org | Mira Holt | paid | Paid until 2027-02-03T04:05:06.789Z + Weekly | since 2023-02-03T04:05:06.789Z',
      'jonas.beck@example.org | – | free | since 2023-05-03T04:05:06.789Z',
    ],
  },
  'substack-chosen-columns': {
    is: 'substack',
    rows: [
      'mira.holt@example.org | Mira Holt | Yearly | since 2024-02-03T04:05:06.789Z',
      'jonas.beck@example.org | – | since 2025-01-15T10:00:00Z',
    ],
  },
  'wordpress-export-users': {
    is: 'wordpress',
    rows: [
      'jara.olm@example.org | Jara Olm | subscriber | since 2023-04-11T07:52:09Z',
      'tom.brink@example.org | Tom Brink | contributor + editor | since 2024-01-30T22:03:41Z',
    ],
  },
  'wordpress-import-export-users': {
    is: 'wordpress',
    rows: [
      'jara.olm@example.org | Jara Olm | subscriber | since 2023-04-11T07:52:09Z',
      'tom.brink@example.org | Tom Brink | contributor + editor | since 2024-01-30T22:03:41Z',
    ],
  },
  'wordpress-cli': {
    is: 'wordpress',
    rows: [
      'jara.olm@example.org | Jara Olm | subscriber | since 2023-04-11T07:52:09Z',
      'tom.brink@example.org | Tom Brink | contributor + editor | since 2024-01-30T22:03:41Z',
    ],
  },
};

describe.each(Object.entries(expected))('the export %s', (file, { is, rows }) => {
  const text = decodeText(readFileSync(new URL(`${file}.csv`, folder)))!;

  test('is read as what it says', async () => {
    const list = await readMemberList(text);
    expect(recognize(list.survey.headings) ?? null).toBe(is);
    expect(rowsOf(list)).toEqual(rows);
  });

  test('is read the same with its columns in another order, and a further one', async () => {
    const { rows: original } = await readMemberList(text);
    const cells = original.map(({ cells }, index) => [...cells, index === 0 ? 'Favorite color' : 'blue']);
    for (let seed = 1; seed <= 5; seed += 1) {
      const list = await readMemberList(csv(shuffled(cells, seed)));
      expect(recognize(list.survey.headings) ?? null).toBe(is);
      expect(rowsOf(list)).toEqual(rows);
    }
  });
});

test('each known export has a file, and each file is tested', () => {
  expect(readdirSync(folder).sort()).toEqual(
    Object.keys(expected)
      .map((file) => `${file}.csv`)
      .sort(),
  );
  expect(new Set(Object.values(expected).map(({ is }) => is ?? 'none'))).toEqual(
    new Set([...knownExportNames, 'none']),
  );
});

test.each([
  [['email', 'name']],
  [['Email', 'First Name', 'Last Name', 'Status', 'Tags']],
  [['id', 'email', 'first_name', 'last_name', 'created_at', 'status', 'plan']],
  [['Vorname', 'Nachname', 'E-Mail-Adresse', 'Geburtstag', 'Kategorien']],
])('a list with the headings %j is no known export', (headings) => {
  expect(recognize(headings)).toBeUndefined();
});

test('a list that could be the exports of two systems is none', () => {
  for (const one of knownExportNames) {
    for (const other of knownExportNames) {
      if (one === other) continue;
      const headings = [...knownExport(one).signatures[0]!, ...knownExport(other).signatures[0]!];
      expect(recognize(distinctHeadings(headings)), `${one} and ${other}`).toBeUndefined();
    }
  }
});

describe('of a known export', () => {
  const patreon = () => readFileSync(new URL('patreon.csv', folder), 'utf8');

  test('groups are offered, and none are used before somebody chooses', async () => {
    const { survey, ...list } = await readMemberList(patreon());
    const { reading, questions } = survey.propose({}, site);
    const tier = survey.headings.indexOf('Tier');
    expect(questions).toEqual([{ type: 'groups', nameColumns: [tier], markColumns: [] }]);
    expect(draftsOf({ survey, ...list }, reading, { now })[0]!.groups).toEqual([]);
  });

  test('everything can be changed', async () => {
    const list = await readMemberList(patreon());
    const statusWords = { 'former patron': 'blocked' } as const;
    expect(rowsOf(list, { statusWords })[1]).toBe(
      'jonas.beck@example.org | Jonas Beck | free | blocked | since 2023-02-28T20:00:03.756Z',
    );
    expect(list.survey.propose({ export: null }, site).reading).toMatchObject({
      export: null,
      stateColumns: [],
    });
    const cleaned = await readMemberList(readFileSync(new URL('mailchimp-cleaned.csv', folder), 'utf8'));
    expect(rowsOf(cleaned, { stateColumns: [] })).toEqual([
      'mira.holt@example.org | Mira Holt | since 2018-02-12T10:54:27Z',
    ]);
  });

  test('ends in a column that somebody chooses are those of all groups', async () => {
    const list = await readMemberList(
      'email,name,subscribed_to_emails,complimentary_plan,stripe_customer_id,labels,tiers,Until\n' +
        'mira.holt@example.org,Mira,true,false,,VIP,Gold,2027-01-31\n',
    );
    expect(rowsOf(list, { columns: { groupsEndAt: list.survey.headings.indexOf('Until') } })).toEqual([
      'mira.holt@example.org | Mira | paid | Gold until 2027-01-31T23:00:00Z + VIP until 2027-01-31T23:00:00Z',
    ]);
  });

  test('flags can be in the language of a spreadsheet', async () => {
    const text = readFileSync(new URL('discourse.csv', folder), 'utf8');
    const list = await readMemberList(text.replaceAll(',false', ',FALSCH').replaceAll(',true', ',WAHR'));
    expect(rowsOf(list)).toEqual(expected.discourse!.rows);
  });

  test('a reading is JSON', async () => {
    for (const file of Object.keys(expected)) {
      const { survey } = await readMemberList(readFileSync(new URL(`${file}.csv`, folder), 'utf8'));
      const { reading } = survey.propose(takingGroups(survey.propose({}, site).questions), site);
      expect(JSON.parse(JSON.stringify(reading))).toEqual(reading);
    }
  });

  test('secrets are in no draft, whatever the list is read as', async () => {
    for (const file of ['wordpress-import-export-users', 'wordpress-export-users']) {
      const list = await readMemberList(readFileSync(new URL(`${file}.csv`, folder), 'utf8'));
      for (const answers of [{}, { export: null }]) {
        const drafts = draftsOf(list, list.survey.propose(answers, site).reading, { now });
        expect(JSON.stringify(drafts)).not.toMatch(/\$P\$|ab12/);
        expect(drafts[0]!.cells).toHaveLength(list.rows[0]!.cells.length);
      }
    }
  });
});

/** What the rows of a list say after the offered groups were taken. */
function rowsOf(list: MemberList, answers: ListAnswers = {}): string[] {
  const { questions } = list.survey.propose(answers, site);
  const { reading } = list.survey.propose({ ...answers, ...takingGroups(questions) }, site);
  const drafts = draftsOf(list, reading, { now });
  return mergeRepeated(drafts).map(described);
}

function takingGroups(questions: readonly ListQuestion[]): ListAnswers {
  const offer = questions.find(({ type }) => type === 'groups');
  if (offer?.type !== 'groups') return {};
  return { nameColumns: offer.nameColumns, groupColumns: offer.markColumns };
}

function described(draft: MemberDraft): string {
  const { email, displayName = '–', paid, status, groups, registeredAt } = draft;
  if (draft.isLeftOut) return `${email} | left out`;
  if (draft.problem) return `${email} | ${draft.problem.code}`;
  if (draft.mergedInto !== undefined) return `${email} | merged into row ${draft.mergedInto}`;
  const names = groups.map(({ name, expiresAt }) => (expiresAt ? `${name} until ${short(expiresAt)}` : name));
  const parts = [email, displayName];
  if (paid !== undefined) parts.push(paid ? 'paid' : 'free');
  if (status) parts.push(status);
  if (names.length > 0) parts.push(names.sort().join(' + '));
  if (registeredAt) parts.push(`since ${short(registeredAt)}`);
  return parts.join(' | ');
}

function short(time: string): string {
  return time.replace('.000Z', 'Z');
}

function csv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${csvRow(cells, { isRaw: true })}\n`).join('');
}

/** The same columns in another order. */
function shuffled(rows: readonly string[][], seed: number): string[][] {
  const weights = rows[0]!.map((_, column) => Math.sin((column + 1) * seed * 12.9898) * 43758.5453);
  const order = [...weights.keys()].sort((one, other) => (weights[one]! % 1) - (weights[other]! % 1));
  return rows.map((cells) => order.map((column) => cells[column] ?? ''));
}
