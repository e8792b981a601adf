import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';
import { useIsConfirmingLogin } from '../../session/recent-login.ts';
import classes from './dialog.module.css';

/** A dialog. Its content is created each time it opens, and the focus returns to the element that opened it. */
export function Dialog(props: ModalProps) {
  useReturnFocus(props.opened);
  // The question is above this dialog, and Escape must not end both.
  const isAsking = useIsConfirmingLogin();
  return <Modal returnFocus={false} closeOnEscape={!isAsking} {...props} />;
}

/** The buttons of a dialog, the last part of its content. They stay while what is above them scrolls. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className={classes.footer} data-footer>
      {children}
    </div>
  );
}
