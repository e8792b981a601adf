import { Select, type SelectProps } from '@mantine/core';
import { browserTimeZone } from '../../../format/time-zone.ts';
import { useTexts } from '../../../languages/texts.tsx';

/** The time zone in which the days of the site begin and end. */
export function TimeZoneField(props: SelectProps & { value?: string }) {
  const t = useTexts('settings');
  const first = [...new Set([props.value ?? 'UTC', browserTimeZone(), 'UTC'])];
  const others = Intl.supportedValuesOf('timeZone').filter((name) => !first.includes(name));
  return (
    <Select
      {...props}
      label={t('timeZone')}
      description={t('timeZoneHelp')}
      maw="24rem"
      data={[
        { group: t('timeZoneLikely'), items: first.map(toOption) },
        { group: t('timeZoneOthers'), items: others.map(toOption) },
      ]}
      searchable
      // It gets the focus back when the buttons for saving disappear.
      openOnFocus={false}
      nothingFoundMessage={t('timeZoneUnknown')}
      allowDeselect={false}
    />
  );
}

function toOption(value: string): { value: string; label: string } {
  return { value, label: value.replaceAll('_', ' ') };
}
