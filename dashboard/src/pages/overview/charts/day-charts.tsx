import '@mantine/charts/styles.css';
import type { Overview } from '@gatehouse/client';
import { AreaChart, BarChart } from '@mantine/charts';
import { SimpleGrid } from '@mantine/core';
import { axes, chart, still, withDay } from '../../../components/charts/day-axis.ts';
import { countTicks, rangeTicks } from '../../../components/charts/ticks.ts';
import { Section } from '../../../components/layout/section.tsx';
import { chartHeight } from '../../../components/layout/skeletons.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { loginsOf } from '../changes.ts';

type Day = Overview['days'][number];

/** Charts of the number of members and of logins, by day. */
export function DayCharts({ days }: { days: Day[] }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <GrowthChart days={days} />
      <LoginChart days={days} />
    </SimpleGrid>
  );
}

function GrowthChart({ days }: { days: Day[] }) {
  const t = useTexts('overview');
  const counts = days.map(({ members }) => members);
  const text = t('growthText', { from: counts[0]!, to: counts.at(-1)! });
  return (
    <Section title={t('growth')}>
      <div role="img" aria-label={`${t('growth')}: ${text}`}>
        <AreaChart
          {...chart}
          h={chartHeight}
          data={days.map(withDay)}
          {...axes(days, rangeTicks(counts))}
          series={[{ name: 'members', label: t('growth'), color: 'var(--mantine-primary-color-filled)' }]}
          curveType="linear"
          withDots={false}
          fillOpacity={0.2}
          areaChartProps={still}
        />
      </div>
    </Section>
  );
}

function LoginChart({ days }: { days: Day[] }) {
  const t = useTexts('overview');
  const text = t('loginsText', { count: loginsOf(days), days: days.length });
  return (
    <Section title={t('logins')}>
      <div role="img" aria-label={`${t('logins')}: ${text}`}>
        <BarChart
          {...chart}
          h={chartHeight}
          data={days.map(withDay)}
          {...axes(days, countTicks(Math.max(...days.map(({ logins }) => logins))))}
          series={[{ name: 'logins', label: t('logins'), color: 'var(--mantine-primary-color-filled)' }]}
          barChartProps={still}
        />
      </div>
    </Section>
  );
}
