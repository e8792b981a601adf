/** Kinds of files that are no list, but that people choose as one; each has a sentence that says what to do. */
export type OtherFile = 'fileWorkbook' | 'fileArchive' | 'filePdf' | 'fileImage' | 'fileWrong';

const beginnings: readonly (readonly [OtherFile, readonly number[]])[] = [
  ['fileArchive', [0x50, 0x4b, 0x03, 0x04]],
  ['fileWorkbook', [0xd0, 0xcf, 0x11, 0xe0]],
  ['filePdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['fileImage', [0x89, 0x50, 0x4e, 0x47]],
  ['fileImage', [0xff, 0xd8, 0xff]],
  ['fileImage', [0x47, 0x49, 0x46, 0x38]],
];
const workbook = /\.(xls[xmb]?|od[st]|numbers)$/i;

/** The kind of a file that is no text, by its first bytes and its name; undefined if it may be a text. */
export function otherFile(bytes: Uint8Array, name: string): OtherFile | undefined {
  const [kind] = beginnings.find(([, beginning]) => beginning.every((byte, at) => bytes[at] === byte)) ?? [];
  // The workbooks of today are archives.
  return kind === 'fileArchive' && workbook.test(name) ? 'fileWorkbook' : kind;
}
