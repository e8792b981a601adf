import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { IconAlertTriangle } from '../icons/icons.ts';
import { ActionButton } from '../layout/action-button.tsx';

export interface ErrorNoteProps {
  error: unknown;
  /** Leave it out if the button that failed is still visible. */
  retry?: (() => void) | undefined;
  /** Without a box, for use inside another one. */
  isPlain?: boolean;
}

interface ErrorBoxProps {
  title: string;
  retry?: (() => void) | undefined;
  /** Whether to load the whole page again, instead of trying it again. */
  reload?: boolean;
  /** Without a box, for use inside another one. */
  isPlain?: boolean;
  children?: ReactNode;
}

/** What failed, more about it, and one button with what to do next. */
export function ErrorBox({ title, retry, reload = false, isPlain = false, children }: ErrorBoxProps) {
  const t = useTexts('common');
  const shell = useTexts('shell');
  return (
    <Alert
      color="red"
      variant={isPlain ? 'transparent' : 'light'}
      {...(isPlain && { p: 4 })}
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
      title={title}
    >
      {(children || retry || reload) && (
        <Stack gap="xs" align="flex-start">
          {children}
          {retry && <ActionButton label={t('retry')} size="xs" onClick={retry} ref={passFocusOn} />}
          {reload && <ActionButton label={shell('reload')} size="xs" onClick={() => location.reload()} />}
        </Stack>
      )}
    </Alert>
  );
}
