import { VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useTexts } from '../../languages/texts.tsx';
import { IconCheck, IconCopy } from '../icons/icons.ts';
import classes from './copy-id.module.css';
import { IconAction } from './icon-action.tsx';

interface CopyIdProps {
  id: string;
  /** What it is, such as "Member ID". */
  label: string;
}

/** The id of an object, shortened, with a button that copies it whole. */
export function CopyId({ id, label }: CopyIdProps) {
  const t = useTexts('common');
  const { copy, copied } = useClipboard();
  return (
    <span className={classes.id}>
      <code title={id}>{shortened(id)}</code>
      <IconAction
        icon={copied ? IconCheck : IconCopy}
        iconSize={14}
        size="sm"
        label={t('copyThis', { what: label })}
        title={t('copyThis', { what: label })}
        onClick={() => copy(id)}
      />
      <VisuallyHidden role="status">{copied && t('copied')}</VisuallyHidden>
    </span>
  );
}

/** The beginning and the end: ids that were made one after the other begin alike. */
function shortened(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}
