import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import {
  decodeParts,
  EncodingDetector,
  type OtherFileKind,
  type TextEncoding,
} from '@gatehouse/member-lists';
import { CommandFailure } from '../../app/failure.ts';
import { streamInput, wasOpenedByRoot } from '../installed/named-files.ts';

/** A file that has been read once. */
export interface TextFile {
  readonly path: string;
  readonly encoding: TextEncoding;
  /** Whether it begins with a byte order mark. */
  readonly hasMark: boolean;
  /** SHA-256 of the file. */
  readonly contentHash: string;
}

/**
 * Finds out the encoding of a file of any size.
 * @param chosen the encoding, if someone has chosen it
 * @throws {CommandFailure} when it is not a text
 */
export async function openTextFile(path: string, chosen?: TextEncoding): Promise<TextFile> {
  await requireFile(path);
  const hash = createHash('sha256');
  const detector = new EncodingDetector();
  for await (const part of streamInput(path)) {
    hash.update(part as Buffer);
    detector.add(part as Buffer);
  }
  const found = detector.detect();
  const contentHash = hash.digest('hex');
  if (found.encoding !== null)
    return { path, encoding: chosen ?? found.encoding, hasMark: found.hasMark, contentHash };
  // With an encoding that the user has chosen, a few wrong characters are accepted.
  if (found.kind !== 'mixed' || chosen === undefined) throw notAText(path, found.kind);
  return { path, encoding: chosen, hasMark: false, contentHash };
}

/** The text of a file, part by part. */
export function partsOfFile({ path, encoding }: TextFile): AsyncGenerator<string, void, undefined> {
  return decodeParts(streamInput(path), encoding);
}

/** Files are read several times, which is impossible with a pipe. */
async function requireFile(path: string): Promise<void> {
  if (wasOpenedByRoot(path)) return;
  const file = await open(path);
  try {
    if ((await file.stat()).isFile()) return;
  } finally {
    await file.close();
  }
  throw new CommandFailure('not_a_file', `${path} is not a regular file. Write its content to a file first.`);
}

const saveAsCsv = 'Open it there, save it as "CSV UTF-8", and use that file.';

const problems: Readonly<Record<OtherFileKind, string>> = {
  excel: `is an Excel workbook, not CSV. ${saveAsCsv}`,
  open_document: `is a spreadsheet of LibreOffice, not CSV. ${saveAsCsv}`,
  zip: 'is a ZIP archive. Unpack it, and use the CSV file in it.',
  gzip: 'is a compressed file. Unpack it, and use the CSV file in it.',
  pdf: 'is a PDF, not CSV. Export the list as CSV from the program that it comes from.',
  image: 'is a picture, not CSV. Export the list as CSV from the program that it comes from.',
  mixed:
    'is UTF-8 only in part: some characters have another encoding, or the end of the file is missing. Save it again as "CSV UTF-8", or choose one with --encoding.',
  unknown: 'is not a text. Save the list as "CSV UTF-8", and use that file.',
};

function notAText(path: string, kind: OtherFileKind): CommandFailure {
  return new CommandFailure(kind === 'mixed' ? 'mixed_encodings' : 'not_a_text', `${path} ${problems[kind]}`);
}
