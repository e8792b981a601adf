import { normalizeDisplayName } from '@gatehouse/contract/names';
import { fields } from '../columns/fields.ts';
import { isUnknownCell } from '../text/unknown-cells.ts';
import type { WrittenAddress } from '../values/addresses.ts';
import type { NamedGroup } from '../values/group-names.ts';
import { ownSeparator } from '../values/separators.ts';
import { endProblem, parseRegistration, type TimeProblem, type TimeReading } from '../values/times.ts';
import type { ListReading } from './list-reading.ts';
import type { Reason } from './reasons.ts';
import { usedColumns } from './survey.ts';

const maxShownLength = 40;

/** Why the address or the name of a member cannot be used. */
export function identityProblem(
  email: string,
  written: WrittenAddress,
  displayName: string,
): Reason | undefined {
  if (written.address === null) {
    if (written.problem === 'several_emails') {
      const [first, second] = written.emails;
      return { code: written.problem, values: { first, second } };
    }
    if (written.problem === 'no_email') return { code: written.problem };
    return { code: written.problem, values: { value: shown(email) } };
  }
  return normalizeDisplayName(displayName) === undefined ? { code: 'invalid_display_name' } : undefined;
}

/** A cell that says that its value is not known, in the columns that are used or among the names of groups. */
export function unknownValue(
  reading: ListReading,
  cell: (column: number) => string,
  groups: readonly NamedGroup[],
): Reason | undefined {
  const column = [...usedColumns(reading)].find((each) => isUnknownCell(cell(each)));
  const group = groups.find(({ name }) => isUnknownCell(name));
  if (column === undefined && group === undefined) return undefined;
  const field = fields.find((each) => reading.columns[each] === column) ?? 'groups';
  return {
    code: 'unknown_value',
    values: { value: column === undefined ? group!.name : cell(column), field },
  };
}

/** The time of registration in a cell that is not empty, with a problem or a note about it. */
export function readRegistration(
  cell: string,
  reading: TimeReading,
  now: Date,
): { readonly registeredAt?: string; readonly problem?: Reason; readonly note?: Reason } {
  const { time, problem } = parseRegistration(cell, reading, now);
  if (problem === undefined) return time === undefined ? {} : { registeredAt: time };
  const reason = { code: registrationCodes[problem], values: { value: shown(cell), field: 'registeredAt' } };
  return problem === 'early' ? { note: reason } : { problem: reason };
}

const registrationCodes: Readonly<Record<TimeProblem, Reason['code']>> = {
  invalid: 'invalid_registered_at',
  unclear: 'unclear_date',
  early: 'early_registered_at',
  future: 'future_registered_at',
};

/** Why the ends in a cell cannot be used: the first one that cannot be read, or their number. */
export function endsProblem(cell: string, reading: TimeReading): Reason {
  for (const end of cell.split(ownSeparator).map((each) => each.trim())) {
    const problem = end === '' ? undefined : endProblem(end, reading);
    const code = problem === 'unclear' ? 'unclear_date' : 'invalid_group_ends';
    if (problem !== undefined) return { code, values: { value: shown(end), field: 'groupsEndAt' } };
  }
  return { code: 'invalid_group_ends', values: { ends: cell.split(ownSeparator).length } };
}

/** The beginning of a written value, for a message. */
export function shown(value: string): string {
  return value.slice(0, maxShownLength).toWellFormed();
}
