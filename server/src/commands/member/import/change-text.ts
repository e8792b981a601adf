import type { Change } from '@gatehouse/member-lists';

/** A change of a member as text, with what was before and what is after. */
export function changeText(change: Change, groupNames: ReadonlyMap<string, string>): string {
  if (change.field === 'group') return membershipText(change, groupNames);
  if (change.field === 'paid') return `paying: ${yesOrNo(change.from)} → ${yesOrNo(change.to)}`;
  return `${otherNames[change.field] ?? change.field}: ${inQuotes(change.from)} → ${inQuotes(change.to)}`;
}

/** What fields are called in the report of an import, if not by their names. */
const otherNames: Readonly<Record<string, string>> = { displayName: 'name' };

function membershipText(
  change: Extract<Change, { field: 'group' }>,
  groupNames: ReadonlyMap<string, string>,
): string {
  const group = `group "${groupNames.get(change.groupId) ?? change.groupId}"`;
  const until = change.to === null ? 'no end' : `until ${change.to}`;
  if (change.isNew) return `${group}: added, ${until}`;
  return `${group}: ${change.from === null ? 'no end' : `until ${change.from}`} → ${until}`;
}

function inQuotes(text: string | null): string {
  return text === null ? 'none' : `"${text}"`;
}

function yesOrNo(paid: boolean | null): string {
  if (paid === null) return 'unknown';
  return paid ? 'yes' : 'no';
}
