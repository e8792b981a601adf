import type { OperationId, OperationShape } from '@gatehouse/contract';
import { endText, untilText } from '../shared/expiry.ts';
import { table } from '../shared/output.ts';
import type { AnyShape } from './calls/site-api.ts';
import { columnsOf } from './columns.ts';
import { isExpiry } from './flags/flag-values.ts';
import type { Schema } from './flags/schema.ts';
import { headingOf, valueText } from './values.ts';

/** A list as a table. @param timeZone that of the site, if it is known */
export function tableOf(
  { id, success }: OperationShape,
  items: readonly AnyShape[],
  timeZone: string | undefined,
): string {
  const schema = (success.body as Schema | null)?.properties?.data?.items ?? {};
  const shown = columnsOf(id as OperationId, schema).map((column): TableColumn => {
    const [name, read] = typeof column === 'string' ? [column, (item: AnyShape) => item[column]] : column;
    const heading = (typeof column === 'string' ? headingOf(name) : name).toUpperCase();
    const cells = items.map((item) => toTheMinute(cellOf(name, read(item, items), timeZone)));
    return { heading, cells, width: widthOf([heading, ...cells]) };
  });
  const fitting = fit(shown, Math.max(maxWidth, process.stdout.columns ?? 0));
  return table(
    fitting.map(({ heading }) => heading),
    items.map((_, row) => fitting.map(({ cells }) => cells[row]!)),
  );
}

interface TableColumn {
  readonly heading: string;
  readonly cells: readonly string[];
  readonly width: number;
}

/** Characters. A terminal may be wider. */
const maxWidth = 120;
const minLastWidth = 12;
const gap = 2;

/** Headings of what a command can be given instead of the ID. */
const naming: ReadonlySet<string> = new Set(['EMAIL', 'NAME', 'URL', 'LAST 4', 'LABEL']);

/**
 * The columns of a table that is not too wide. One that is has no IDs of what has a name, which stands first; then the
 * texts in its last column are shortened.
 */
function fit(columns: readonly TableColumn[], width: number): readonly TableColumn[] {
  const room = (shown: readonly TableColumn[]) =>
    shown.reduce((left, column) => left - column.width - gap, width + gap);
  if (room(columns) >= 0) return columns;
  const isNamed = naming.has(columns[0]!.heading);
  const shown = isNamed ? columns.filter(({ heading }) => heading !== 'ID') : columns;
  const last = shown.at(-1)!;
  if (room(shown) >= 0 || last.heading === 'ID') return shown;
  const lastWidth = Math.max(minLastWidth, last.width + room(shown));
  return [...shown.slice(0, -1), { ...last, cells: last.cells.map((cell) => shortened(cell, lastWidth)) }];
}

function shortened(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

function widthOf(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length));
}

/** Seconds of a time matter to programs, which read JSON. */
function toTheMinute(cell: string): string {
  return cell.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d\.\d{3}Z$/, '$1Z');
}

/** One resource, with a line for each property; for each item of one with items that have no name. */
function detailsOf(resource: AnyShape, timeZone: string | undefined): string {
  if (typeof resource !== 'object' || resource === null) return cellOf('', resource, timeZone);
  const lines = Object.entries(resource).flatMap(([name, value]) => {
    const heading = headingOf(name);
    const cells = isNameless(value) ? value.map(valueText) : [cellOf(name, value, timeZone)];
    return cells.map((cell, index) => [
      index === 0 ? `${heading[0]!.toUpperCase()}${heading.slice(1)}` : '',
      cell,
    ]);
  });
  return table(lines[0] ?? [], lines.slice(1));
}

function cellOf(property: string, value: unknown, timeZone: string | undefined): string {
  if (isExpiry(property) && typeof value === 'string') return endText(value, timeZone);
  return valueText(value);
}

function isNameless(value: unknown): value is readonly object[] {
  return Array.isArray(value) && typeof value[0] === 'object' && !('name' in value[0]);
}

/** What people pass on, which is alone on the first line so that it can be copied. */
const passedOn: Partial<Record<OperationId, string>> = {
  createInvitation: 'url',
  getInvitation: 'url',
  createPageCode: 'code',
  getPageCode: 'code',
  replacePageCode: 'code',
};

/** The result of an operation: what is copied from it, and its properties. */
export function resourceText(id: OperationId, resource: AnyShape, timeZone: string | undefined): string {
  if (resource?.secret !== undefined) return secretText(resource, timeZone);
  const copied = resource?.[passedOn[id]!];
  if (!copied) return detailsOf(resource, timeZone);
  const { [passedOn[id]!]: _, ...properties } = resource;
  return [`${copied}\n`, detailsOf(properties, timeZone)].join('\n');
}

/** A new secret, which is alone on its line so that it can be copied, and what it belongs to. */
function secretText({ secret, ...resource }: AnyShape, timeZone: string | undefined): string {
  const isShownOnce = 'Copy this secret now: it is shown only once.';
  const { expiresAt } = resource;
  const until =
    expiresAt === undefined
      ? []
      : [expiresAt === null ? 'Does not expire.' : `Valid until ${untilText(expiresAt, timeZone)}.`];
  return [`${secret}\n`, isShownOnce, ...until, '', detailsOf(resource, timeZone)].join('\n');
}
