import type { Columns } from '../columns/fields.ts';
import { findColumns } from '../columns/find-columns.ts';
import { findGroupColumns, type GroupColumns } from '../columns/group-columns.ts';
import { isIgnored, isOwnExport, isSecret } from '../columns/headings.ts';
import { RowsContent } from '../columns/list-content.ts';
import { isStateful } from '../columns/stateful-columns.ts';
import type { Row } from '../csv/csv.ts';
import { type KnownExportName, knownExport, recognize } from '../known/known-exports.ts';
import { knownColumns } from '../known/known-reading.ts';
import { ownSeparator } from '../values/separators.ts';
import { foldWord, type StatusMeaning } from '../values/word-meanings.ts';
import { markedMeaning } from '../values/words.ts';
import type { ListAnswers, ListQuestion, ListReading, SiteOfList } from './list-reading.ts';
import {
  dateQuestion,
  findDateOrder,
  findSeparatorOf,
  groupsQuestion,
  separatorQuestion,
  statusQuestion,
} from './questions.ts';

/** A reading of a list, with the questions that the list and the answers so far leave open. */
export interface ProposedReading {
  readonly reading: ListReading;
  readonly questions: readonly ListQuestion[];
  /** The columns that carry the status or the payment of people in another system, used or not. */
  readonly statefulColumns: readonly number[];
}

/** Facts about all rows of a list, collected row by row in bounded memory, from which it is found out how to read it. */
export class ListSurvey {
  readonly headings: readonly string[];
  readonly #content: RowsContent;

  /** @param headings all different; see `distinctHeadings` */
  constructor(headings: readonly string[]) {
    this.headings = headings;
    this.#content = new RowsContent(headings);
  }

  /** The number of rows so far. */
  get rows(): number {
    return this.#content.rows;
  }

  add(row: Row): void {
    this.#content.add(row);
  }

  /** Finds out how to read the list. The same facts and answers always yield the same reading. */
  propose(answers: ListAnswers, site: SiteOfList): ProposedReading {
    const exportName = this.#exportBy(answers);
    const known = exportName && knownExport(exportName);
    const { nameColumns, markColumns, ...ofExport } = knownColumns(known, this.headings);
    const chosen = { ...ofExport.columns, ...answers.columns };
    const { columns, ambiguous } = findColumns(this.headings, chosen, this.#content);
    // What is known about ends and words of an export is true for its own columns.
    const hasKnownEnds = columns.groupsEndAt === ofExport.columns.groupsEndAt;
    const hasKnownPaid = columns.paid !== null && columns.paid === ofExport.columns.paid;
    const knownPaidWords = hasKnownPaid ? known?.paidWords : undefined;
    const chosenNames = answers.nameColumns ?? [];
    const chosenMarks = answers.groupColumns ?? [];
    const separator = findSeparatorOf(this.#content, [columns.groups, ...chosenNames], site);
    const dates = findDateOrder(this.#content, [columns.registeredAt, columns.groupsEndAt]);
    const reading: ListReading = {
      export: exportName ?? null,
      columns,
      hasQuotedNames: known?.hasQuotedNames ?? false,
      openColumns: Object.fromEntries(ambiguous),
      nameColumns: chosenNames,
      groupColumns: chosenMarks.map((column) => ({ column, name: this.headings[column]!.trim() })),
      endedColumns: hasKnownEnds ? ofExport.endedColumns : groupColumnsOf(columns, answers),
      furtherEndColumns: ofExport.furtherEndColumns,
      noGroupWords: known?.noGroupWords ?? [],
      groupSeparator:
        answers.groupSeparator ?? known?.groupSeparator ?? this.#ownSeparator() ?? separator.separator,
      dateOrder: answers.dateOrder ?? known?.dateOrder ?? dates.order,
      timeZone: site.timeZone,
      clockTimeZone: known?.clockTimeZone ?? site.timeZone,
      statusWords: {
        active: 'active',
        blocked: 'blocked',
        ...this.#markedWords(columns.status),
        ...known?.statusWords,
        ...answers.statusWords,
      },
      stateColumns: answers.stateColumns ?? ofExport.stateColumns,
      secretColumns: [...this.headings.keys()].filter((column) => isSecret(this.headings[column]!)),
      paidWords: answers.paidWords ?? knownPaidWords ?? {},
    };
    const offer = known ? { nameColumns, markColumns } : this.#groupColumns(reading, site);
    const questions = [
      ...[...ambiguous].map(([field, each]) => ({ type: 'column' as const, field, columns: each })),
      ...dateQuestion(reading, dates),
      ...separatorQuestion(reading, separator),
      ...statusQuestion(reading, this.#content),
      ...groupsQuestion(answers, offer),
    ];
    return { reading, questions, statefulColumns: this.#statefulColumns() };
  }

  /** Exports of ours escape the separator in names, so that each of them is read the same. */
  #ownSeparator(): string | undefined {
    return isOwnExport(this.headings) ? ownSeparator : undefined;
  }

  /** The meanings of yes and no below a heading that is itself the word for a state, such as `Suspended`. */
  #markedWords(status: number | null): Record<string, StatusMeaning> {
    if (status === null) return {};
    const words = [...(this.#content.columns[status]!.words?.keys() ?? [])];
    const meanings = words.map((word) => [foldWord(word), markedMeaning(this.headings[status]!, word)]);
    return Object.fromEntries(meanings.filter(([, meaning]) => meaning !== undefined));
  }

  #groupColumns(reading: ListReading, { groupNames }: SiteOfList): GroupColumns {
    const taken = new Set(Object.values(reading.columns));
    const free = [...this.headings.keys()].filter(
      (column) => !taken.has(column) && !isIgnored(this.headings[column]!),
    );
    return findGroupColumns(free, this.headings, this.#content.columns, groupNames);
  }

  #statefulColumns(): number[] {
    return [...this.headings.keys()].filter((column) =>
      isStateful(this.headings[column]!, this.#content.columns[column]!),
    );
  }

  #exportBy({ export: chosen }: ListAnswers): KnownExportName | undefined {
    return chosen === undefined ? recognize(this.headings) : (chosen ?? undefined);
  }
}

/** The columns about groups, whose groups end when the list says. */
function groupColumnsOf({ groups }: Columns, { nameColumns = [], groupColumns = [] }: ListAnswers): number[] {
  return [...(groups === null ? [] : [groups]), ...nameColumns, ...groupColumns];
}

/** The headings of the columns that an import does not use. */
export function unusedHeadings(headings: readonly string[], reading: ListReading): string[] {
  const used = usedColumns(reading);
  return headings
    .filter((heading, column) => heading.trim() !== '' && !used.has(column) && !isIgnored(heading))
    .map((heading) => heading.trim());
}

/** By reading: each row of a list needs them. */
const columnsInUse = new WeakMap<ListReading, ReadonlySet<number>>();

/** The columns that a reading uses. */
export function usedColumns(reading: ListReading): ReadonlySet<number> {
  const known = columnsInUse.get(reading);
  if (known) return known;
  const { columns, nameColumns, groupColumns, furtherEndColumns, stateColumns } = reading;
  const used = new Set(
    [
      ...Object.values(columns),
      ...nameColumns,
      ...[...groupColumns, ...stateColumns].map(({ column }) => column),
      ...furtherEndColumns,
    ].filter((column) => column !== null),
  );
  columnsInUse.set(reading, used);
  return used;
}
