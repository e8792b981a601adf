import { locale } from '../../languages/language.ts';

/** The intervals to choose from, in minutes. */
export const intervals = [5, 15, 30, 60, 360, 720, 1_440, 10_080];

const units = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** A time in its largest whole unit: "6 hours". */
export function intervalText(minutes: number): string {
  const [unit, length] = units.find(([, length]) => minutes % length === 0) ?? (['minute', 1] as const);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / length);
}
