import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import type { Icon } from '../icons/icon.tsx';
import { KeyHint } from '../keyboard/key-hint.tsx';

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

interface QuietButtonProps {
  label: string;
  /** The keys of its shortcut. */
  keys?: string;
  onClick: () => void;
}

/** A small button without a frame, such as one that clears filters, which may disappear when it is pressed. */
export function QuietButton({ label, keys, onClick }: QuietButtonProps) {
  return (
    <ActionButton
      variant="subtle"
      size="compact-sm"
      label={label}
      rightSection={keys && <KeyHint keys={keys} />}
      onClick={onClick}
      ref={passFocusOn}
    />
  );
}
