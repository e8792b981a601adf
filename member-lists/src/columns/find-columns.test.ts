import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvRow } from '../csv/csv.ts';
import type { ListAnswers } from '../reading/list-reading.ts';
import { draftsOf, readMemberList } from '../reading/member-list.ts';

const now = new Date('2026-06-01T00:00:00Z');
const site = { timeZone: 'UTC', groupNames: new Set<string>() };

/** Reads a list without line breaks in its cells; the first line has the headings. */
async function read(lines: readonly string[], answers: ListAnswers = {}, delimiter = ';') {
  const list = await readMemberList(lines.join('\n'));
  const { reading, questions, statefulColumns } = list.survey.propose(answers, site);
  const headings = lines[0]!.split(delimiter);
  const columns = Object.entries(reading.columns).flatMap(([field, column]) =>
    column === null ? [] : [[field, headings[column]!] as const],
  );
  return {
    columns: Object.fromEntries(columns),
    questions,
    drafts: draftsOf(list, reading, { now }),
    stateful: statefulColumns.map((column) => headings[column]),
  };
}
const namesOf = async (lines: readonly string[], answers?: ListAnswers) =>
  (await read(lines, answers)).drafts.map(({ displayName, problem }) => problem?.code ?? displayName);

describe('columns are found by their headings', () => {
  test.each([
    ['user_email;first_name;last_name', ['email', 'firstName', 'lastName']],
    ['email_address;Given Name;Family Name', ['email', 'firstName', 'lastName']],
    ['E-mail 1 - Value;First Name;Surname', ['email', 'firstName', 'lastName']],
    [
      'Email Address [Required];First Name [Required];Last Name [Required]',
      ['email', 'firstName', 'lastName'],
    ],
    ['E-Mail-Adresse *;Vorname;Familienname', ['email', 'firstName', 'lastName']],
    ['Adresse e-mail (obligatoire);Prénom;Nom de famille', ['email', 'firstName', 'lastName']],
    ['Correo electrónico;Nombre de pila;Apellidos', ['email', 'firstName', 'lastName']],
    ['メールアドレス;名;姓', ['email', 'firstName', 'lastName']],
    ['E-Mail;Vor- und Nachname', ['email', 'displayName']],
    ['Courriel;Nom complet', ['email', 'displayName']],
    ['Correo;Nombre y apellidos', ['email', 'displayName']],
    ['Eメール;氏名', ['email', 'displayName']],
  ])('%s', async (headings, fields) => {
    const names = headings.split(';').map((heading, index) => [fields[index]!, heading] as const);
    const cells = { email: 'ada@x.org', firstName: 'Ada', lastName: 'Lovelace', displayName: 'Ada Lovelace' };
    const row = fields.map((field) => cells[field as keyof typeof cells]).join(';');
    expect((await read([headings, row])).columns).toEqual(Object.fromEntries(names));
    expect(await namesOf([headings, row])).toEqual(['Ada Lovelace']);
  });

  test.each([
    ['Eintritt', '01.02.2010'],
    ['Eintrittsdatum', '01.02.2010'],
    ['Beitritt', '2010-02-01'],
    ['Mitglied seit', '1.2.2010'],
    ["Date d'adhésion", '01/02/2010'],
    ['Date d’inscription', '2010-02-01'],
    ['Fecha de alta', '2010-02-01'],
    ['入会日', '2010/02/01'],
    ['user_registered', '2010-02-01 10:00:00'],
    ['Joined', '2010-02-01'],
    ['created_at', '2010-02-01T10:00:00Z'],
    ['Erstellt am', '01.02.2010'],
  ])('%s is the registration', async (heading, cell) => {
    expect((await read([`email;${heading}`, `ada@x.org;${cell}`])).columns).toMatchObject({
      registeredAt: heading,
    });
  });

  test.each([
    ['Beitrag bezahlt', 'ja'],
    ['Beitrag', 'nein'],
    ['Bezahlt?', 'x'],
    ['Cotisation payée', 'oui'],
    ['Cotisation', 'non'],
    ['Cuota pagada', 'sí'],
    ['会費納入', 'はい'],
    ['Status', 'unpaid'],
  ])('%s says who pays', async (heading, cell) => {
    expect((await read([`email;${heading}`, `ada@x.org;${cell}`])).columns).toMatchObject({ paid: heading });
  });

  test.each(['Status', 'Mitgliedsstatus', 'Statut', 'Estado', 'ステータス', 'account_status'])(
    '%s is the status',
    async (heading) => {
      const { columns, stateful } = await read([`email;${heading}`, 'ada@x.org;active']);
      expect([columns.status, stateful]).toEqual([heading, [heading]]);
    },
  );
});

