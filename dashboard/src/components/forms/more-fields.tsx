import { Stack, UnstyledButton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { IconChevronDown } from '../icons/icons.ts';
import classes from './more-fields.module.css';

interface MoreFieldsProps {
  label: string;
  /** Says briefly what is inside. */
  description?: string;
  isOpen: boolean;
  toggle: () => void;
  children: ReactNode;
}

/** The fields of a form that few need, behind a button. */
export function MoreFields({ label, description, isOpen, toggle, children }: MoreFieldsProps) {
  const id = useId();
  return (
    <div>
      <UnstyledButton className={classes.toggle!} aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <IconChevronDown size={16} aria-hidden />
        {label}
        {!isOpen && description && <span className={classes.description}>{description}</span>}
      </UnstyledButton>
      <div id={id} hidden={!isOpen}>
        <Stack pt="sm">{children}</Stack>
      </div>
    </div>
  );
}
