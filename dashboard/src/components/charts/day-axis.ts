import { locale } from '../../languages/language.ts';
import { dayTicks } from './ticks.ts';

interface Day {
  /** Such as `2026-01-31`. */
  readonly date: string;
}

const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numberFormat = new Intl.NumberFormat(locale);

/** What the charts of numbers by day have in common. */
export const chart = {
  dataKey: 'day',
  gridAxis: 'x',
  tickLine: 'none',
  // Until it has been drawn again, it may be wider than a window that has become narrower.
  style: { overflowX: 'clip' },
  valueFormatter: (value: number) => numberFormat.format(value),
} as const;

/** Evenly spaced ticks, with enough space for the labels. */
export function axes(days: readonly Day[], counts: readonly number[]) {
  return {
    xAxisProps: { ticks: dayTicks(days).map(dayText), interval: 0 },
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
export const still = { accessibilityLayer: false, margin: { top: 10, right: 8, bottom: 0, left: 0 } };

export function withDay<Item extends Day>(day: Item): Item & { day: string } {
  return { ...day, day: dayText(day) };
}

export function dayText({ date }: Day): string {
  return dayFormat.format(new Date(`${date}T00:00:00Z`));
}
