import { maxDomainLength } from '@gatehouse/contract/limits';
import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { FieldRow } from '../../components/forms/field-row.tsx';
import { useTexts } from '../../languages/texts.tsx';
import type { SettingsForm } from './settings-form.ts';

interface DomainRowProps {
  readonly form: SettingsForm;
  readonly list: 'hosts' | 'domains';
  readonly index: number;
  /** What the row is called while its domain is empty. */
  readonly emptyName: string;
  /** Called with what was entered. */
  readonly onEntered: (domain: string) => void;
  readonly input: Pick<TextInputProps, 'label' | 'placeholder' | 'leftSection'>;
  /** The other fields. */
  readonly children: ReactNode;
}

/** A row of a list of domains, which can be removed. */
export function DomainRow({ form, list, index, emptyName, onEntered, input, children }: DomainRowProps) {
  const t = useTexts('settings');
  const { domain } = form.values[list][index]!;
  const name = domain.trim() || emptyName;
  const inputProps = form.getInputProps(`${list}.${index}.domain`);
  return (
    <FieldRow
      name={name}
      removal={t('removeDomain', { domain: name })}
      remove={() => form.removeListItem(list, index)}
    >
      <TextInput
        {...inputProps}
        {...input}
        onBlur={(event) => {
          inputProps.onBlur(event);
          onEntered(domain);
        }}
        maxLength={maxDomainLength}
        autoCapitalize="off"
        spellCheck={false}
      />
      {children}
    </FieldRow>
  );
}
