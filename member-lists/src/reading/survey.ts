import { normalizeEmail } from '@gatehouse/contract/email-address';
import { type Columns, type Field, fields } from '../columns/fields.ts';
import { findColumns } from '../columns/find-columns.ts';
import { isIgnored, simplified } from '../columns/headings.ts';
import type { Row } from '../csv/csv.ts';
import { restoreCell } from '../csv/formula-cells.ts';
import type { KnownExport } from '../known/known-export.ts';
import { knownExport, recognize } from '../known/known-exports.ts';
import { ownSeparator } from '../values/group-names.ts';
import type { ListAnswers, ListQuestion, ListReading } from './list-reading.ts';

/** What a list is read for. */
export interface SiteOfList {
  /** The zone of days (IANA name). */
  readonly timeZone: string;
  /** The names of the groups of the site. */
  readonly groupNames: ReadonlySet<string>;
}

/** A reading of a list, with the questions that the list and the answers so far leave open. */
export interface ProposedReading {
  readonly reading: ListReading;
  readonly questions: readonly ListQuestion[];
}

/** Facts about all rows of a list, collected row by row in bounded memory, from which it is found out how to read it. */
export class ListSurvey {
  readonly headings: readonly string[];
  #rows = 0;
  /** The number of addresses in each column. */
  readonly #addresses: number[];

  /** @param headings all different; see `distinctHeadings` */
  constructor(headings: readonly string[]) {
    this.headings = headings;
    this.#addresses = headings.map(() => 0);
  }

  /** The number of rows so far. */
  get rows(): number {
    return this.#rows;
  }

  add({ cells }: Row): void {
    this.#rows += 1;
    for (const [column, cell] of cells.entries()) {
      if (cell.includes('@') && normalizeEmail(restoreCell(cell)) !== null) this.#addresses[column]! += 1;
    }
  }

  /** Finds out how to read the list. The same facts and answers always yield the same reading. */
  propose(answers: ListAnswers, site: SiteOfList): ProposedReading {
    const known = this.#exportBy(answers);
    const chosen = { ...(known && this.#columnsOf(known)), ...answers.columns };
    const { columns: found, ambiguous } = findColumns(this.headings, chosen);
    const columns = { ...found, email: found.email ?? this.#addressColumn(chosen) };
    const questions: ListQuestion[] = [...ambiguous].map(([field, each]) => ({
      kind: 'column',
      field,
      columns: each,
    }));
    const nameColumns = known ? this.#columnsNamed(known.groupHeadings) : [];
    if (nameColumns.length > 0 && answers.nameColumns === undefined && answers.columns?.groups === undefined)
      questions.push({ kind: 'groups', nameColumns, markColumns: [] });
    const reading: ListReading = {
      export: known?.name ?? null,
      columns,
      openColumns: Object.fromEntries(ambiguous),
      nameColumns: answers.nameColumns ?? [],
      groupColumns: (answers.groupColumns ?? []).map((column) => ({ column, name: this.headings[column]! })),
      groupSeparator: answers.groupSeparator ?? known?.groupSeparator ?? ownSeparator,
      dateOrder: answers.dateOrder ?? known?.dateOrder ?? null,
      timeZone: site.timeZone,
      clockTimeZone: known?.clockTimeZone ?? site.timeZone,
      statusWords: { active: 'active', blocked: 'blocked', ...known?.statusWords, ...answers.statusWords },
      paidWords: answers.paidWords ?? known?.paidWords ?? {},
    };
    return { reading, questions };
  }

  /** Without a heading that says so, the column of the addresses is found by its content. */
  #addressColumn({ email }: Partial<Columns>): number | null {
    const highest = Math.max(...this.#addresses);
    return email === null || highest <= 0 ? null : this.#addresses.indexOf(highest);
  }

  #exportBy({ export: chosen }: ListAnswers): KnownExport | undefined {
    if (chosen === null) return undefined;
    return chosen === undefined ? recognize(this.headings) : knownExport(chosen);
  }

  #columnsOf({ columns }: KnownExport): Partial<Columns> {
    const found: Partial<Record<Field, number>> = {};
    for (const field of fields) {
      const [column] = this.#columnsNamed(columns[field] ?? []);
      if (column !== undefined) found[field] = column;
    }
    return found;
  }

  /** The columns with these headings, in the order of the headings. */
  #columnsNamed(headings: readonly string[]): number[] {
    const each = this.headings.map(simplified);
    return headings.map((heading) => each.indexOf(simplified(heading))).filter((column) => column !== -1);
  }
}

/** The headings of the columns that an import does not use. */
export function unusedHeadings(headings: readonly string[], reading: ListReading): string[] {
  const used = usedColumns(reading);
  return headings
    .filter((heading, column) => heading.trim() !== '' && !used.has(column) && !isIgnored(heading))
    .map((heading) => heading.trim());
}

/** The columns that a reading uses. */
export function usedColumns({ columns, nameColumns, groupColumns }: ListReading): Set<number> {
  return new Set(
    [...Object.values(columns), ...nameColumns, ...groupColumns.map(({ column }) => column)].filter(
      (column) => column !== null,
    ),
  );
}