describe('what a heading leaves open is decided by the content', () => {
  test.each([
    ['Name;Vorname', 'Mira Holt;Mira', 'Jo Beck;Jo'],
    ['Name;Vorname', 'Holt;Mira', 'Beck;Jo'],
    ['Nom;Prénom', 'Holt Mira;Mira', 'BECK Jo;Jo'],
    ['Nom;Prénom', 'Holt;Mira', 'Beck;Jo'],
    ['Nombre;Apellidos', 'Mira Holt;Holt', 'Jo Beck;Beck'],
    ['Nombre;Apellidos', 'Mira;Holt', 'Jo;Beck'],
    ['Name;Family Name', 'Mira Holt;Holt', 'Jo Beck;Beck'],
    ['Name;Surname', 'Mira;Holt', 'Jo;Beck'],
    ['Name;First Name;Last Name', 'Mira Holt;Mira;Holt', 'Jo Beck;Jo;Beck'],
    ['Nom;Nom de famille', 'Mira Holt;Holt', 'Jo Beck;Beck'],
    ['名前;姓', 'Mira Holt;Holt', 'Jo Beck;Beck'],
    ['名前;名', '山田太郎;太郎', '鈴木花子;花子'],
    ['姓;名', '山田;太郎', '鈴木;花子'],
  ])('the full name of %s, in any order of the columns: %s', async (headings, first, second) => {
    const rows = [`${headings};E-Mail`, `${first};a@x.org`, `${second};b@x.org`].map((row) => row.split(';'));
    const names = await namesOf(rows.map((row) => row.join(';')));
    expect(names.map((name) => name!.toLowerCase().split(/\s/).sort().join(' '))).toEqual(
      /[一-龠]/.test(first)
        ? [expect.stringMatching(/山田|太郎/), expect.anything()]
        : ['holt mira', 'beck jo'],
    );
    for (let turn = 1; turn < rows[0]!.length; turn += 1) {
      const turned = rows.map((row) => [...row.slice(turn), ...row.slice(0, turn)].join(';'));
      expect(await namesOf(turned)).toEqual(names);
    }
  });

  test('the family name comes first in Japanese', async () => {
    expect(await namesOf(['メール;名;姓', 'a@x.org;太郎;山田'])).toEqual(['山田 太郎']);
    expect(await namesOf(['メール;氏名;姓', 'a@x.org;山田太郎;山田'])).toEqual(['山田太郎']);
  });

  test('nicknames do not add a part to full names', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `a${index}@x.org;Mira Holt${index};Mira`);
    const names = await namesOf(['email;Name;First name', ...rows, 'bob@x.org;Bob Smith;Robert']);
    expect(names.at(-1)).toBe('Bob Smith');
  });

  test('names that leave a doubt are a question, and without an answer their rows are listed', async () => {
    const list = ['email;Name;Vorname', 'a@x.org;Mira Holt;Mira', 'b@x.org;Beck;Jo', 'c@x.org;;Kim'];
    const { questions } = await read(list);
    expect(questions).toEqual([{ type: 'column', field: 'displayName', columns: [1] }]);
    expect(await namesOf(list)).toEqual(['Mira Holt', 'unclear_column', 'Kim']);
    const asFull = { columns: { displayName: 1, firstName: null } };
    expect(await namesOf(list, asFull)).toEqual(['Mira Holt', 'Beck', undefined]);
    expect(await namesOf(list, { columns: { displayName: null } })).toEqual([
      'Mira Mira Holt',
      'Jo Beck',
      'Kim',
    ]);
    expect((await read(list, asFull)).questions).toEqual([]);
  });

  test.each([
    ['equal in all rows', 'a@x.org;A@x.org', 'b@x.org;b@x.org', 0],
    ['one of them has all', ';a@x.org', 'b@x.org;b@x.org', 1],
    ['one of them has none', ';a@x.org', ';b@x.org', 1],
  ])('one of several columns of addresses: %s', async (_, first, second, column) => {
    const list = await readMemberList(`E-Mail;Email\n${first}\n${second}`);
    const { reading, questions } = list.survey.propose({}, site);
    expect([reading.columns.email, questions]).toEqual([column, []]);
  });

  test('different addresses are a question, and their rows are listed without an answer', async () => {
    const list = ['Name;E-Mail privat;E-Mail dienstlich', 'Ada;a@x.org;a@y.org', 'Bob;b@x.org;b@x.org'];
    const { questions, drafts } = await read(list);
    expect(questions).toEqual([{ type: 'column', field: 'email', columns: [1, 2] }]);
    expect(drafts.map(({ problem }) => problem)).toEqual([
      { code: 'unclear_column', values: { field: 'email' } },
      undefined,
    ]);
    const answered = await read(list, { columns: { email: 2 } });
    expect(answered.questions).toEqual([]);
    expect(answered.drafts.map(({ address }) => address)).toEqual(['a@y.org', 'b@x.org']);
  });

  test.each([
    ['Beitrag', '60,00'],
    ['Bezahlt am', '01.02.2026'],
    ['Joined', 'yes'],
    ['created_at', 'Mira'],
    ['Adresse', 'Weg 1'],
    ['E-Mail-Typ', 'SMTP'],
    ['State', 'Ohio'],
  ])('a column %s with %s has no meaning', async (heading, cell) => {
    const { columns } = await read([`Mail;${heading}`, `ada@x.org;${cell}`]);
    expect(columns).toEqual({ email: 'Mail' });
  });

  test('the creation in an export of ours is not the registration', async () => {
    const { columns } = await read(['email;createdAt', 'ada@x.org;2020-01-01T00:00:00Z']);
    expect(columns).toEqual({ email: 'email' });
  });

  test('columns with states and payments are named', async () => {
    const headings = 'email;Ort;Austritt;Zahlungsart;suspended_at;Statut de paiement';
    const { stateful } = await read([headings, 'ada@x.org;Kiel;31.12.2020;bar;;x']);
    expect(stateful).toEqual(['Austritt', 'Zahlungsart', 'Statut de paiement']);
  });
});

