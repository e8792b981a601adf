import type { MemberDraft, Reason } from '@gatehouse/member-lists';
import { List } from '@mantine/core';
import { Notice } from '../../../components/feedback/notice.tsx';
import { IconDownload } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { saveFile } from '../../../format/csv.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useReasonText } from '../reason-text.ts';
import { failedRowsFile, type Source } from './failed-rows-file.ts';

const maxShownFailures = 10;

export interface FailedResult {
  readonly draft: MemberDraft;
  readonly reason: Reason;
}

/** The rows that failed, and a download of them to correct and import again. */
export function Failures({ failed, source }: { failed: readonly FailedResult[]; source: Source }) {
  const t = useTexts('add');
  const reasonText = useReasonText();
  const more = failed.length - maxShownFailures;
  const save = () => {
    const rows = failed.map(({ draft: { line, cells }, reason }) => ({
      line,
      cells,
      code: reason.code,
      message: reasonText(reason),
    }));
    const { file, name } = failedRowsFile(source, rows);
    saveFile(file, name);
  };
  return (
    <Notice state="bad" title={t('failed', { count: failed.length })}>
      <List size="sm" mb="sm">
        {failed.slice(0, maxShownFailures).map(({ draft: { line, email }, reason }) => (
          <List.Item key={`${line} ${email}`}>
            {t(email === '' ? 'failedRowUnnamed' : 'failedRow', { line, email, reason: reasonText(reason) })}
          </List.Item>
        ))}
        {more > 0 && <List.Item>{t('moreFailed', { count: more })}</List.Item>}
      </List>
      <ActionButton icon={IconDownload} label={t('saveFailed')} size="xs" onClick={save} />
    </Notice>
  );
}
