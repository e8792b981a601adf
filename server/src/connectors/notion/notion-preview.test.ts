import { expect, test } from 'vitest';
import { startNotionReader } from '../../../test/notion-reader.ts';

test('a preview shows the columns and the first ten rows, the title first', async () => {
  const { notion, preview } = await startNotionReader();
  const team = notion.database('Team', {
    Email: 'email',
    Name: 'title',
    Owner: 'people',
    Paid: 'checkbox',
    Teams: 'multi_select',
    Age: 'number',
  });
  for (let row = 0; row < 12; row++) {
    team.addRow({
      Name: `Member ${row}`,
      Email: `m${row}@example.com`,
      Owner: [notion.person('Ada', 'ada@example.com')],
      Paid: row === 0,
      Teams: ['Rowing', 'Chess'],
      Age: 40,
    });
  }
  const { columns, rows, guess } = await preview(team);
  expect(
    columns.map(({ key, name, type, options }) => [key === team.key(name), name, type, options]),
  ).toEqual([
    [true, 'Name', 'text', []],
    [true, 'Email', 'email', []],
    [true, 'Owner', 'people', []],
    [true, 'Paid', 'checkbox', []],
    [true, 'Teams', 'choices', ['Rowing', 'Chess']],
    [true, 'Age', 'other', []],
  ]);
  expect(rows).toHaveLength(10);
  expect(rows[0]).toEqual(['Member 0', 'm0@example.com', 'ada@example.com', '✓', 'Rowing, Chess', '40']);
  expect(rows[9]?.[3]).toBe('');
  const [email, paid] = [team.key('Email'), team.key('Paid')];
  expect(guess).toEqual({ email, displayName: 'title', paid, groups: null });
});

test('the guess prefers addresses to people, and people to texts', async () => {
  const { notion, preview } = await startNotionReader();
  const email = async (properties: Parameters<typeof notion.database>[1]) => {
    const team = notion.database('Team', properties);
    const values = { Text: 'ada@example.com', People: [notion.person('Ada', 'ada@example.com')] };
    team.addRow(Object.fromEntries(Object.entries(values).filter(([name]) => name in properties)));
    const { guess } = await preview(team);
    return team.properties.find(({ id }) => id === guess?.email)?.name;
  };
  const title = { Name: 'title' } as const;
  expect(await email({ ...title, Text: 'rich_text', People: 'people', Email: 'email' })).toBe('Email');
  expect(await email({ ...title, Text: 'rich_text', People: 'people' })).toBe('People');
  expect(await email({ ...title, Text: 'rich_text' })).toBe('Text');
  expect(await email({ Text: 'title' })).toBe('Text');
  expect(await email(title)).toBeUndefined();
});

test('the guess knows groups and who has paid in other languages, if the values say yes', async () => {
  const { notion, preview } = await startNotionReader();
  const team = notion.database('Equipo', {
    Nombre: 'title',
    Correo: 'email',
    Pagado: 'select',
    Grupos: 'multi_select',
  });
  const row = team.addRow({ Nombre: 'Ada', Correo: 'ada@example.com', Pagado: 'quizás' });
  const [email, groups] = [team.key('Correo'), team.key('Grupos')];
  expect((await preview(team)).guess).toEqual({ email, displayName: 'title', paid: null, groups });
  row.edit({ Pagado: 'sí' });
  expect((await preview(team)).guess?.paid).toBe(team.key('Pagado'));
});

test('people without addresses are shown by name, and not guessed', async () => {
  const { notion, preview } = await startNotionReader();
  const team = notion.database('Team', { Name: 'title', Owner: 'people' });
  team.addRow({ Name: 'Boat', Owner: [notion.person('Ada', 'ada@example.com')] });
  notion.userInformation = 'without_addresses';
  expect(await preview(team)).toMatchObject({ rows: [['Boat', 'Ada']], guess: null });
});
