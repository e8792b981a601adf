import type { CollectionColumns, SkipReason } from '@gatehouse/contract';
import {
  isUnknownCell,
  type ListReading,
  type MemberDraft,
  type NamedGroup,
  type RowProblem,
  readDraft,
} from '@gatehouse/member-lists';
import type { WorkspacePerson } from '../../domain/sources/workspaces/workspace.ts';
import { meansPaid } from '../columns.ts';

/** How the people of a list are read. It can be sent to another thread. */
export interface ListPeopleReading {
  readonly reading: ListReading;
  readonly mapping: CollectionColumns;
  readonly headings: readonly string[];
  /** The names of the groups that the source has: one of them may contain a separator. */
  readonly groupNames: ReadonlySet<string>;
  readonly now: Date;
}

/** A person of a list, with the next end of a membership. */
export interface ListedPerson extends WorkspacePerson {
  readonly nextEnd?: string;
}

/** The name of the group that the collection itself is, while a row is read. */
const collectionItself = '.';

interface Row {
  readonly line: number;
  readonly values: readonly string[];
}

/** Reads the people of a list, row by row. */
export class ListPeopleReader {
  readonly #of: ListPeopleReading;
  readonly #reading: ListReading;
  readonly #isGroup: boolean;
  /** Undefined if the engine knows the words of the column, or if there is none. */
  readonly #paidColumn: number | undefined;

  constructor(of: ListPeopleReading) {
    const { reading, mapping, headings } = of;
    this.#of = of;
    this.#isGroup = isGroup(mapping);
    const hasOwnWords = (mapping.paidValues ?? []).length > 0 || Object.keys(reading.paidWords).length === 0;
    this.#paidColumn = hasOwnWords ? (reading.columns.paid ?? undefined) : undefined;
    this.#reading = {
      ...reading,
      columns: {
        ...reading.columns,
        paid: hasOwnWords ? null : reading.columns.paid,
        // The collection itself is the group of each row, in a column behind all others, so that it can end.
        groups: this.#isGroup ? headings.length : reading.columns.groups,
      },
      ...(this.#isGroup && { groupSeparator: '', endedColumns: [] }),
    };
  }

  /** Undefined if the row is not part of the collection. */
  read({ line, values }: Row): ListedPerson | undefined {
    const { headings, groupNames, now } = this.#of;
    const cells = this.#isGroup
      ? [...headings.map((_, index) => values[index] ?? ''), collectionItself]
      : [...values];
    const context = { headingCount: undefined, isRaw: true, groupNames, now };
    const draft = readDraft({ line, cells }, this.#reading, context);
    if (draft.isLeftOut || draft.status === 'blocked') return undefined;
    const groups = currentGroups(draft.groups, now);
    const person = this.#person(draft);
    if (draft.groups.length > 0 && groups.length === 0 && !person.unclear) return undefined;
    return { ...person, ...this.#groupsOf(groups) };
  }

  #person(draft: MemberDraft): WorkspacePerson {
    const { mapping } = this.#of;
    const { email, address, displayName, line, cells, problem } = draft;
    const hasName = [mapping.displayName, mapping.firstName, mapping.lastName].some(
      (key) => typeof key === 'string',
    );
    const paidCell = this.#paidColumn === undefined ? undefined : (cells[this.#paidColumn] ?? '');
    const paid = paidCell === undefined ? draft.paid : meansPaid(paidCell, mapping);
    const hasPaid = paidCell !== undefined || this.#reading.columns.paid !== null;
    const unclear =
      paidCell !== undefined && isUnknownCell(paidCell)
        ? { reason: 'unknown_value' as const, value: paidCell }
        : unclearOf(problem);
    return {
      place: `row ${line}`,
      email: address ?? (problem?.code === 'no_email' ? '' : email),
      ...(hasName && { displayName: displayName ?? null }),
      ...(hasPaid && { paid: paid ?? false }),
      ...(unclear && { unclear }),
    };
  }

  #groupsOf(groups: readonly NamedGroup[]): Pick<ListedPerson, 'groups' | 'nextEnd'> {
    const ends = groups.flatMap(({ expiresAt }) => expiresAt ?? []).sort();
    return {
      ...(!this.#isGroup && { groups: groups.map(({ name }) => name) }),
      ...(ends.length > 0 && { nextEnd: ends[0]! }),
    };
  }
}

/** Whether a collection is one group, because its people name none. */
export function isGroup({ groups, furtherGroups = [], groupColumns = [] }: CollectionColumns): boolean {
  return typeof groups !== 'string' && furtherGroups.length + groupColumns.length === 0;
}

function currentGroups(groups: readonly NamedGroup[], now: Date): NamedGroup[] {
  const at = now.toISOString();
  return groups.filter(({ expiresAt }) => expiresAt === null || expiresAt > at);
}

/** Why a person stays as before. Problems of an address or a name are found where everything is checked. */
const reasons: Readonly<Partial<Record<RowProblem, SkipReason>>> = {
  unknown_value: 'unknown_value',
  unclear_column: 'unclear_column',
  unclear_date: 'unclear_date',
  unclear_groups: 'unclear_groups',
  too_many_groups: 'unclear_groups',
  invalid_status: 'invalid_status',
  invalid_group_ends: 'invalid_group_ends',
  invalid_paid: 'invalid_paid',
};

function unclearOf(problem: MemberDraft['problem']): WorkspacePerson['unclear'] {
  const reason = problem && reasons[problem.code as RowProblem];
  return reason && { reason, value: String(problem.values?.value ?? problem.values?.field ?? '') };
}
