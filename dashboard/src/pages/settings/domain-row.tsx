import { maxDomainLength } from '@gatehouse/contract/limits';
import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { FieldRow } from '../../components/forms/field-row.tsx';
import { useTexts } from '../../languages/texts.tsx';

interface DomainRowProps {
  readonly name: string;
  readonly remove: () => void;
  /** Called when the field of the domain is left. */
  readonly onEntered: () => void;
  readonly input: TextInputProps;
  /** The other fields. */
  readonly children: ReactNode;
}

/** A row of a list of domains, which can be removed. */
export function DomainRow({ name, remove, onEntered, input, children }: DomainRowProps) {
  const t = useTexts('settings');
  return (
    <FieldRow name={name} removal={t('removeDomain', { domain: name })} remove={remove}>
      <TextInput
        {...input}
        onBlur={(event) => {
          input.onBlur?.(event);
          onEntered();
        }}
        maxLength={maxDomainLength}
        autoCapitalize="off"
        spellCheck={false}
      />
      {children}
    </FieldRow>
  );
}
