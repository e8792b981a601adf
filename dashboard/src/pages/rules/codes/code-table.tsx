import type { PageCode } from '@gatehouse/client';
import { Text, VisuallyHidden } from '@mantine/core';
import { EndText } from '../../../components/end-text.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedRules } from '../../../queries/access/access-rules.ts';
import { CodeActions } from './code-actions.tsx';
import type { CodeStep } from './code-dialog.tsx';
import { CodeStatus } from './code-status.tsx';
import { CodeText } from './code-text.tsx';
import classes from './codes.module.css';
import { pathsIn, rulesWithCode } from './rules-with-code.ts';

interface CodeTableProps {
  codes: readonly PageCode[];
  mayWrite: boolean;
  open: (step: CodeStep) => void;
}

export function CodeTable({ codes, mayWrite, open }: CodeTableProps) {
  const t = useTexts('codes');
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th>{t('label')}</th>
          <th>{t('code')}</th>
          <th>{t('entered')}</th>
          <th>{t('lastUsed')}</th>
          <th>{t('end')}</th>
          <th>{t('status')}</th>
          {mayWrite && (
            <th>
              <VisuallyHidden>{t('actions')}</VisuallyHidden>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {codes.map((code) => (
          <CodeRow key={code.id} code={code} mayWrite={mayWrite} open={open} />
        ))}
      </tbody>
    </table>
  );
}

interface CodeRowProps {
  code: PageCode;
  mayWrite: boolean;
  open: (step: CodeStep) => void;
}

function CodeRow({ code, mayWrite, open }: CodeRowProps) {
  const t = useTexts('codes');
  const { label, usedCount, maxUses, lastUsedAt, expiresAt, status } = code;
  return (
    <tr ref={passFocusOn}>
      <td className={classes.label}>
        <Text fw={500}>{label}</Text>
        <UsedBy code={code} />
      </td>
      <td data-name={t('code')}>
        <CodeText code={code} />
      </td>
      <td data-name={t('entered')}>
        {maxUses === null
          ? t('times', { count: usedCount })
          : t('timesOf', { count: usedCount, max: maxUses })}
      </td>
      <td data-name={t('lastUsed')}>{lastUsedAt === null ? t('never') : <TimeText at={lastUsedAt} />}</td>
      <td data-name={t('end')}>{expiresAt === null ? t('noEnd') : <EndText at={expiresAt} />}</td>
      <td data-name={t('status')}>
        <CodeStatus status={status} />
      </td>
      {mayWrite && (
        <td className={classes.action}>
          <CodeActions code={code} open={open} />
        </td>
      )}
    </tr>
  );
}

/** The rules that accept the code. Without one it opens nothing. */
function UsedBy({ code }: { code: PageCode }) {
  const t = useTexts('codes');
  const rules = useSavedRules().data?.data;
  if (!rules) return null;
  const used = rulesWithCode(rules, code.id);
  return (
    <Text size="xs" c="dimmed">
      {used.length === 0 ? t('unused') : t('usedBy', { paths: pathsIn(used) })}
    </Text>
  );
}
