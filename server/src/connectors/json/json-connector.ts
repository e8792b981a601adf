import { csvRow } from '@gatehouse/member-lists';
import type { Connector } from '../../domain/sources/workspaces/connector.ts';
import { CollectionUnreadable } from '../../domain/sources/workspaces/workspace.ts';
import type { ConnectorParts } from '../connector-parts.ts';
import { listConnector } from '../list/list-connector.ts';
import type { ListBytes, ReadTable } from '../list/list-table.ts';

/** JSON is parsed at once, which must not delay others. */
const maxJsonBytes = 4 * 1024 * 1024;

/** Connects sources to JSON files at a URL: an array of objects, one for each person, whose names are the columns. */
export function jsonConnector(parts: ConnectorParts): Connector {
  const readTable: ReadTable = async (json) => {
    const read = parts.readTable ?? (await import('../list/list-table.ts')).readTable;
    return read({ parts: [new TextEncoder().encode(csvOf(json))], isBeginning: false });
  };
  return listConnector({ ...parts, readTable });
}

function csvOf({ parts, isBeginning }: ListBytes): string {
  const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
  if (isBeginning || bytes > maxJsonBytes) throw tooLarge();
  const people = peopleIn(Buffer.concat(parts).toString('utf8'));
  const headings = [...new Set(people.flatMap((person) => Object.keys(person)))];
  const rows = people.map((person) => headings.map((heading) => textOf(person[heading])));
  return [headings, ...rows].map((row) => csvRow(row)).join('\r\n');
}

function peopleIn(text: string): Record<string, unknown>[] {
  try {
    const people: unknown = JSON.parse(text);
    if (Array.isArray(people) && people.every(isObject)) return people;
  } catch {
    // Not JSON.
  }
  throw new CollectionUnreadable(
    'rejected',
    'The URL does not lead to JSON with an array of objects. Correct it.',
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Several values are separated like the groups in a list. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  return value === null || value === undefined || isObject(value) ? '' : String(value);
}

function tooLarge(): CollectionUnreadable {
  return new CollectionUnreadable('too_large', 'The JSON is too large. Split it into several files.');
}
