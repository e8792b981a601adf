import '@mantine/charts/styles.css';
import type { WebhookDeliveryCounts } from '@gatehouse/client';
import { BarChart } from '@mantine/charts';
import { axes, chart, dayText, still, withDay } from '../../../components/charts/day-axis.ts';
import { countTicks } from '../../../components/charts/ticks.ts';
import { useTexts } from '../../../languages/texts.tsx';

const height = 120;

/** How many deliveries were accepted and failed on each day. */
export function SuccessChart({ days }: WebhookDeliveryCounts) {
  const t = useTexts('webhooks');
  const maxCount = Math.max(...days.map(({ succeeded, failed }) => succeeded + failed));
  const text = days.map((day) =>
    t('successOfDay', { day: dayText(day), succeeded: day.succeeded, failed: day.failed }),
  );
  return (
    <div role="img" aria-label={text.join('. ')}>
      <BarChart
        {...chart}
        h={height}
        type="stacked"
        data={days.map(withDay)}
        {...axes(days, countTicks(maxCount))}
        series={[
          { name: 'succeeded', label: t('delivery.succeeded'), color: 'var(--gatehouse-good)' },
          { name: 'failed', label: t('delivery.failed'), color: 'var(--gatehouse-bad)' },
        ]}
        maxBarWidth={32}
        barChartProps={{ ...still, margin: { ...still.margin, bottom: 6 } }}
      />
    </div>
  );
}
