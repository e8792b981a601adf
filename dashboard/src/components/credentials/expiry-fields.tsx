import { Group, Select, type SelectProps, TextInput, type TextInputProps } from '@mantine/core';
import { maxDay, today } from '../../format/days.ts';
import { locale } from '../../languages/language.ts';
import { loadTexts, useTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';
import { type Expiry, expiries } from './expiry.ts';

interface ExpiryFieldsProps {
  readonly expiry: Expiry;
  readonly expiryInput: SelectProps;
  readonly dayInput: TextInputProps;
}

const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });

loadTexts('credentials').catch(() => {});

/** How long a key or token is valid. */
export function ExpiryFields({ expiry, expiryInput, dayInput }: ExpiryFieldsProps) {
  const t = useTexts('credentials');
  const { timeZone } = useSite();
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
        <TextInput {...dayInput} type="date" label={t('lastDay')} min={today(timeZone)} max={maxDay} />
      )}
    </Group>
  );
}
