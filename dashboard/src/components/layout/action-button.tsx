import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
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