test('a list with its columns in another order has the same members', async () => {
  const headings = ['E-Mail', 'Name', 'Vorname', 'Eintritt', 'Beitrag bezahlt', 'Abteilung', 'Ort', 'Status'];
  const person = fc.tuple(
    fc.constantFrom('a@x.org', 'b@x.org', 'no address', ''),
    fc.constantFrom('Holt', 'Mira Holt', 'Beck', ''),
    fc.constantFrom('Mira', 'Jo', ''),
    fc.constantFrom('01.02.2010', '2010-02-01', '03/04/2010', ''),
    fc.constantFrom('ja', 'nein', ''),
    fc.constantFrom('Chor', 'Chor, Tennis', ''),
    fc.constantFrom('Kiel', 'Rom'),
    fc.constantFrom('active', 'passiv', ''),
  );
  const order = fc.shuffledSubarray([...headings.keys()], { minLength: headings.length });
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 6 }), order, async (people, columns) => {
      const rows = [headings, ...people];
      const textOf = (each: readonly (readonly string[])[]) =>
        each.map((row) => csvRow(row, { delimiter: ';' })).join('\n');
      const valuesOf = async (text: string) =>
        (await read(text.split('\n'))).drafts.map(({ cells, ...values }) => [cells.length, values]);
      const turned = rows.map((row) => columns.map((column) => row[column]!));
      expect(await valuesOf(textOf(turned))).toEqual(await valuesOf(textOf(rows)));
    }),
    { numRuns: 200 },
  );
});

describe('headings are found', () => {
  const draftsIn = async (text: string) => {
    const list = await readMemberList(text);
    const { reading } = list.survey.propose({}, site);
    return draftsOf(list, reading, { now }).map(({ line, address, displayName }) => [
      line,
      address,
      displayName,
    ]);
  };

  test.each([
    ['Mitgliederliste 2026;;\nName;E-Mail;Ort\nAda;a@x.org;Kiel', [[3, 'a@x.org', 'Ada']]],
    ['Mitgliederliste 2026\n;;\n\nName;E-Mail;Ort\nAda;a@x.org;Kiel', [[5, 'a@x.org', 'Ada']]],
    ['sep=;\nClub;;\nName;E-Mail;Ort\nAda;a@x.org;Kiel', [[4, 'a@x.org', 'Ada']]],
    [
      'email\na@x.org\nb@x.org',
      [
        [2, 'a@x.org', undefined],
        [3, 'b@x.org', undefined],
      ],
    ],
  ])('below a title: %j', async (text, drafts) => {
    expect(await draftsIn(text)).toEqual(drafts);
  });

  test('but no row of a list without headings is taken for a title', async () => {
    const list = await readMemberList('Ada;;\nBob;b@x.org;Kiel\nEve;e@x.org;Rom');
    expect(list.rows.map(({ cells }) => cells[0])).toEqual(['Ada', 'Bob', 'Eve']);
  });
});

test('ends of memberships are found also if most memberships do not end', async () => {
  const columnOf = async (...ends: string[]) => {
    const list = await readMemberList(
      ['email,groups,Expires', ...ends.map((end, n) => `p${n}@x.org,Choir,${end}`)].join('\n'),
    );
    return list.survey.propose({}, site).reading.columns.groupsEndAt;
  };
  expect(await columnOf('2027-05-06', 'never', 'unbefristet', '')).toBe(2);
  expect(await columnOf('2027-05-06', 'soon', 'never')).toBeNull();
  expect(await columnOf('never', 'never')).toBe(2);
});

test.each(['password', 'Passwort', 'Kennwort', 'Mot de passe', 'Contraseña', 'パスワード'])(
  'the cells below %s are in no row that is shown or written',
  async (heading) => {
    const list = await readMemberList(`email,${heading}\na@x.org,hidden\n`);
    const { reading } = list.survey.propose({}, site);
    expect(draftsOf(list, reading, { now })[0]!.cells).toEqual(['a@x.org', '']);
  },
);
