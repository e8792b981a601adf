import { locale } from '../../../languages/language.ts';

const milliseconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' });
const seconds = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'second',
  maximumFractionDigits: 1,
});

/** How long an answer took, as a text. */
export function durationText(duration: number): string {
  return duration < 1_000 ? milliseconds.format(duration) : seconds.format(duration / 1_000);
}
