/** The days that are labeled below a chart: a week apart, with the same distance to both ends. */
export function weekTicks<Item>(days: readonly Item[]): Item[] {
  const week = 7;
  const weeks = Math.max(Math.floor((days.length - 1) / week) - 1, 0);
  const first = Math.floor((days.length - 1 - weeks * week) / 2);
  return days.filter(
    (_, index) => index >= first && index <= first + weeks * week && (index - first) % week === 0,
  );
}

/** Whole numbers from 0 to at least `max`, evenly spaced, at most five of them. */
export function countTicks(max: number): number[] {
  const rough = Math.max(max / 4, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  return Array.from({ length: Math.max(Math.ceil(max / step), 1) + 1 }, (_, index) => index * step);
}
