import '@mantine/charts/styles.css';
import type { Overview } from '@gatehouse/client';
import { AreaChart, BarChart } from '@mantine/charts';
import { SimpleGrid } from '@mantine/core';
import { language } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { Section } from '../../parts/section.tsx';
import { type Day, sumOf, toGrowth } from './growth.ts';

const dayFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numberFormat = new Intl.NumberFormat(language);

/** How the site grew, and how often people logged in, day by day. */
export function DayCharts({ overview: { members, days } }: { overview: Overview }) {
  const t = useTexts('overview');
  const newMembers = t('growthText', { count: sumOf(days, 'created') });
  const logins = t('loginsText', { count: sumOf(days, 'logins') });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Section title={t('growth')} description={newMembers}>
        <div role="img" aria-label={`${t('growth')}: ${newMembers}`}>
          <AreaChart
            {...chart}
            data={toGrowth(members.total, days).map(withDay)}
            series={[{ name: 'members', label: t('growth'), color: 'teal.6' }]}
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
            series={[{ name: 'logins', label: t('logins'), color: 'teal.6' }]}
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
  xAxisProps: { minTickGap: 32 },
  yAxisProps: { allowDecimals: false, width: 40 },
  valueFormatter: (value: number) => numberFormat.format(value),
} as const;

/** A chart says in words what it shows, and takes no part in the order of the keyboard. */
const still = { accessibilityLayer: false };

function withDay<Each extends Pick<Day, 'date'>>(day: Each) {
  return { ...day, day: dayFormat.format(new Date(`${day.date}T00:00:00Z`)) };
}
