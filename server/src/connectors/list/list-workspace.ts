import type { CollectionColumns, CollectionPreview } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { knownExport, type SiteOfList } from '@gatehouse/member-lists';
import type { Clock } from '../../base/clock.ts';
import {
  CollectionGone,
  type CollectionReading,
  type CollectionToRead,
  previewRows,
  previewText,
  type Workspace,
  type WorkspaceCollection,
  type WorkspacePerson,
} from '../../domain/sources/workspaces/workspace.ts';
import { columnsMissing } from '../columns.ts';
import type { ListDownload, ListVersion } from './list-download.ts';
import { answersOf, listKey, mappingOf, missingColumns, toCollectionQuestion } from './list-mapping.ts';
import { isGroup, type ListPeopleReading } from './list-people.ts';
import type { ListBytes, ListRow, ListTable, ReadTable } from './list-table.ts';

/** A CSV or TSV file at an address, as a workspace with one collection. */
export class ListWorkspace implements Workspace {
  readonly #download: ListDownload;
  /** The name of the source, which its collection has too. */
  readonly #name: string;
  readonly #site: SiteOfList;
  readonly #readTable: ReadTable;
  readonly #now: Clock;

  constructor(
    download: ListDownload,
    name: string,
    { site, readTable, clock }: { site: SiteOfList; readTable: ReadTable; clock: Clock },
  ) {
    this.#download = download;
    this.#name = name;
    this.#site = site;
    this.#readTable = readTable;
    this.#now = clock;
  }

  async *collections(): AsyncIterable<WorkspaceCollection> {
    yield { key: listKey, name: this.#name };
  }

  async preview(key: string, signal: AbortSignal): Promise<CollectionPreview> {
    if (key !== listKey) throw new CollectionGone();
    const table = await this.#readTable(await this.#download.getBeginning(signal));
    try {
      return await previewOf(table, this.#site);
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
    const found = await this.#download.get(this.#isCurrent(known) ? known : undefined, signal);
    if (!found) return undefined;
    const people = new ListPeople(found.list, columns!, this.#readTable, this.#site, this.#now());
    const version = found.version && { ...this.#place, ...found.version };
    return {
      name: this.#name,
      // After everyone has been read, it is known when the next membership ends.
      get token() {
        return version && !people.hasTimedStates
          ? JSON.stringify({ ...version, nextEnd: people.nextEnd } satisfies NamedVersion)
          : null;
      },
      isGroup: isGroup(columns!),
      people: people.read(),
    };
  }

  /**
   * Whether a version would still be read the same. A list that was renamed here is read again, so that its group gets
   * the new name, as is one at a new address, or one with a membership that has ended since then.
   */
  #isCurrent(known: NamedVersion | undefined): boolean {
    if (!known) return false;
    const { name, addressHash, timeZone } = this.#place;
    const isHere = known.name === name && known.addressHash === addressHash;
    const isInZone = known.timeZone === timeZone;
    return isHere && isInZone && !(known.nextEnd && known.nextEnd <= this.#now().toISOString());
  }

  get #place() {
    const { timeZone } = this.#site;
    return { name: this.#name, addressHash: this.#download.addressHash, timeZone };
  }
}

/** Everyone in a list. It is opened when its people are read, because it takes memory until it is closed. */
class ListPeople {
  /** The next end of a membership, as far as the list has been read. */
  nextEnd: string | null = null;
  /** Whether someone may return to the collection by time alone, such as after a suspension. */
  hasTimedStates = false;
  readonly #list: ListBytes;
  readonly #mapping: CollectionColumns;
  readonly #readTable: ReadTable;
  readonly #site: SiteOfList;
  readonly #now: Date;

  constructor(
    list: ListBytes,
    mapping: CollectionColumns,
    readTable: ReadTable,
    site: SiteOfList,
    now: Date,
  ) {
    this.#list = list;
    this.#mapping = mapping;
    this.#readTable = readTable;
    this.#site = site;
    this.#now = now;
  }

  /** @throws {CollectionUnreadable} */
  async *read(): AsyncIterable<WorkspacePerson> {
    const table = await this.#readTable(this.#list);
    try {
      for await (const { nextEnd, ...person } of table.people(await this.#readingOf(table))) {
        if (nextEnd !== undefined && (this.nextEnd === null || nextEnd < this.nextEnd))
          this.nextEnd = nextEnd;
        yield person;
      }
    } finally {
      table.close();
    }
  }

  async #readingOf(table: ListTable): Promise<ListPeopleReading> {
    const { headings } = table;
    const missing = missingColumns(this.#mapping, headings);
    if (missing.length > 0) throw columnsMissing(missing);
    const { reading } = await table.propose(answersOf(this.#mapping, headings), this.#site);
    this.hasTimedStates = reading.stateColumns.some(({ isUntil }) => isUntil);
    const { groupNames } = this.#site;
    return { reading, mapping: this.#mapping, headings, groupNames, now: this.#now };
  }
}

interface NamedVersion extends ListVersion {
  readonly name: string;
  readonly addressHash: string;
  readonly timeZone: string;
  /** When the list has to be read again, because a membership ends. */
  readonly nextEnd: string | null;
}

/** The columns, the first rows, and how the list would be read. */
async function previewOf(table: ListTable, site: SiteOfList): Promise<CollectionPreview> {
  const { headings } = table;
  const rows: ListRow[] = [];
  for await (const row of table.rows()) {
    rows.push(row);
    if (rows.length === previewRows) break;
  }
  const { reading, questions } = await table.propose({}, site);
  const shown = (row: ListRow) => headings.map((_, index) => previewText(row.values[index] ?? ''));
  return {
    columns: headings.map((key, index) => ({
      key,
      name: key,
      options: [],
      type: rows.some(({ values }) => normalizeEmail(values[index] ?? '') !== null) ? 'email' : 'text',
    })),
    rows: rows.map((row) =>
      shown(row).map((text, index) => (reading.secretColumns.includes(index) ? '' : text)),
    ),
    guess: mappingOf(reading, headings),
    export: reading.export && { name: reading.export, title: knownExport(reading.export).title },
    questions: questions.map((question) => toCollectionQuestion(question, headings)),
  };
}
