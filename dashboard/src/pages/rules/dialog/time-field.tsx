import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { fromLocalTime, localTimeLimits, toLocalTime } from '../../../format/local-time.ts';
import { invalidTime } from '../conditions/alternative-values.ts';

interface TimeFieldProps extends Pick<TextInputProps, 'label' | 'description' | 'error'> {
  /** The name in the form. */
  name: string;
  value: string | null;
  onChange: (at: string | null) => void;
}

/** A date and a time in the viewer's time zone. A time that is not edited remains exactly as it is. */
export function TimeField({ value, onChange, ...props }: TimeFieldProps) {
  const [local, setLocal] = useState(value === null ? '' : toLocalTime(value));
  return (
    <TextInput
      {...props}
      {...localTimeLimits}
      type="datetime-local"
      value={local}
      onChange={({ currentTarget: { value: chosen } }) => {
        setLocal(chosen);
        onChange(chosen === '' ? null : (fromLocalTime(chosen) ?? invalidTime));
      }}
    />
  );
}

/** The names of the fields with a part of a date or time, for which browsers report no value. */
export function unfinishedTimes(form: HTMLFormElement): string[] {
  return [...form.elements].flatMap((element) =>
    element instanceof HTMLInputElement && element.validity.badInput ? [element.name] : [],
  );
}
