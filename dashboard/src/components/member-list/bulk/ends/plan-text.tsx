import { Stack, Text } from '@mantine/core';
import { endText } from '../../../../format/ends.ts';
import { useTexts } from '../../../../languages/texts.tsx';
import { useSite } from '../../../../session/site.ts';
import { Hint } from '../../../layout/hint.tsx';
import type { EndsPlan } from './plan.ts';

interface PlanTextProps {
  plan: EndsPlan;
  group: string;
  /** Selected members who are not in the group. */
  others: number;
}

/** What a change of ends will do, in numbers. Screen readers read it when it changes. */
export function PlanText({ plan, group, others }: PlanTextProps) {
  const t = useTexts('ends');
  const { changed, unchanged, earlier } = plan;
  return (
    <Stack gap={4} role="status">
      <Text fw={500} size="sm">
        {useSentence(plan, group)}
      </Text>
      {earlier > 0 && <Hint>{t('plan.earlier', { count: earlier })}</Hint>}
      {changed > 0 && unchanged > 0 && <Hint>{t('plan.unchanged', { count: unchanged })}</Hint>}
      {others > 0 && <Hint>{t('plan.others', { count: others, group })}</Hint>}
    </Stack>
  );
}

function useSentence({ changed: count, first, last }: EndsPlan, group: string): string {
  const t = useTexts('ends');
  const { timeZone } = useSite();
  if (count === 0) return t('plan.nothing', { group });
  if (first === null || last === null) return t('plan.none', { count, group });
  const day = endText(first, timeZone);
  const lastDay = endText(last, timeZone);
  if (day === lastDay) return t('plan.day', { count, group, day });
  return t('plan.days', { count, group, first: day, last: lastDay });
}
