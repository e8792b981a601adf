import type { CollectionColumns, CollectionPreview } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { isUnknownCell, ListSurvey, splitGroupNames } from '@gatehouse/member-lists';
import { columnsMissing, meansPaid, usedColumns } from '../column-values.ts';
import {
  CollectionGone,
  type CollectionReading,
  type CollectionToRead,
  previewRows,
  previewText,
  type Workspace,
  type WorkspaceCollection,
  type WorkspacePerson,
} from '../workspace.ts';
import type { ListDownload, ListVersion } from './list-download.ts';
import { listKey } from './list-key.ts';
import type { ListBytes, ListRow, ListTable, ReadTable } from './list-table.ts';

/** A CSV or TSV file at an address, as a workspace with one collection. */
export class ListWorkspace implements Workspace {
  readonly #download: ListDownload;
  /** The name of the source, which its collection has too. */
  readonly #name: string;
  readonly #readTable: ReadTable;

  constructor(download: ListDownload, name: string, readTable: ReadTable) {
    this.#download = download;
    this.#name = name;
    this.#readTable = readTable;
  }

  async *collections(): AsyncIterable<WorkspaceCollection> {
    yield { key: listKey, name: this.#name };
  }

  async preview(key: string, signal: AbortSignal): Promise<CollectionPreview> {
    if (key !== listKey) throw new CollectionGone();
    const { headings, rows } = await this.#beginning(signal);
    return {
      columns: headings.map((key, index) => ({
        ...{ key, name: key, options: [] },
        type: rows.some(({ values }) => normalizeEmail(values[index]!) !== null) ? 'email' : 'text',
      })),
      rows: rows.map(({ values }) => values.map(previewText)),
      guess: guessColumns(headings, rows),
    };
  }

  /** The headings and the first rows. */
  async #beginning(signal: AbortSignal): Promise<{ headings: readonly string[]; rows: readonly ListRow[] }> {
    const table = await this.#readTable(await this.#download.getBeginning(signal));
    try {
      const rows: ListRow[] = [];
      for await (const row of table.rows()) {
        rows.push(row);
        if (rows.length === previewRows) break;
      }
      return { headings: table.headings, rows };
    } finally {
      table.close();
    }
  }

  async read(
    { columns }: CollectionToRead,
    token: string | null,
    signal: AbortSignal,
  ): Promise<CollectionReading | undefined> {
    const known = token === null ? undefined : (JSON.parse(token) as NamedVersion);
    // A list that was renamed here is read again, so that its group gets the new name, as is one at a new address.
    const { addressHash } = this.#download;
    const isSame = known?.name === this.#name && known.addressHash === addressHash;
    const found = await this.#download.get(isSame ? known : undefined, signal);
    if (!found) return undefined;
    const version: NamedVersion | undefined = found.version && {
      name: this.#name,
      addressHash,
      ...found.version,
    };
    return {
      name: this.#name,
      token: version ? JSON.stringify(version) : null,
      isGroup: typeof columns!.groups !== 'string',
      people: this.#peopleIn(found.list, columns!),
    };
  }

  /** The list is opened when its people are read, because it takes memory until it is closed. */
  async *#peopleIn(list: ListBytes, columns: CollectionColumns): AsyncIterable<WorkspacePerson> {
    const table = await this.#readTable(list);
    try {
      yield* peopleOf(table, columns);
    } finally {
      table.close();
    }
  }
}

interface NamedVersion extends ListVersion {
  readonly name: string;
  readonly addressHash: string;
}

/** @throws {CollectionUnreadable} if a column is missing */
async function* peopleOf(table: ListTable, columns: CollectionColumns): AsyncIterable<WorkspacePerson> {
  const used = usedColumns(columns);
  const missing = used.filter((key) => !table.headings.includes(key));
  if (missing.length > 0) throw columnsMissing(missing);
  const indexOf = (key: string | null | undefined) => (key ? used.indexOf(key) : undefined);
  const indexes = {
    email: indexOf(columns.email)!,
    displayName: indexOf(columns.displayName),
    lastName: indexOf(columns.lastName),
    paid: indexOf(columns.paid),
    groups: indexOf(columns.groups),
  };
  for await (const { line, values } of table.rows(used.map((key) => table.headings.indexOf(key)))) {
    const valueAt = (index: number | undefined) => values[index ?? -1] ?? '';
    const names = [valueAt(indexes.displayName), valueAt(indexes.lastName)].filter((name) => name !== '');
    const unknownCell = values.find((value, index) => index !== indexes.email && isUnknownCell(value));
    const hasName = indexes.displayName !== undefined || indexes.lastName !== undefined;
    yield {
      place: `row ${line}`,
      email: valueAt(indexes.email),
      ...(hasName && { displayName: names.length === 0 ? null : names.join(' ') }),
      ...(indexes.paid !== undefined && { paid: meansPaid(valueAt(indexes.paid), columns) }),
      ...(indexes.groups !== undefined && { groups: splitGroupNames(valueAt(indexes.groups)) }),
      ...(unknownCell !== undefined && { unknownCell }),
    };
  }
}

/** Which columns to use, by their headings, or for addresses by their values. */
function guessColumns(headings: readonly string[], rows: readonly ListRow[]): CollectionColumns | null {
  const survey = new ListSurvey(headings);
  for (const { line, values } of rows) survey.add({ line, cells: values });
  const { columns } = survey.propose({}, { timeZone: 'UTC', groupNames: new Set() }).reading;
  const keyOf = (index: number | null) => (index === null ? null : headings[index]!);
  const email = keyOf(columns.email);
  if (email === null) return null;
  return {
    email,
    displayName: keyOf(columns.displayName ?? columns.firstName),
    lastName: keyOf(columns.lastName),
    paid: keyOf(columns.paid),
    groups: keyOf(columns.groups),
  };
}
