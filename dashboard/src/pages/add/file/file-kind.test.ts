import { expect, test } from 'vitest';
import { otherFile } from './file-kind.ts';

test.each([
  ['PK\u0003\u0004…', 'members.xlsx', 'fileWorkbook'],
  ['PK\u0003\u0004…', 'Mitglieder.ODS', 'fileWorkbook'],
  ['PK\u0003\u0004…', 'audience_export.zip', 'fileArchive'],
  ['\u00d0\u00cf\u0011\u00e0…', 'members', 'fileWorkbook'],
  ['%PDF-1.7', 'members.csv', 'filePdf'],
  ['\u0089PNG…', 'members.png', 'fileImage'],
  ['\u00ff\u00d8\u00ff\u00e0', 'members.jpg', 'fileImage'],
  ['GIF89a', 'members.gif', 'fileImage'],
  ['PK,email', 'members.csv', undefined],
  ['', 'members.csv', undefined],
])('%j in %s is %s', (text, name, kind) => {
  expect(
    otherFile(
      Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
      name,
    ),
  ).toBe(kind);
});
