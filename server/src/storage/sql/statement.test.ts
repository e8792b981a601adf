import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { withFixedText } from './statement.ts';

const build = (siteId: string, name: string) =>
  sql`SELECT id FROM members WHERE site_id = ${siteId} AND (email = ${name} OR name_key = ${name}) AND site_id = ${siteId}`;

test('a statement with a fixed text is the one that its values would build', () => {
  const { sql: text, text: numbered, values } = build('s1', 'Ann');
  expect(withFixedText(build)('s1', 'Ann')).toEqual({ sql: text, text: numbered, values });
  expect(withFixedText(build)('s2', 'Bob').values).toEqual(['s2', 'Bob', 'Bob', 's2']);
});

test('a fixed text has no values beside the arguments', () => {
  expect(() => withFixedText((id: string) => sql`SELECT 1 WHERE ${id} = ${'x'}`)).toThrow('value of its own');
});
