import { ActionIcon, type ActionIconProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import type { Icon } from '../icons/icon.tsx';

type IconActionProps = ActionIconProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> & {
    icon: Icon;
    iconSize?: number;
    label: string;
  };

/** A quiet button that shows an icon, and says its label to screen readers. */
export function IconAction({ icon: Icon, iconSize = 16, label, ...props }: IconActionProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
      <Icon size={iconSize} aria-hidden />
    </ActionIcon>
  );
}
