import { maxDomainLength } from '@gatehouse/contract/limits';
import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconPlus, IconTrash } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import classes from './settings.module.css';
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
    <fieldset className={classes.domain} aria-label={name} ref={passFocusOn}>
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
      <IconAction
        icon={IconTrash}
        iconSize={18}
        className={classes.remove!}
        size="lg"
        label={t('removeDomain', { domain: name })}
        onClick={() => form.removeListItem(list, index)}
      />
    </fieldset>
  );
}

interface AddRowProps {
  readonly label: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

export function AddRow({ label, disabled, onClick }: AddRowProps) {
  return (
    <ActionButton
      icon={IconPlus}
      label={label}
      size="xs"
      style={{ alignSelf: 'start' }}
      disabled={disabled}
      onClick={onClick}
    />
  );
}
