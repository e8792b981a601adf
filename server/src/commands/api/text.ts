import type { OperationId, OperationShape } from '@gatehouse/contract';
import { endText, untilText } from '../shared/expiry.ts';
import { table } from '../shared/output.ts';
import type { AnyShape } from './calls/site-api.ts';
import { columnsOf, headingOf } from './columns.ts';
import type { Schema } from './flags/schema.ts';

/** A list as a table. @param timeZone that of the site, if it is known */
export function tableOf(
  { id, success }: OperationShape,
  items: readonly AnyShape[],
  timeZone: string | undefined,
): string {
  const schema = (success.body as Schema | null)?.properties?.data?.items ?? {};
  const shown = columnsOf(id as OperationId, schema);
  return table(
    shown.map((column) => (typeof column === 'string' ? headingOf(column) : column[0]).toUpperCase()),
    items.map((item) =>
      shown.map((column) => {
        if (typeof column === 'string') return cellOf(column, item[column], timeZone);
        return cellOf('', column[1](item, items), timeZone);
      }),
    ),
  );
}

/** One resource, with a line for each property; for each item of one with items that have no name. */
export function detailsOf(resource: AnyShape, timeZone: string | undefined): string {
  if (typeof resource !== 'object' || resource === null) return cellOf('', resource, timeZone);
  const lines = Object.entries(resource).flatMap(([name, value]) => {
    const heading = headingOf(name);
    const cells = isNameless(value) ? value.map(nameOf) : [cellOf(name, value, timeZone)];
    return cells.map((cell, index) => [
      index === 0 ? `${heading[0]!.toUpperCase()}${heading.slice(1)}` : '',
      cell,
    ]);
  });
  return table(lines[0] ?? [], lines.slice(1));
}

function cellOf(property: string, value: unknown, timeZone: string | undefined): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (property === 'expiresAt') return endText(value as string, timeZone);
  if (Array.isArray(value)) return value.map((item) => nameOf(item)).join(', ') || '-';
  return nameOf(value);
}

function isNameless(value: unknown): value is readonly object[] {
  return Array.isArray(value) && typeof value[0] === 'object' && !('name' in value[0]);
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { name } = value as { name?: unknown };
  return typeof name === 'string' ? name : JSON.stringify(value);
}

/** A new secret, which is alone on its line so that it can be copied, and what it belongs to. */
export function secretText({ secret, ...resource }: AnyShape, timeZone: string | undefined): string {
  const isShownOnce = 'Copy this secret now: it is shown only once.';
  const { expiresAt } = resource;
  const until =
    expiresAt === undefined
      ? []
      : [expiresAt === null ? 'Does not expire.' : `Valid until ${untilText(expiresAt, timeZone)}.`];
  return [`${secret}\n`, isShownOnce, ...until, '', detailsOf(resource, timeZone)].join('\n');
}
