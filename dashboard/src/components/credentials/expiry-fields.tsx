import { Group, Select, type SelectProps, type TextInputProps } from '@mantine/core';
import { locale } from '../../languages/language.ts';
import { loadTexts, useTexts } from '../../languages/texts.tsx';
import { LastDayInput } from '../last-day-input.tsx';
import { type Expiry, expiries } from './expiry.ts';

interface ExpiryFieldsProps {
  readonly expiry: Expiry;
  readonly expiryInput: SelectProps;
  readonly dayInput: Omit<TextInputProps, 'description'>;
}

const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });

loadTexts('credentials').catch(() => {});

/** How long a key or token is valid. */
export function ExpiryFields({ expiry, expiryInput, dayInput }: ExpiryFieldsProps) {
  const t = useTexts('credentials');
  const label = (value: Expiry) => {
    if (value === 'never') return t('never');
    return value === 'day' ? t('otherDay') : days.format(Number(value));
  };
  return (
    <Group align="flex-start" grow>
      <Select
        {...expiryInput}
        label={t('expiry')}
        data={expiries.map((value) => ({ value, label: label(value) }))}
        allowDeselect={false}
      />
      {expiry === 'day' && (
        <LastDayInput
          {...dayInput}
          label={t('lastDay')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      )}
    </Group>
  );
}
