import { describe, expect, test } from 'vitest';
import { hostileCells } from '../../test/hostile-lists.ts';
import { type Columns, noColumns } from '../columns/fields.ts';
import { findColumns } from '../columns/find-columns.ts';
import { csvRow } from '../csv/csv.ts';
import { decodeText } from '../text/text-encoding.ts';
import { addressIn } from '../values/addresses.ts';
import { timeForm } from '../values/written-times.ts';
import type { ListReading } from './list-reading.ts';
import { readDraft } from './member-draft.ts';
import { draftsOf, readMemberList } from './member-list.ts';
import { unusedHeadings } from './survey.ts';

const now = new Date('2026-06-01T00:00:00Z');
const site = { timeZone: 'UTC', groupNames: new Set<string>() };
const read = async (text: string) => {
  const list = await readMemberList(text);
  return draftsOf(list, list.survey.propose({}, site).reading, { now });
};
const { reading: empty } = (await readMemberList('')).survey.propose({}, site);
const readingWith = (columns: Partial<Columns>): ListReading => ({
  ...empty,
  columns: { ...noColumns, ...columns },
});
const draftOf = (cells: string[], columns: Partial<Columns>) =>
  readDraft({ line: 1, cells }, readingWith(columns), { headingCount: undefined, now });

describe('a file is decoded', () => {
  test('from its encoding', () => {
    expect(decodeText(new TextEncoder().encode('\ufeffJosé'))).toBe('José');
    expect(decodeText(new Uint8Array([0x4a, 0x6f, 0x73, 0xe9]))).toBe('José');
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0x4a, 0x00, 0xe9, 0x00]))).toBe('Jé');
    expect(decodeText(new Uint8Array([0xfe, 0xff, 0x00, 0x4a, 0x00, 0xe9]))).toBe('Jé');
    expect(decodeText(new Uint8Array([0x4a, 0x00, 0xe9, 0x00]))).toBe('Jé');
    expect(decodeText(new Uint8Array([0x00, 0x4a, 0x00, 0xe9]))).toBe('Jé');
    expect(decodeText(new Uint8Array())).toBe('');
  });

  test('but not if it is not a text', () => {
    expect(decodeText(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00, 0x00, 0xff]))).toBe(null);
  });
});

describe('columns are found', () => {
  test.each([
    'E-Mail;Vorname;Nachname;Bezahlt\nada@x.org;Ada;Lovelace;ja\nbob@x.org;;;nein\n',
    'email,first name,last name,paid\r\nada@x.org,Ada,Lovelace,1\r\nbob@x.org,,,0\r\n\r\n',
    'Email\tName\tSurname\tPaid\nada@x.org\tAda\t"Lovelace"\tyes\nbob@x.org\t\t\t\n',
    'メールアドレス,名前,姓,有料\nada@x.org,Ada,Lovelace,はい\nbob@x.org,,,いいえ\n',
  ])('by their headings: %j', async (text) => {
    const [ada, bob] = await read(text);
    expect(ada).toMatchObject({ line: 2, email: 'ada@x.org', displayName: 'Ada Lovelace', paid: true });
    // An empty cell has no value.
    const paid = text.includes('\t') ? undefined : false;
    expect(bob).toMatchObject({ line: 3, email: 'bob@x.org', displayName: undefined, paid });
  });

  test('without headings, only that of the addresses by its content', async () => {
    const list = await readMemberList('Ada,ada@x.org\nBob,bob@x.org');
    expect(list).toMatchObject({ hasHeadings: false, survey: { headings: ['Column 1', 'Column 2'] } });
    expect(list.survey.propose({}, site).reading.columns).toEqual({ ...noColumns, email: 1 });
  });

  test('by the name of a field before similar names', () => {
    const headings = ['Name of dog', 'mailing list', 'E-Mail', 'full_name', 'Gruppen', 'groupsEndAt'];
    const { columns, ambiguous } = findColumns(headings);
    expect(columns).toEqual({ ...noColumns, email: 2, displayName: 3, groups: 4, groupsEndAt: 5 });
    expect(ambiguous.size).toBe(0);
    expect(unusedHeadings(headings, readingWith(columns))).toEqual(['Name of dog', 'mailing list']);
  });

  test('with the ambiguous headings', () => {
    const { columns, ambiguous } = findColumns(['mail', 'E-Mail address', 'Beitritt', 'Mitglied seit']);
    expect(columns).toEqual({ ...noColumns, email: 0, registeredAt: 2 });
    expect([...ambiguous]).toEqual([
      ['email', [0, 1]],
      ['registeredAt', [2, 3]],
    ]);
  });
});

