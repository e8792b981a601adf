import type { Source, SourceRun } from '@gatehouse/contract';
import { printable } from '../../base/text/printable.ts';
import { argument, counted, table } from '../shared/output.ts';

type CollectionResult = SourceRun['collections'][number];
type Counts = SourceRun['counts'];

const shownCounts = [
  'read',
  'created',
  'added',
  'changed',
  'removed',
  'withheld',
  'blocked',
  'skipped',
] as const;

/** What a run has done, with its samples and problems, and what to do next. */
export function describeRun(run: SourceRun, source: Source): string {
  const { collections, counts } = run;
  const numbersOf = (each: Counts) => shownCounts.map((count) => each[count]);
  const rows = collections.map((each) => [each.name, ...numbersOf(each)]);
  const headings = shownCounts.map((count) => (count === 'created' ? 'NEW MEMBERS' : count.toUpperCase()));
  const total = rows.length > 1 ? [['(all)', ...numbersOf(counts)]] : [];
  return [
    headlineOf(run, source),
    ...(rows.length === 0 ? [] : [table(['COLLECTION', ...headings], [...rows, ...total])]),
    ...collections.flatMap((each) => detailsOf(each)),
    ...(hidesPeople(run) ? ['', 'A key with the permission members:read also shows who they are.'] : []),
    ...groupsOf(run, source),
    ...nextStepsOf(run, source),
  ].join('\n');
}

function headlineOf({ status, dryRun }: SourceRun, { name }: Source): string {
  if (status === 'failed') return `The synchronization of "${name}" failed.`;
  if (dryRun) return `A synchronization of "${name}" would do this. Nothing was changed.`;
  return status === 'succeeded'
    ? `"${name}" is synchronized.`
    : `"${name}" is synchronized, except that nothing is taken away from some people yet.`;
}

/** Whether there are people to name, whom the service does not show to this key. */
function hidesPeople({ dryRun, collections }: SourceRun): boolean {
  const isNamed = ({ sample, skippedPeople }: CollectionResult) =>
    sample.added.length + sample.removed.length + skippedPeople.length > 0;
  const hasPeople = ({ added, removed, withheld, skipped }: Counts) =>
    skipped + withheld + (dryRun ? added + removed : 0) > 0;
  return collections.some(hasPeople) && !collections.some(isNamed);
}

function detailsOf({ name, error, sample, skippedPeople, ...counts }: CollectionResult): string[] {
  const { added, removed, withheld, skipped } = counts;
  const lines = [
    ...(error ? [`  ${error.message}`] : []),
    ...sampleOf('+', sample.added, added),
    ...sampleOf('-', sample.removed, removed + withheld),
    ...skippedPeople.map(
      ({ place, value, reason }) => `  skipped ${place}: ${reasonOf(reason)}${value && ` ("${value}")`}`,
    ),
    ...(skippedPeople.length === 0 ? [] : moreOf('skipped', skipped - skippedPeople.length)),
  ];
  return lines.length === 0 ? [] : ['', `${name}:`, ...lines].map(printable);
}

function sampleOf(sign: string, emails: readonly string[], count: number): string[] {
  if (emails.length === 0) return [];
  return [...emails.map((email) => `  ${sign} ${email}`), ...moreOf(sign, count - emails.length)];
}

function moreOf(sign: string, count: number): string[] {
  return count > 0 ? [`  ${sign} … and ${count.toLocaleString('en')} more`] : [];
}

function groupsOf({ groupsToDelete }: SourceRun, { graceDays }: Source): string[] {
  if (groupsToDelete.length === 0) return [];
  const names = groupsToDelete.map(({ name }) => `"${name}"`).join(', ');
  return [
    '',
    printable(
      `Groups that will be deleted ${counted(graceDays, 'day')} after they were gone, or with --confirm-removals: ${names}`,
    ),
  ];
}

const reasons: Readonly<Record<string, string>> = {
  no_email: 'no email address',
  invalid_email: 'not an email address',
  unknown_value: 'the value is not known, so this person stays as before',
  unclear_column: 'several columns could be meant, so this person stays as before',
  unclear_date: 'day and month could be swapped, so this person stays as before',
  unclear_groups: 'it is not clear what separates the groups, so this person stays as before',
  invalid_status: 'the state has no meaning, so this person stays as before',
  invalid_group_ends: 'not a valid end, so this person stays as before',
  invalid_paid: 'neither paying nor not paying, so this person stays as before',
  other_name: 'an earlier row has this email address with another name',
  invalid_display_name: 'not a valid name',
  invalid_group: 'not a valid group',
};

function reasonOf(reason: string): string {
  return reasons[reason] ?? reason;
}

function nextStepsOf(run: SourceRun, source: Source): string[] {
  const { unreadable } = run.counts;
  if (unreadable === 0) return stepsOf(run, source);
  const [rows, them] = unreadable === 1 ? ['1 row has', 'it'] : [`${unreadable} rows have`, 'them'];
  return [
    '',
    `${rows} an email address that cannot be read. Anybody who is missing may be meant, so nobody leaves, no longer pays`,
    `or is blocked because of this list. Correct ${them} in the workspace, or remove ${them}.`,
    ...stepsOf(run, source),
  ];
}

function stepsOf({ status, error, counts, dryRun }: SourceRun, { name, graceDays }: Source): string[] {
  const command = `./gatehouse sources sync ${argument(name)} --wait`;
  if (status === 'failed') {
    const why = error ? [printable(error.message)] : [];
    return ['', ...why, `Nobody was removed where something failed. To try again: ${command}`];
  }
  if (status !== 'confirmation_required') return [];
  const people = counted(counts.withheld, 'person', 'people');
  return [
    '',
    `${people} would leave the collection or a group, or no longer be paying, and stay as they are until you`,
    `confirm it. If their collection is missing or no longer chosen, they stay for ${counted(graceDays, 'day')}.`,
    `If this is right, ${dryRun ? 'use' : 'repeat it with'} --confirm-removals: ${command} --confirm-removals`,
    'Otherwise correct it in the workspace.',
  ];
}
