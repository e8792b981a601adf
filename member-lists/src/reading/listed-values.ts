import type { BulkMember, Member } from '@gatehouse/client';
import { normalizeDisplayName } from '@gatehouse/contract/names';
import type { Field } from '../columns/fields.ts';
import { nameOf } from '../values/names.ts';
import { meaningOf } from '../values/word-meanings.ts';
import { parsePaid } from '../values/words.ts';
import type { ListReading } from './list-reading.ts';
import type { Reason } from './reasons.ts';
import { readRegistration } from './value-problems.ts';

/** The texts of a member in a list. */
export const listedTexts = ['displayName'] as const satisfies readonly (keyof Member)[];
type TextField = (typeof listedTexts)[number];

/** What a list says about a member, besides the email address, the status and the groups. An empty cell is undefined. */
export interface ListedValues extends Readonly<Record<TextField, string | undefined>> {
  readonly paid: boolean | undefined;
  /** When the member registered in another system; used only for new members. */
  readonly registeredAt: string | undefined;
}

export const noValues: ListedValues = { displayName: undefined, paid: undefined, registeredAt: undefined };

/** The values of a row, why one cannot be used, and what is not used of them. */
export interface ReadValues {
  readonly values: ListedValues;
  readonly problem?: Reason | undefined;
  readonly note?: Reason | undefined;
}

/** @param value the cell of a field in the row */
export function readValues(value: (field: Field) => string, reading: ListReading, now: Date): ReadValues {
  const [paid, registeredAt] = [value('paid'), value('registeredAt')];
  const fullName = reading.hasQuotedNames ? unquoted(value('displayName')) : value('displayName');
  const registration = registeredAt === '' ? {} : readRegistration(registeredAt, reading, now);
  const values = {
    displayName: nameOf(fullName, value('firstName'), value('lastName')),
    paid: meaningOf(reading.paidWords, paid) ?? (paid === '' ? undefined : parsePaid(paid)),
    registeredAt: registration.registeredAt,
  };
  return { values, problem: registration.problem, note: registration.note };
}

/** A name without the quotes around the whole of it. */
function unquoted(name: string): string {
  return /^"[^"]+"$/.test(name) ? name.slice(1, -1) : name;
}

/** What all rows of one person say together: the first texts, and the earliest registration. */
export function mergedValues(one: ListedValues, other: ListedValues): ListedValues {
  return {
    displayName: one.displayName ?? other.displayName,
    paid: one.paid === undefined ? other.paid : one.paid || other.paid === true,
    registeredAt: earlier(one.registeredAt, other.registeredAt),
  };
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/** The member to create. */
export function toBulkMember(email: string, { displayName, paid, registeredAt }: ListedValues): BulkMember {
  return {
    email,
    ...(displayName === undefined ? {} : { displayName }),
    ...(paid === undefined ? {} : { paid }),
    ...(registeredAt === undefined ? {} : { registeredAt }),
  };
}

/** The values of a member that a list can change. */
export type ChangeableValues = Readonly<Pick<Member, TextField | 'paid'>>;

/** The change of a value. */
export type ValueChange =
  | { readonly field: TextField; readonly from: string | null; readonly to: string | null }
  | { readonly field: 'paid'; readonly from: boolean | null; readonly to: boolean | null };

/** How the values of a list differ from those of the member. */
export function changedValues(values: ListedValues, before: ChangeableValues): ValueChange[] {
  const texts = listedTexts.map((field): ValueChange | undefined => {
    const [from, to] = [before[field], normalized(values[field])];
    return values[field] === undefined || from === to ? undefined : { field, from, to };
  });
  const { paid } = values;
  return [
    ...texts.filter((change) => change !== undefined),
    ...(paid === undefined || paid === before.paid
      ? []
      : [{ field: 'paid' as const, from: before.paid, to: paid }]),
  ];
}

function normalized(text: string | undefined): string | null {
  return normalizeDisplayName(text ?? null) ?? null;
}
