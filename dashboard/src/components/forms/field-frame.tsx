import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import classes from './field-frame.module.css';

/** Fields that belong together, such as one of several conditions. */
export function FieldFrame({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset ref={passFocusOn} className={classes.frame}>
      <legend>{legend}</legend>
      <Stack gap="sm">{children}</Stack>
    </fieldset>
  );
}
