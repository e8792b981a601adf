import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvRow } from '../csv/csv.ts';
import { groupNamesIn } from '../values/group-names.ts';
import type { ListAnswers } from './list-reading.ts';
import { draftsOf, readMemberList } from './member-list.ts';

const now = new Date('2026-06-01T00:00:00Z');

async function read(rows: readonly string[][], answers: ListAnswers = {}, names: readonly string[] = []) {
  const list = await readMemberList(rows.map((row) => csvRow(row)).join('\n'));
  const groupNames = new Set(names);
  const { reading, questions } = list.survey.propose(answers, { timeZone: 'UTC', groupNames });
  const drafts = draftsOf(list, reading, { now, groupNames });
  return {
    questions,
    reading,
    groups: drafts.map(({ groups, problem }) => problem?.code ?? groups.map(({ name }) => name)),
    drafts,
  };
}
const withGroups = (cells: readonly string[]) => [
  ['email', 'groups'],
  ...cells.map((cell, index) => [`m${index}@x.org`, cell]),
];

describe('several groups in one cell', () => {
  test.each([
    ['A;B', ['A', 'B']],
    ['A ::: B', ['A', 'B']],
    ['["A","B, C"]', ['A', 'B, C']],
    ['"A","B, C"', ['A', 'B, C']],
    ['A', ['A']],
  ])('%s needs no question', async (cell, names) => {
    const { questions, groups } = await read(withGroups([cell]));
    expect([questions, groups]).toEqual([[], [names]]);
  });

  test.each([',', '|', '/', '\n'])('a separator %j is a question', async (separator) => {
    const cell = `A${separator} B`;
    const { questions, groups } = await read(withGroups(['C', cell]));
    expect(questions).toEqual([{ type: 'groupSeparator', separators: [separator], examples: [cell] }]);
    expect(groups).toEqual([['C'], 'unclear_groups']);
    const split = await read(withGroups(['C', cell]), { groupSeparator: separator });
    expect([split.questions, split.groups]).toEqual([[], [['C'], ['A', 'B']]]);
    const whole = await read(withGroups(['C', cell]), { groupSeparator: '' });
    expect(whole.groups).toEqual([['C'], [cell]]);
  });

  test('the names of the groups of the site explain them', async () => {
    const names = ['Vorstand, Jugend', 'Chor', 'Vorstand'];
    const { questions, groups } = await read(
      withGroups(['Vorstand, Jugend', 'Chor,Vorstand, Jugend']),
      {},
      names,
    );
    expect([questions, groups]).toEqual([[], [['Vorstand, Jugend'], ['Chor', 'Vorstand, Jugend']]]);
    expect(groupNamesIn('Chor,Vorstand, Jugend,Neu', ',', new Set(names))).toEqual([
      'Chor',
      'Vorstand, Jugend',
      'Neu',
    ]);
    expect(groupNamesIn('Chor, #REF!', ',', new Set(names))).toBeUndefined();
  });

  test('an export of ours is read the same, whatever groups the site has', async () => {
    const name = fc.constantFrom('A', 'A,B', 'A;B', '["A","B"]', '"A","B"', 'A|B', 'A ::: B', 'A\\;B');
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 1 }), fc.array(name), async (names, ofSite) => {
        const cell = names.map((each) => each.replaceAll(/[\\;]/g, '\\$&')).join(';');
        const headings = ['email', 'displayName', 'groups', 'groupsEndAt', 'registeredAt'];
        const { questions, groups } = await read([headings, ['a@x.org', '', cell, '', '']], {}, ofSite);
        expect([questions, groups]).toEqual([[], [names]]);
      }),
    );
  });
});

describe('columns that could be about groups are offered', () => {
  const list = [
    ['email', 'Abteilung', 'Vorstand', 'Newsletter', 'Mobil', 'Mitglied bis'],
    ['a@x.org', 'Chor', 'x', 'ja', '1', '2026-12-31'],
    ['b@x.org', 'Tennis', '', 'nein', '', ''],
  ];

  test('and not used without an answer', async () => {
    const { questions, groups } = await read(list);
    expect(questions).toEqual([{ type: 'groups', nameColumns: [1], markColumns: [2] }]);
    expect(groups).toEqual([[], []]);
  });

  test('and end when the list says', async () => {
    const { questions, drafts } = await read(list, { nameColumns: [1], groupColumns: [2] });
    const end = '2027-01-01T00:00:00.000Z';
    expect(questions).toEqual([]);
    expect(drafts.map(({ groups }) => groups)).toEqual([
      [
        { name: 'Chor', expiresAt: end },
        { name: 'Vorstand', expiresAt: end },
      ],
      [{ name: 'Tennis', expiresAt: null }],
    ]);
  });

  test('and a cell that is no mark is listed', async () => {
    const rows = [...list, ['c@x.org', '', 'vielleicht', '', '', '']];
    expect((await read(rows, { groupColumns: [2] })).groups).toEqual([['Vorstand'], [], 'unclear_groups']);
  });
});

test('day and month are a question only if they could be swapped in all dates', async () => {
  const datesOf = (...cells: string[]) =>
    read([['email', 'Joined'], ...cells.map((cell, index) => [`m${index}@x.org`, cell])]);
  const swappable = await datesOf('03/04/2020', '05/06/2020');
  expect(swappable.questions).toEqual([{ type: 'dateOrder', examples: ['03/04/2020', '05/06/2020'] }]);
  expect((await datesOf('03/04/2020', '25/06/2020')).reading.dateOrder).toBe('dayFirst');
  expect((await datesOf('03/04/2020', '06/25/2020')).reading.dateOrder).toBe('monthFirst');
  expect((await datesOf('2020-03-04', '04.03.2020')).questions).toEqual([]);
});

test('words without a meaning are a question', async () => {
  const rows = [
    ['email', 'Status'],
    ['a@x.org', 'active'],
    ['b@x.org', 'Suspended'],
    ['c@x.org', 'suspended'],
  ];
  const { questions, drafts } = await read(rows);
  expect(questions).toEqual([
    { type: 'statusWords', words: [{ word: 'Suspended', rows: 2, suggestion: 'blocked' }] },
  ]);
  expect(drafts.map(({ problem }) => problem?.code)).toEqual([undefined, 'invalid_status', 'invalid_status']);
});
