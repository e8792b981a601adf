import { expect } from 'vitest';

/** A value of the text format of Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

/**
 * Reads metrics as strictly as the format allows: each metric has its help, its type and its values once and together, and
 * the buckets of a histogram are cumulative.
 */
export function readExposition(text: string): Family[] {
  expect(text.endsWith('\n')).toBe(true);
  const families: { name: string; help: string; type: string; samples: Sample[] }[] = [];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const help = /^# HELP (\S+) (.+)$/.exec(line);
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (help) families.push({ name: help[1]!, help: help[2]!, type: '', samples: [] });
    else if (type) {
      expect([type[1], families.at(-1)!.type]).toEqual([families.at(-1)!.name, '']);
      families.at(-1)!.type = type[2]!;
    } else families.at(-1)!.samples.push(readSample(line));
  }
  const names = families.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  for (const family of families) checkFamily(family);
  return families;
}

function readSample(line: string): Sample {
  const [, name, labelText = '', value] = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
  expect(name, line).toBeDefined();
  const labels: Record<string, string> = {};
  const rest = labelText.replaceAll(/([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\.)*)",?/gi, (_, key, text) => {
    expect(labels, line).not.toHaveProperty(key);
    labels[key] = text;
    return '';
  });
  expect(rest, line).toBe('');
  const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
  // Node has no percentile of the event loop before the first sample.
  if (!name!.startsWith('nodejs_')) expect(number, line).not.toBeNaN();
  return { name: name!, labels, value: number };
}

function checkFamily({ name, type, samples }: Family): void {
  expect(type, name).not.toBe('');
  const keys = samples.map((sample) => JSON.stringify([sample.name, sample.labels]));
  expect(keys, name).toEqual([...new Set(keys)]);
  if (type !== 'histogram') {
    for (const sample of samples) expect(sample.name).toBe(name);
    return;
  }
  const series = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  for (const parts of series.values()) {
    const buckets = parts.filter((part) => part.name === `${name}_bucket`);
    expect(parts.slice(buckets.length).map((part) => part.name)).toEqual([`${name}_sum`, `${name}_count`]);
    expect(buckets.at(-1)!.labels.le).toBe('+Inf');
    for (const [index, { labels, value }] of buckets.slice(1).entries()) {
      expect(value).toBeGreaterThanOrEqual(buckets[index]!.value);
      expect(toBound(labels.le!)).toBeGreaterThan(toBound(buckets[index]!.labels.le!));
    }
    expect(parts.at(-1)!.value).toBe(buckets.at(-1)!.value);
  }
}

function toBound(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
}
