import type { ComponentPropsWithRef, MouseEvent } from 'react';

type ButtonProps = ComponentPropsWithRef<'button'> & { 'data-loading'?: boolean; 'data-disabled'?: boolean };

/**
 * The element of all buttons. Mantine disables a button while its action runs, and keyboard users lose the focus.
 * This button keeps the focus and ignores further presses.
 */
export function focusableButton({ disabled: _, onClick, ...props }: ButtonProps) {
  const { 'data-loading': loading, 'data-disabled': disabled = false } = props;
  return (
    <button
      {...props}
      disabled={disabled}
      aria-disabled={loading}
      onClick={loading ? preventDefault : onClick}
    />
  );
}

function preventDefault(event: MouseEvent): void {
  event.preventDefault();
}
