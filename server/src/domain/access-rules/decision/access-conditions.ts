import { isIP } from 'node:net';
import type { AccessAlternative, AlternativeResult, GroupMatch, Member } from '@gatehouse/contract';
import { memoized } from '../../../base/caches/memoized.ts';
import { isIn, type Network, readAddress, readNetwork } from '../../../base/networks/networks.ts';

/** What rules check beside the visitor. */
export interface Circumstances {
  /** In milliseconds since 1970. */
  readonly time: number;
  /** The IP address of the visitor; undefined if it is unknown. Called only if a rule depends on it. */
  ipAddress(): string | undefined;
  /** The page codes that the visitor has entered; left out for none. */
  readonly pageCodes?: PageCodes;
}

/** The page codes that a visitor has entered. */
export interface PageCodes {
  hasAny(pageCodeIds: readonly string[]): boolean;
}

/** An alternative in the form that is evaluated at every request. */
export interface CompiledAlternative {
  readonly alternative: AccessAlternative;
  /** In milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  /** Whether an address is in one of the networks; undefined if any is allowed. */
  readonly isVisitedFrom: ((address: string) => boolean) | undefined;
}

/** The alternatives must have passed `checkAlternatives`. */
export function compileAlternatives(alternatives: readonly AccessAlternative[]): CompiledAlternative[] {
  return alternatives.map((alternative) => ({
    alternative,
    from: alternative.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(alternative.from),
    until: alternative.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(alternative.until),
    isVisitedFrom: alternative.networks && checkerOf(alternative.networks.map(readNetwork)),
  }));
}

/** Whether an alternative is met, or the first requirement that is not. */
export function checkAlternative(
  { alternative, from, until, isVisitedFrom }: CompiledAlternative,
  circumstances: Circumstances,
  visitor: VisitorState | null,
): AlternativeResult {
  if (circumstances.time < from) return 'from';
  if (circumstances.time >= until) return 'until';
  if (isVisitedFrom) {
    const address = circumstances.ipAddress();
    if (address === undefined || !isVisitedFrom(address)) return 'networks';
  }
  if (alternative.access === 'public') return 'met';
  if (alternative.access === 'code')
    return hasEntered(alternative.pageCodeIds ?? [], circumstances) ? 'met' : 'code';
  if (!visitor) return 'login';
  if (visitor.status !== 'active') return 'active';
  if (alternative.access === 'paying_members' && visitor.paid !== true) return 'paid';
  // What only a newer version understands gives no access.
  if (alternative.access !== 'members' && alternative.access !== 'paying_members') return 'groups';
  const { groupIds, match = 'any' } = alternative;
  return groupIds === undefined || isInGroups(groupIds, match, visitor.groupIds) ? 'met' : 'groups';
}

/** A visitor usually sends many requests one after another. */
const maxCachedAddresses = 100;

function checkerOf(networks: readonly Network[]): (address: string) => boolean {
  return memoized((address) => {
    if (isIP(address) === 0 || address.includes('%')) return false;
    const read = readAddress(address);
    return networks.some((network) => isIn(network, read));
  }, maxCachedAddresses);
}

/** Whether a member with the groups `held` is in any, or in all, of the groups of a rule. */
export function isInGroups(
  groupIds: readonly string[],
  match: GroupMatch,
  held: ReadonlySet<string> | readonly string[],
): boolean {
  const has = (id: string) => ('has' in held ? held.has(id) : held.includes(id));
  // With `all`, a rule without groups would otherwise match everyone.
  if (match === 'all') return groupIds.length > 0 && groupIds.every(has);
  return groupIds.some(has);
}

/** Whether the visitor has entered one of these page codes. */
export function hasEntered(pageCodeIds: readonly string[], { pageCodes }: Circumstances): boolean {
  return pageCodes?.hasAny(pageCodeIds) ?? false;
}

/** The properties of a logged-in visitor that rules check. */
export interface VisitorState {
  readonly status: Member['status'];
  readonly paid: boolean | null;
  readonly groupIds: ReadonlySet<string> | readonly string[];
}
