/** Days between labels: every other day of a week, weeks of a month, and three weeks of a quarter. */
const distances = [2, 7, 21];
const maxDayTicks = 4;

/** The days that are labeled below a chart: evenly spaced, with the same distance to both ends, which have no label. */
export function dayTicks<Item>(days: readonly Item[]): Item[] {
  const between = distances.find((each) => days.length / each <= maxDayTicks + 1) ?? distances.at(-1)!;
  const count = Math.min(Math.floor(Math.max(days.length - 2, 0) / between), maxDayTicks - 1);
  const first = Math.floor((days.length - 1 - count * between) / 2);
  return days.filter((_, index) => {
    const steps = (index - first) / between;
    return Number.isInteger(steps) && steps >= 0 && steps <= count;
  });
}

/** Whole numbers from 0 to at least `max`, evenly spaced, at most five of them. */
export function countTicks(max: number): number[] {
  return ticksBetween(0, Math.max(max, 1), stepFor(max));
}

/**
 * Whole numbers around all of these, evenly spaced, at most six of them: where a large number grows by little, they do not begin
 * at 0, so that the growth can be seen.
 */
export function rangeTicks(numbers: readonly number[]): number[] {
  const min = Math.min(...numbers);
  const max = Math.max(...numbers);
  const step = stepFor(max - min);
  return min < max ? ticksBetween(min, max, step) : ticksBetween(Math.max(min - 1, 0), max + 1, step);
}

/** The smallest of 1, 2, 5, 10, 20, … that divides a distance into at most four parts. */
function stepFor(distance: number): number {
  const rough = Math.max(distance / 4, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
}

function ticksBetween(min: number, max: number, step: number): number[] {
  const first = Math.floor(min / step);
  const last = Math.ceil(max / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
