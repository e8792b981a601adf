import { maxImportedFileRows } from '@gatehouse/contract/limits';
import { decodeInTurns, InvalidCsv, readMemberList } from '@gatehouse/member-lists';
import { Group, Stack, Text } from '@mantine/core';
import { Dropzone, type FileRejection, type FileWithPath } from '@mantine/dropzone';
import { useState } from 'react';
import { IconFileSpreadsheet } from '../../../components/icons/icons.ts';
import { Hint, Problem } from '../../../components/layout/hint.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { type Texts, useTexts } from '../../../languages/texts.tsx';
import { otherFile } from './file-kind.ts';
import type { NamedList } from './file-part.ts';
import { MemberFile } from './member-file.tsx';

const maxBytes = 20 * 1024 * 1024;

/** Adds members from a CSV file. */
export function DropFile() {
  const t = useTexts('add');
  const [list, setList] = useState<NamedList | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(false);

  async function open([dropped]: FileWithPath[]): Promise<void> {
    if (!dropped) return;
    setReading(true);
    setProblem(null);
    const read = await readFile(t, dropped);
    setReading(false);
    if (typeof read === 'string') setProblem(read);
    else setList(read);
  }

  if (list) return <MemberFile key={list.name} list={list} change={setList} />;
  return (
    <Stack gap="xs" ref={passFocusOn}>
      <Dropzone
        onDrop={open}
        onReject={(rejections) => setProblem(rejectionText(t, rejections))}
        loading={reading}
        maxFiles={1}
        multiple={false}
        maxSize={maxBytes}
        inputProps={{ 'aria-label': t('drop') }}
        p="xl"
      >
        <Group justify="center" gap="sm" mih={120}>
          <IconFileSpreadsheet size={32} stroke={1.4} aria-hidden />
          <div>
            <Text fw={500}>{t('drop')}</Text>
            <Hint>{t('dropHelp')}</Hint>
          </div>
        </Group>
      </Dropzone>
      {problem && <Problem>{problem}</Problem>}
    </Stack>
  );
}

/** The list in a file, or what is wrong with the file. */
async function readFile(t: Texts<'add'>, file: FileWithPath): Promise<NamedList | string> {
  // The file may have been deleted or become unavailable since it was chosen.
  const buffer = await file.arrayBuffer().catch(() => null);
  if (buffer === null) return t('fileWrong');
  const bytes = new Uint8Array(buffer);
  const decoded = await decodeInTurns(bytes);
  if (decoded.text === null) return t(otherFile(decoded.kind, file.name));
  try {
    const read = await readMemberList(decoded.text, maxImportedFileRows);
    return read.rows.length === 0 ? t('fileEmpty') : { name: file.name, ...read };
  } catch (error) {
    return problemText(t, error);
  }
}

function rejectionText(t: Texts<'add'>, rejections: readonly FileRejection[]): string {
  const codes = new Set(rejections.flatMap(({ errors }) => errors.map(({ code }) => code)));
  if (codes.has('file-too-large')) return t('fileTooLarge');
  return t(codes.has('too-many-files') ? 'fileSeveral' : 'fileWrong');
}

function problemText(t: Texts<'add'>, error: unknown): string {
  if (!(error instanceof InvalidCsv)) throw error;
  const { code, line } = error;
  switch (code) {
    case 'quote_not_closed':
      return t('fileQuoteNotClosed', { line });
    case 'text_after_quote':
      return t('fileTextAfterQuote', { line });
    case 'too_many_rows':
      return t('fileTooManyRows', { count: maxImportedFileRows });
    default:
      return t('fileRowTooLarge', { line });
  }
}
