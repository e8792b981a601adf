import { normalizeEmail } from '@gatehouse/contract/email-address';
import type { Columns } from '../columns/fields.ts';
import { findColumns } from '../columns/find-columns.ts';
import { isIgnored, isSecret } from '../columns/headings.ts';
import type { Row } from '../csv/csv.ts';
import { restoreCell } from '../csv/formula-cells.ts';
import { type KnownExportName, knownExport, recognize } from '../known/known-exports.ts';
import { knownColumns } from '../known/known-reading.ts';
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
    const exportName = this.#exportBy(answers);
    const known = exportName && knownExport(exportName);
    const { nameColumns, markColumns, ...ofExport } = knownColumns(known, this.headings);
    const chosen: Partial<Columns> = {
      // The customers of some systems name the column of the addresses.
      ...(known && { email: this.#addressColumn({}) }),
      ...ofExport.columns,
      ...answers.columns,
    };
    const { columns: found, ambiguous } = findColumns(this.headings, chosen);
    const columns = { ...found, email: found.email ?? this.#addressColumn(chosen) };
    const questions: ListQuestion[] = [...ambiguous].map(([field, each]) => ({
      kind: 'column',
      field,
      columns: each,
    }));
    const couldBeGroups = nameColumns.length + markColumns.length > 0;
    if (couldBeGroups && answers.nameColumns === undefined && answers.columns?.groups === undefined)
      questions.push({ kind: 'groups', nameColumns, markColumns });
    // The words of an export are those of its own column.
    const hasKnownPaid = columns.paid !== null && columns.paid === ofExport.columns.paid;
    const knownPaidWords = hasKnownPaid ? known?.paidWords : undefined;
    const reading: ListReading = {
      export: exportName ?? null,
      columns,
      hasQuotedNames: known?.hasQuotedNames ?? false,
      openColumns: Object.fromEntries(ambiguous),
      nameColumns: answers.nameColumns ?? [],
      groupColumns: (answers.groupColumns ?? []).map((column) => ({ column, name: this.headings[column]! })),
      endedColumns: ofExport.endedColumns,
      furtherEndColumns: ofExport.furtherEndColumns,
      noGroupWords: known?.noGroupWords ?? [],
      groupSeparator: answers.groupSeparator ?? known?.groupSeparator ?? ownSeparator,
      dateOrder: answers.dateOrder ?? known?.dateOrder ?? null,
      timeZone: site.timeZone,
      clockTimeZone: known?.clockTimeZone ?? site.timeZone,
      statusWords: { active: 'active', blocked: 'blocked', ...known?.statusWords, ...answers.statusWords },
      stateColumns: answers.stateColumns ?? ofExport.stateColumns,
      secretColumns: [...this.headings.keys()].filter((column) => isSecret(this.headings[column]!)),
      paidWords: answers.paidWords ?? knownPaidWords ?? {},
    };
    return { reading, questions };
  }

  /** Without a heading that says so, the column of the addresses is found by its content. */
  #addressColumn({ email }: Partial<Columns>): number | null {
    const highest = Math.max(...this.#addresses);
    return email === null || highest <= 0 ? null : this.#addresses.indexOf(highest);
  }

  #exportBy({ export: chosen }: ListAnswers): KnownExportName | undefined {
    return chosen === undefined ? recognize(this.headings) : (chosen ?? undefined);
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
export function usedColumns(reading: ListReading): Set<number> {
  const { columns, nameColumns, groupColumns, furtherEndColumns, stateColumns } = reading;
  return new Set(
    [
      ...Object.values(columns),
      ...nameColumns,
      ...[...groupColumns, ...stateColumns].map(({ column }) => column),
      ...furtherEndColumns,
    ].filter((column) => column !== null),
  );
}
