import { Modal, type ModalProps } from '@mantine/core';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';
import { useIsConfirmingLogin } from '../../session/recent-login.ts';

/** A dialog. Its content is created each time it opens, and the focus returns to the element that opened it. */
export function Dialog(props: ModalProps) {
  useReturnFocus(props.opened);
  // The question is above this dialog, and Escape must not end both.
  const isAsking = useIsConfirmingLogin();
  return <Modal returnFocus={false} closeOnEscape={!isAsking} {...props} />;
}
