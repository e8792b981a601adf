import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import footer from '../components/layout/dialog.module.css';
import { useTexts } from '../languages/texts.tsx';
import { focusFirst } from './focus.ts';

export interface Question {
  title: string;
  /** The consequence, which cannot be undone. */
  children: ReactNode;
  /** The label of the confirm button, such as "Delete 12 members". */
  confirm: string;
  /** False for an action that destroys nothing. */
  danger?: boolean;
}

/** Asks for confirmation: `if (await confirm({ … })) …`. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const t = useTexts('common');
  return ({ title, children, confirm, danger = true }) =>
    new Promise((resolve) => {
      const opener = document.activeElement;
      // Closed first, because the action may remove the element that opened it.
      const answer = (isSure: boolean) => {
        focusFirst(opener);
        resolve(isSure);
      };
      modals.openConfirmModal({
        title,
        children: <Text component="div">{children}</Text>,
        labels: { confirm, cancel: t('cancel') },
        confirmProps: danger ? { color: 'red' } : {},
        // Enter alone must not destroy anything.
        cancelProps: { 'data-autofocus': danger || undefined },
        groupProps: { className: footer.footer!, mod: 'footer' },
        onConfirm: () => answer(true),
        onCancel: () => answer(false),
        onClose: () => answer(false),
      });
    });
}
