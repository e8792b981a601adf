import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import type { Icon } from '../icons/icon.tsx';

type ActionButtonProps = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps | 'children'> & {
    label: string;
    icon?: Icon;
  };

/** A button for an action. It is a quiet one, unless `variant` says otherwise. */
export function ActionButton({ label, icon: Icon, ...props }: ActionButtonProps) {
  const iconSize = props.size === undefined ? 16 : 14;
  return (
    <Button variant="default" leftSection={Icon && <Icon size={iconSize} aria-hidden />} {...props}>
      {label}
    </Button>
  );
}

/** A small button without a frame, such as one that clears filters, which may disappear when it is pressed. */
export function QuietButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionButton variant="subtle" size="compact-sm" label={label} onClick={onClick} ref={passFocusOn} />
  );
}
