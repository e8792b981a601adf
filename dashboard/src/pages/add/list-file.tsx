import { maxImportedFileRows } from '@gatehouse/contract/limits';
import { decodeText, InvalidCsv, type MemberList, readMemberList } from '@gatehouse/member-lists';
import { Group, Stack, Text } from '@mantine/core';
import { Dropzone, type FileWithPath } from '@mantine/dropzone';
import { useState } from 'react';
import { IconFileSpreadsheet } from '../../components/icons/icons.ts';
import { passFocusOn } from '../../hooks/focus.ts';
import { type Texts, useTexts } from '../../languages/texts.tsx';
import { ListColumns } from './list-columns.tsx';

const maxBytes = 20 * 1024 * 1024;

export interface NamedList extends MemberList {
  readonly name: string;
}

/** Adds members from a CSV file. */
export function ListFile() {
  const t = useTexts('add');
  const [list, setList] = useState<NamedList | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function open([dropped]: FileWithPath[]): Promise<void> {
    if (!dropped) return;
    // The file may have been deleted or become unavailable since it was chosen.
    const bytes = await dropped.arrayBuffer().catch(() => null);
    const text = bytes && decodeText(new Uint8Array(bytes));
    if (text === null) return setProblem(t('fileWrong'));
    try {
      const read = await readMemberList(text, maxImportedFileRows);
      setProblem(read.rows.length === 0 ? t('fileEmpty') : null);
      if (read.rows.length > 0) setList({ name: dropped.name, ...read });
    } catch (error) {
      setProblem(problemText(t, error));
    }
  }

  if (list) return <ListColumns list={list} change={setList} />;
  return (
    <Stack gap="xs" ref={passFocusOn}>
      <Dropzone
        onDrop={open}
        onReject={() => setProblem(t('fileWrong'))}
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
            <Text size="sm" c="dimmed">
              {t('dropHelp')}
            </Text>
          </div>
        </Group>
      </Dropzone>
      {problem && (
        <Text c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
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
