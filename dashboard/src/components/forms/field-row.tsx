import { Fieldset } from '@mantine/core';
import type { ReactNode } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import { IconPlus, IconTrash } from '../icons/icons.ts';
import { ActionButton } from '../layout/action-button.tsx';
import { IconAction } from '../layout/icon-action.tsx';
import classes from './field-row.module.css';

interface FieldRowProps {
  /** What the fields are about. */
  name: string;
  /** The label of the button that removes the row. */
  removal: string;
  remove: () => void;
  /** Two fields with labels. */
  children: ReactNode;
}

/** A row of a list of fields, which can be removed. */
export function FieldRow({ name, removal, remove, children }: FieldRowProps) {
  return (
    <Fieldset variant="unstyled" className={classes.row!} aria-label={name} ref={passFocusOn}>
      {children}
      <IconAction icon={IconTrash} className={classes.remove!} label={removal} onClick={remove} />
    </Fieldset>
  );
}

interface AddRowProps {
  label: string;
  disabled: boolean;
  onClick: () => void;
}

/** Adds a row to a list of fields. */
export function AddRow({ label, disabled, onClick }: AddRowProps) {
  return (
    <div>
      <ActionButton icon={IconPlus} label={label} size="xs" disabled={disabled} onClick={onClick} />
    </div>
  );
}
