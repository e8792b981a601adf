import { type DateOrder, dateOrders, separatorChoices } from '@gatehouse/member-lists';
import { Select, SimpleGrid } from '@mantine/core';
import { Hint } from '../../../components/layout/hint.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import type { FilePart } from '../file/file-part.ts';
import { hasDates, hasGroupNames } from './reading-facts.tsx';
import { useSeparatorName } from './separator-name.ts';

/** How groups and dates are written: only what the chosen columns need. */
export function FormChoice({ reading, answers, answer }: FilePart) {
  const t = useTexts('add');
  const nameOf = useSeparatorName();
  const { groupSeparator, dateOrder, timeZone, clockTimeZone } = reading;
  const separators = new Set([...separatorChoices, ...(groupSeparator === null ? [] : [groupSeparator])]);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {hasGroupNames(reading) && (
          <Select
            label={t('separator')}
            placeholder={t('notChosen')}
            data={[...separators].map((value) => ({ value: `:${value}`, label: nameOf(value) }))}
            value={groupSeparator === null ? null : `:${groupSeparator}`}
            onChange={(value) => value && answer({ ...answers, groupSeparator: value.slice(1) })}
            allowDeselect={false}
          />
        )}
        {hasDates(reading) && (
          <Select
            label={t('dateOrder')}
            placeholder={t('notChosen')}
            data={dateOrders.map((value) => ({ value, label: t(`dateOrder.${value}`) }))}
            value={dateOrder}
            onChange={(value) => value && answer({ ...answers, dateOrder: value as DateOrder })}
            allowDeselect={false}
          />
        )}
      </SimpleGrid>
      {hasDates(reading) && (
        <Hint>
          {t('zone', { zone: timeZone })}{' '}
          {clockTimeZone !== timeZone && t('clockZone', { zone: clockTimeZone })}
        </Hint>
      )}
    </>
  );
}
