import '@mantine/charts/styles.css';
import type { Overview } from '@gatehouse/client';
import { AreaChart, BarChart } from '@mantine/charts';
import { SimpleGrid } from '@mantine/core';
import { Section } from '../../components/layout/section.tsx';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { type Day, sumOf, toGrowth } from './growth.ts';
import { countTicks, weekTicks } from './ticks.ts';

const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numberFormat = new Intl.NumberFormat(locale);

/** Charts of the number of members and of logins, by day. */
export function DayCharts({ overview: { members, days } }: { overview: Overview }) {
  const t = useTexts('overview');
  const growth = toGrowth(members.total, days);
  const newMembers = t('growthText', { count: sumOf(days, 'created') });
  const logins = t('loginsText', { count: sumOf(days, 'logins') });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Section title={t('growth')} description={newMembers}>
        <div role="img" aria-label={`${t('growth')}: ${newMembers}`}>
          <AreaChart
            {...chart}
            data={growth.map(withDay)}
            {...axes(days, members.total)}
            series={[{ name: 'members', label: t('growth'), color: 'var(--mantine-primary-color-filled)' }]}
            curveType="linear"
            withDots={false}
            withGradient={false}
            fillOpacity={0.12}
            areaChartProps={still}
          />
        </div>
      </Section>
      <Section title={t('logins')} description={logins}>
        <div role="img" aria-label={`${t('logins')}: ${logins}`}>
          <BarChart
            {...chart}
            data={days.map(withDay)}
            {...axes(days, Math.max(0, ...days.map(({ logins }) => logins)))}
            series={[{ name: 'logins', label: t('logins'), color: 'var(--mantine-primary-color-filled)' }]}
            barChartProps={still}
          />
        </div>
      </Section>
    </SimpleGrid>
  );
}

const chart = {
  h: 190,
  dataKey: 'day',
  gridAxis: 'x',
  tickLine: 'none',
  valueFormatter: (value: number) => numberFormat.format(value),
} as const;

/** Evenly spaced ticks, with enough space for the labels. */
function axes(days: readonly Day[], max: number) {
  const counts = countTicks(max);
  return {
    xAxisProps: { ticks: weekTicks(days).map((day) => withDay(day).day), interval: 0 },
    yAxisProps: {
      ticks: counts,
      domain: [0, counts.at(-1)!],
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

function withDay<Each extends Pick<Day, 'date'>>(day: Each) {
  return { ...day, day: dayFormat.format(new Date(`${day.date}T00:00:00Z`)) };
}
