import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useTexts } from '../languages/texts.tsx';

export interface Question {
  title: string;
  /** What will have happened; it cannot be undone. */
  children: ReactNode;
  /** The button that does it, named by what it does: "Delete 12 members". */
  confirm: string;
  /** False for what is not destructive. */
  danger?: boolean;
}

/** Asks before what cannot be undone: `if (await confirm({ … })) …`. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const t = useTexts('parts');
  return ({ title, children, confirm, danger = true }) =>
    new Promise((resolve) => {
      modals.openConfirmModal({
        title,
        children: <Text component="div">{children}</Text>,
        labels: { confirm, cancel: t('cancel') },
        confirmProps: danger ? { color: 'red' } : {},
        // Enter must not destroy anything by itself.
        cancelProps: { 'data-autofocus': danger || undefined },
        onConfirm: () => resolve(true),
        onCancel: () => resolve(false),
        onClose: () => resolve(false),
      });
    });
}
