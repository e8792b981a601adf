import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { latePart } from '../../../components/late-part.ts';
import { locale } from '../../../languages/language.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useSite } from '../../../session/site.ts';
import { successRate } from './success-rate.ts';

const SuccessChart = latePart(async () => (await import('./success-chart.tsx')).SuccessChart);
const chartHeight = 120;
const idleMilliseconds = 60_000;
const percentFormat = new Intl.NumberFormat(locale, { style: 'percent' });

/** How many deliveries of the last days were accepted, in words and by day. Nothing if there were none. */
export function DeliverySuccess({ webhookId }: { webhookId: string }) {
  const t = useTexts('webhooks');
  const days = useDeliveryCounts(webhookId)?.days ?? [];
  const { rate, count } = successRate(days);
  if (count === 0) return null;
  return (
    <Stack gap="xs" mb="lg">
      <Text>{t('success', { rate: percentFormat.format(rate), count, days: days.length })}</Text>
      <Suspense fallback={<Skeleton height={chartHeight} />}>
        <SuccessChart days={days} />
      </Suspense>
    </Stack>
  );
}

/** How many attempts succeeded and failed, in the days of the site. */
function useDeliveryCounts(webhookId: string) {
  const { gatehouse, keys } = useSiteApi();
  const { timeZone } = useSite();
  const { data } = useQuery({
    queryKey: keys.webhooks.deliveryCounts(webhookId, timeZone),
    queryFn: ({ signal }) => gatehouse.webhooks.deliveries.count(webhookId, { timeZone }, { signal }),
    refetchInterval: idleMilliseconds,
  });
  return data;
}
