import type { SiteChanges } from '@gatehouse/contract/dashboard';
import type { QueryKey } from '@tanstack/react-query';

/** The first parts of the query keys that events change, by the beginning of their types (see `siteKeys`). */
const affected: readonly (readonly [start: string, areas: readonly string[]])[] = [
  ['member.passkey.', ['members', 'login-methods']],
  ['member.identity.', ['members', 'memberships', 'login-methods', 'login-providers']],
  ['member.login', ['members', 'groups', 'memberships', 'rules', 'login-methods']],
  ['member.', ['members', 'groups', 'memberships', 'rules']],
  ['session.', ['members', 'login-methods']],
  ['access-token.', ['members']],
  ['login-link.', ['emails']],
  ['access-group.', ['groups', 'members', 'memberships', 'rules', 'sources']],
  ['api-key.', ['keys']],
  ['signing-key.', ['signing-keys']],
  ['operator.', ['operators', 'emails']],
  ['source.', ['sources']],
  ['webhook.', ['webhooks', 'emails']],
  ['site.', ['site', 'email-texts']],
  ['host-claim.', ['site']],
  ['access-rules.', ['rules']],
  ['page-code.', ['page-codes', 'rules', 'emails']],
  ['email-budget.', ['emails']],
  ['invitation.', ['invitations', 'emails']],
  ['login-provider.', ['members', 'login-providers', 'login-methods']],
  ['join-request.', ['join-requests', 'emails']],
];
/** Every event is in the list of events, and nearly every one changes a number or a step of the overview. */
const alwaysAffected = ['events', 'overview'];

/**
 * Data that stays as it was loaded: what the operator is choosing from, has selected or goes through, events of the past, and the
 * content of external workspaces and of pages.
 */
const lasting: ReadonlySet<string> = new Set([
  'members search',
  'members matching',
  'members neighbors',
  'members by-email',
  'groups search',
  'events folded',
  'sources workspace',
  'rules page-files',
  'login-providers test',
]);
/** Data of one member, whose id is the next part of the key. */
const ofOneMember: ReadonlySet<string> = new Set([
  'members one',
  'members name',
  'members sessions',
  'members access-tokens',
  'members passkeys',
  'members identities',
  'events of',
  'rules of-member',
]);

/** Returns whether the data under a key may differ after these changes; after a gap everything may. */
export function affectedBy(
  siteId: string,
  { types, memberIds }: SiteChanges | { types: undefined; memberIds: null },
): (queryKey: QueryKey) => boolean {
  const areas = types && new Set([...alwaysAffected, ...types.flatMap(areasOf)]);
  const members = types?.some(isAboutEveryMember) ? null : memberIds;
  return ([site, area, kind, id]) => {
    if (site !== siteId || (areas && !areas.has(area as string))) return false;
    const name = `${area} ${kind}`;
    if (lasting.has(name)) return false;
    const ofMember = ofOneMember.has(name) ? id : undefined;
    const memberId = area === 'memberships' ? kind : ofMember;
    return typeof memberId !== 'string' || members === null || members.includes(memberId);
  };
}

/** Whether a query is a list of any length, to which new rows are added at the top. */
export function isGrowingList(queryKey: QueryKey, data: unknown): boolean {
  const [, area, kind] = queryKey;
  return (area === 'members' && kind === 'list') || Array.isArray((data as { pages?: unknown })?.pages);
}

function areasOf(type: string): readonly string[] {
  return affected.find(([start]) => type.startsWith(start))?.[1] ?? [];
}

/** The name of a group is shown with each of its members, and that of a login provider with their accounts. */
function isAboutEveryMember(type: string): boolean {
  return /^(access-group|login-provider)\.\w+$/.test(type);
}
