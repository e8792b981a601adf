/** What a file is that is not a text. `mixed`: a text in two encodings. */
const otherFileKinds = ['excel', 'open_document', 'zip', 'gzip', 'pdf', 'image', 'mixed', 'unknown'] as const;
export type OtherFileKind = (typeof otherFileKinds)[number];

/** The number of bytes from which the kind of a file is recognized. */
export const kindLength = 4_096;

/** The bytes at the beginning of files, one character each. */
const beginnings: readonly (readonly [OtherFileKind, string])[] = [
  ['excel', '\xd0\xcf\x11\xe0'],
  ['gzip', '\x1f\x8b'],
  ['pdf', '%PDF-'],
  ['image', '\x89PNG'],
  ['image', '\xff\xd8\xff'],
  ['image', 'GIF8'],
];
const zip = 'PK\x03\x04';

/** Recognizes a file that is not a text by its beginning. */
export function kindOf(beginning: Uint8Array): OtherFileKind | undefined {
  const start = String.fromCharCode(...beginning.subarray(0, kindLength));
  if (!start.startsWith(zip)) return beginnings.find(([, mark]) => start.startsWith(mark))?.[0];
  if (start.includes('opendocument.spreadsheet')) return 'open_document';
  return /\[Content_Types\]\.xml|xl\/|_rels\//.test(start) ? 'excel' : 'zip';
}
