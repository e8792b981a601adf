import { Modal, type ModalProps } from '@mantine/core';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';

/** A dialog. Its content is created each time it opens, and the focus returns to the element that opened it. */
export function Dialog(props: ModalProps) {
  useReturnFocus(props.opened);
  return <Modal returnFocus={false} {...props} />;
}
