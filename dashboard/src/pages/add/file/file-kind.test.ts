import { expect, test } from 'vitest';
import { otherFile } from './file-kind.ts';

test.each([
  ['zip', 'members.xlsx', 'fileWorkbook'],
  ['zip', 'Mitglieder.ODS', 'fileWorkbook'],
  ['zip', 'members.numbers', 'fileWorkbook'],
  ['excel', 'members', 'fileWorkbook'],
  ['zip', 'audience_export.zip', 'fileArchive'],
  ['gzip', 'members.csv', 'fileArchive'],
  ['pdf', 'members.csv', 'filePdf'],
  ['image', 'members.jpg', 'fileImage'],
  ['unknown', 'members.csv', 'fileWrong'],
] as const)('%s in %s is %s', (kind, name, other) => {
  expect(otherFile(kind, name)).toBe(other);
});
