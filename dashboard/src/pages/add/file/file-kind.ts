import type { OtherFileKind } from '@gatehouse/member-lists';

/** What a file is instead of a list; each has a sentence that says what to do. */
type OtherFile = 'fileWorkbook' | 'fileArchive' | 'filePdf' | 'fileImage' | 'fileWrong';

const others: Readonly<Record<OtherFileKind, OtherFile>> = {
  excel: 'fileWorkbook',
  open_document: 'fileWorkbook',
  zip: 'fileArchive',
  gzip: 'fileArchive',
  pdf: 'filePdf',
  image: 'fileImage',
  mixed: 'fileWrong',
  unknown: 'fileWrong',
};
/** The workbooks of today are archives, and not all of them say so at their beginning. */
const workbook = /\.(xls[xmb]?|od[st]|numbers)$/i;

/** What a file is that is no text, by its kind and its name. */
export function otherFile(kind: OtherFileKind, name: string): OtherFile {
  return kind === 'zip' && workbook.test(name) ? 'fileWorkbook' : others[kind];
}