describe('a row', () => {
  test('has the row number of a spreadsheet', async () => {
    const drafts = await read('\nemail;name\n\nada@x.org;"Ada\nLovelace"\n;\nbob@x.org;Bob');
    expect(drafts.map(({ line, email }) => [line, email])).toEqual([
      [4, 'ada@x.org'],
      [6, 'bob@x.org'],
    ]);
  });

  test('is read with the values that were written', async () => {
    const rows = [
      ['email', 'displayName', 'paid'],
      ['+ada@x.org', '=Ada', 'true'],
      ["'bob'", '"Bob", Jr', 'false'],
      ['dan@x.org', "'=Dan", 'false'],
    ];
    const drafts = await read(rows.map((row) => csvRow(row)).join('\r\n'));
    expect(drafts).toMatchObject([
      { line: 2, email: '+ada@x.org', displayName: '=Ada', paid: true, wasEscaped: true },
      { line: 3, email: "'bob'", displayName: '"Bob", Jr', paid: false, wasEscaped: false },
      { line: 4, email: 'dan@x.org', displayName: "'=Dan", paid: false, wasEscaped: true },
    ]);
  });

  test.each(['wahr', 'VRAI', 'Verdadero', 'TRUE', 'bezahlt', 'payé', 'pagado', 'sí', '有料', ' ja '])(
    'with %s is a paying member',
    (cell) => expect(draftOf(['a@x.org', cell], { email: 0, paid: 1 })).toMatchObject({ paid: true }),
  );

  test.each(['falsch', 'FAUX', 'Falso', 'false', 'nein', 'non', 'no', '0', '無料', ' N '])(
    'with %s is not a paying member',
    (cell) => expect(draftOf(['a@x.org', cell], { email: 0, paid: 1 })).toMatchObject({ paid: false }),
  );

  test.each(['maybe', 'ja?', 'not ja', '2', 'paid later'])('with %s is invalid', (value) => {
    const problem = { code: 'invalid_paid', values: { value } };
    expect(draftOf(['a@x.org', value], { email: 0, paid: 1 })).toMatchObject({ problem });
  });

  test.each(['Ada\nLovelace', 'x'.repeat(201), 'Ada\ud800', 'Ada\u202e'])(
    'cannot have the name %j',
    (name) => {
      const columns = { email: 0, displayName: 1 };
      const { problem } = draftOf(['a@x.org', name], columns);
      expect(problem).toEqual({ code: 'invalid_display_name' });
      expect(draftOf(['a@x.org', 'x'.repeat(200)], columns).problem).toBeUndefined();
    },
  );

  test.each(['ada', 'ada@', '@x.org', 'a b@x.org', 'ada@x..org', `${'a'.repeat(65)}@x.org`])(
    'cannot have the address %j',
    (email) => {
      const { address, problem } = draftOf([email], { email: 0 });
      expect([address, problem]).toEqual([
        null,
        { code: 'invalid_email', values: { value: email.slice(0, 40) } },
      ]);
    },
  );

  test('without an address, with one and with several has three different reasons', () => {
    const problemOf = (email: string) => draftOf([email], { email: 0 }).problem;
    expect(problemOf(' \u200b ')).toEqual({ code: 'no_email' });
    expect(problemOf('n/a')).toEqual({ code: 'invalid_email', values: { value: 'n/a' } });
    const values = { first: 'ada@x.org', second: 'bob@x.org' };
    expect(problemOf('Ada@x.org; bob@x.org')).toEqual({ code: 'several_emails', values });
    expect(problemOf('Ada <ada@x.org>;')).toBeUndefined();
  });

  test('has the name beside its address, unless it has another', () => {
    const columns = { email: 0, displayName: 1 };
    const draft = draftOf(['"Lovelace, Ada" <Ada@x.org>', ''], columns);
    expect(draft).toMatchObject({ address: 'ada@x.org', displayName: 'Lovelace, Ada', problem: undefined });
    expect(draft.email).toBe('"Lovelace, Ada" <Ada@x.org>');
    expect(draftOf(['Eve <ada@x.org>', 'Ada'], columns).displayName).toBe('Ada');
    expect(draftOf(['Ada\u202e <ada@x.org>', ''], columns).displayName).toBe('Ada');
  });

  test('has the address in the normalized form of the service', () => {
    expect(draftOf([' Ada@BÜCHER.example '], { email: 0 }).address).toBe('ada@xn--bcher-kva.example');
  });

  test.each([
    ['2024-05-01', '2024-05-01T00:00:00.000Z', undefined],
    ['1.5.2024', '2024-05-01T00:00:00.000Z', undefined],
    ['2024-05-01T12:00:00+02:00', '2024-05-01T10:00:00.000Z', undefined],
    ['2024-05-01 12:00:00', '2024-05-01T12:00:00.000Z', undefined],
    ['N/A', undefined, undefined],
    ['2026-06-01T00:00:00.001Z', undefined, 'future_registered_at'],
    ['2024-02-30T00:00:00Z', undefined, 'invalid_registered_at'],
    ['May 2024', undefined, 'invalid_registered_at'],
    ['05/06/2024', undefined, 'unclear_date'],
  ])('with the registration %j has the time %j', (cell, registeredAt, code) => {
    const draft = draftOf(['a@x.org', cell], { email: 0, registeredAt: 1 });
    expect(draft.registeredAt).toBe(registeredAt);
    const values = { value: cell, field: 'registeredAt' };
    expect(draft.problem).toEqual(code === undefined ? undefined : { code, values });
    expect(draft.notes).toEqual([]);
  });

  test.each(['1962-03-01', '01.03.62', '1.3.1962', '1969-12-31T23:59:59Z'])(
    'of somebody who registered before 1970 (%s) is imported without the time, which a note says',
    (cell) => {
      const draft = draftOf(['a@x.org', cell], { email: 0, registeredAt: 1 });
      expect(draft.problem).toBeUndefined();
      expect(draft.registeredAt).toBeUndefined();
      const values = { value: cell, field: 'registeredAt' };
      expect(draft.notes).toEqual([{ code: 'early_registered_at', values }]);
    },
  );

  test.each([
    [
      'A;B',
      '31.12.2030;soon',
      { code: 'invalid_group_ends', values: { value: 'soon', field: 'groupsEndAt' } },
    ],
    ['A', '03/04/2030', { code: 'unclear_date', values: { value: '03/04/2030', field: 'groupsEndAt' } }],
    ['A', '31.12.99', { code: 'invalid_group_ends', values: { value: '31.12.99', field: 'groupsEndAt' } }],
    ['A;B;C', '2030-01-01;2030-01-01', { code: 'invalid_group_ends', values: { ends: 2 } }],
  ])('with the groups %j and the ends %j says what is wrong', (names, ends, problem) => {
    const draft = draftOf(['a@x.org', names, ends], { email: 0, groups: 1, groupsEndAt: 2 });
    expect(draft.problem).toEqual(problem);
  });

  test('with an unknown value in any column that is used says so', () => {
    const columns = { email: 0, displayName: 1, paid: 2, groups: 3 };
    const problemOf = (...cells: string[]) => draftOf(cells, columns).problem;
    const unknown = (value: string, field: string) => ({ code: 'unknown_value', values: { value, field } });
    expect(problemOf('a@x.org', '#REF!', 'ja', 'A')).toEqual(unknown('#REF!', 'displayName'));
    expect(problemOf('#NV', 'Ada', 'ja', 'A')).toEqual(unknown('#NV', 'email'));
    expect(problemOf('a@x.org', 'Ada', 'Wird geladen…', 'A')).toEqual(unknown('Wird geladen…', 'paid'));
    expect(problemOf('a@x.org', 'Ada', 'ja', 'A; #¡VALOR! ')).toEqual(unknown('#¡VALOR!', 'groups'));
    expect(problemOf('a@x.org', '#1', 'ja', '#NV-Team', '#REF!')).toBeUndefined();
  });

  test('of somebody who is left out needs nothing else', () => {
    const reading = {
      ...readingWith({ email: 0, status: 1, registeredAt: 2 }),
      statusWords: { gone: 'leftOut' as const },
    };
    const draft = readDraft({ line: 1, cells: ['a@x.org', 'Gone', 'soon'] }, reading, {
      headingCount: undefined,
      now,
    });
    expect(draft).toMatchObject({ isLeftOut: true, problem: undefined });
  });

  test.each([
    [
      'A;B',
      '',
      [
        ['A', null],
        ['B', null],
      ],
    ],
    [
      'A;B',
      '2030-12-31',
      [
        ['A', '2031-01-01T00:00:00.000Z'],
        ['B', '2031-01-01T00:00:00.000Z'],
      ],
    ],
    [
      'A;B',
      ';2030-12-31T09:00:00Z',
      [
        ['A', null],
        ['B', '2030-12-31T09:00:00.000Z'],
      ],
    ],
    [
      String.raw`A\;B; Choir ;A\\C;Choir`,
      ' ; 2030-01-01T00:00:00Z ;;',
      [
        ['A;B', null],
        ['Choir', '2030-01-01T00:00:00.000Z'],
        ['A\\C', null],
      ],
    ],
    [
      'A;;B',
      ';;2030-01-01T00:00:00Z',
      [
        ['A', null],
        ['B', '2030-01-01T00:00:00.000Z'],
      ],
    ],
    ['', '', []],
    ['A;B;C', '2030-01-01;2030-01-01', undefined],
    ['A;B', '2030-01-01;2030-01-01;2030-01-01', undefined],
    ['A', 'soon', undefined],
  ])('with the groups %j and the ends %j names %j', (names, ends, groups) => {
    const draft = draftOf(['a@x.org', names, ends], { email: 0, groups: 1, groupsEndAt: 2 });
    expect(draft.problem?.code).toBe(groups ? undefined : 'invalid_group_ends');
    if (groups) expect(draft.groups.map(({ name, expiresAt }) => [name, expiresAt])).toEqual(groups);
  });

  test('with more cells than headings, an unknown status or too many groups is invalid', async () => {
    const [wide, gone, many] = await read(
      `email,status,groups\na@x.org,,,x\nb@x.org,gone,\nc@x.org,,${Array.from({ length: 101 }, (_, n) => n).join(';')}\n`,
    );
    expect(wide!.problem).toEqual({ code: 'invalid_row', values: { cells: 4, headings: 3 } });
    expect(gone!.problem).toEqual({ code: 'invalid_status', values: { value: 'gone' } });
    expect(many!.problem).toEqual({ code: 'too_many_groups' });
  });

  test('with hostile cells is read', () => {
    const columns = {
      email: 0,
      displayName: 1,
      paid: 2,
      status: 3,
      groups: 4,
      groupsEndAt: 5,
      registeredAt: 6,
    };
    for (const cell of hostileCells) {
      const draft = draftOf(
        Array.from({ length: 7 }, () => cell),
        columns,
      );
      expect([draft.address, draft.registeredAt, timeForm(cell), addressIn(cell)]).toEqual([
        null,
        undefined,
        undefined,
        null,
      ]);
      expect(JSON.stringify(draft.problem).length).toBeLessThan(200);
    }
  });
});
