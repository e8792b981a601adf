import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '../icons/icons.ts';

interface CopyTextButtonProps {
  text: string;
  /** The label before and after. */
  labels: { copy: string; copied: string };
  autoFocus?: boolean;
}

/** Copies a text, and says so. */
export function CopyTextButton({ text, labels, autoFocus = false }: CopyTextButtonProps) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={copy}
          autoFocus={autoFocus}
        >
          <span aria-live="polite">{copied ? labels.copied : labels.copy}</span>
        </Button>
      )}
    </CopyButton>
  );
}
