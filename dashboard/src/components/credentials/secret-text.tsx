import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { loadTexts, useTexts } from '../../languages/texts.tsx';
import { CodeBlock } from '../code/code-block.tsx';
import { CopyTextButton } from '../code/copy-button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { DialogFooter } from '../layout/dialog.tsx';

interface SecretTextProps {
  readonly secret: string;
  /** What the secret is, for assistive technology. */
  readonly label: string;
  readonly warning: string;
  /** What stands beside the button that copies the secret. */
  readonly children: ReactNode;
}

// A dialog with a secret is opened later, and should not wait for its texts.
loadTexts('credentials').catch(() => {});

/** Shows a secret that is not shown again, in a dialog. */
export function SecretText({ secret, label, warning, children }: SecretTextProps) {
  const t = useTexts('credentials');
  return (
    <Stack>
      <Notice state="attention">{warning}</Notice>
      <CodeBlock label={label}>{secret}</CodeBlock>
      <DialogFooter>
        {children}
        {/* It may replace the form in a dialog that is already open. */}
        <CopyTextButton text={secret} labels={{ copy: t('copy'), copied: t('copied') }} autoFocus />
      </DialogFooter>
    </Stack>
  );
}
