import '@mantine/charts/styles.css';
import type { Overview } from '@gatehouse/client';
import { AreaChart, BarChart } from '@mantine/charts';
import { SimpleGrid } from '@mantine/core';
import { Section } from '../../../components/layout/section.tsx';
import { chartHeight } from '../../../components/layout/skeletons.tsx';
import { locale } from '../../../languages/language.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { loginsOf } from '../changes.ts';
import { countTicks, dayTicks, rangeTicks } from './ticks.ts';

type Day = Overview['days'][number];

const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numberFormat = new Intl.NumberFormat(locale);

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
          data={days.map(withDay)}
          {...axes(days, countTicks(Math.max(...days.map(({ logins }) => logins))))}
          series={[{ name: 'logins', label: t('logins'), color: 'var(--mantine-primary-color-filled)' }]}
          barChartProps={still}
        />
      </div>
    </Section>
  );
}

const chart = {
  h: chartHeight,
  dataKey: 'day',
  gridAxis: 'x',
  tickLine: 'none',
  valueFormatter: (value: number) => numberFormat.format(value),
} as const;

/** Evenly spaced ticks, with enough space for the labels. */
function axes(days: Day[], counts: readonly number[]) {
  return {
    xAxisProps: { ticks: dayTicks(days).map((day) => withDay(day).day), interval: 0 },
    yAxisProps: {
      ticks: [...counts],
      domain: [counts[0]!, counts.at(-1)!],
      interval: 0,
      width: 'auto' as const,
      // Mantine moves them out of the chart.
      tick: { fontSize: 12, fill: 'currentColor' },
      tickMargin: 8,
    },
  };
}

/** A chart with a text alternative, which is not in the keyboard order. Its labels stay within the chart. */
const still = { accessibilityLayer: false, margin: { top: 10, right: 8, bottom: 0, left: 0 } };

function withDay(day: Day) {
  return { ...day, day: dayFormat.format(new Date(`${day.date}T00:00:00Z`)) };
}
