import type { AccessRule } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { useGatehouse, useMay } from '../../session/site.ts';
import { useSavedRules } from './access-rules.ts';

/**
 * Returns the paths that the rules open for a group. Undefined while they are loading, or if the operator may not read
 * them.
 */
export function useOpenedPaths(): ((groupId: string) => string[]) | undefined {
  const mayRead = useMay('site:read');
  const { data } = useSavedRules(mayRead);
  return data && ((groupId) => pathsOf(data.data, groupId));
}

/** What names a group, and has no effect through it any more when the group is deleted. */
export interface GroupUses {
  readonly paths: readonly string[];
  /** The email domains whose new members are added to it. */
  readonly domains: readonly string[];
  /** How many active invitations add members to it. */
  readonly invitations: number;
}

/** Loads what names a group: nothing of what the operator may not read, or that cannot be loaded. */
export function useGroupUses(): (groupId: string) => Promise<GroupUses> {
  const { accessRules, site, invitations } = useGatehouse();
  const mayReadSite = useMay('site:read');
  const mayReadInvitations = useMay('invitations:read');
  return async (groupId) => {
    const [rules, signUp, active] = await Promise.allSettled([
      mayReadSite ? accessRules.get() : undefined,
      mayReadSite ? site.get() : undefined,
      mayReadInvitations ? invitations.list({ status: 'active', limit: maxPageSize }).page() : undefined,
    ]);
    const isNamed = ({ accessGroupIds }: { accessGroupIds: readonly string[] }) =>
      accessGroupIds.includes(groupId);
    return {
      paths: pathsOf(loaded(rules)?.rules ?? [], groupId),
      domains: (loaded(signUp)?.signUp.domains ?? []).filter(isNamed).map(({ domain }) => domain),
      invitations: (loaded(active)?.data ?? []).filter(isNamed).length,
    };
  };
}

function loaded<Value>(result: PromiseSettledResult<Value>): Value | undefined {
  return result.status === 'fulfilled' ? result.value : undefined;
}

/** The paths of the rules that name a group, each once. */
function pathsOf(rules: readonly AccessRule[], groupId: string): string[] {
  return [...new Set(rules.filter((rule) => groupIdsOf(rule).includes(groupId)).map(({ path }) => path))];
}

function groupIdsOf(rule: AccessRule): readonly string[] {
  if (rule.access === 'conditional') return rule.anyOf.flatMap(({ groupIds = [] }) => groupIds);
  return rule.access === 'groups' ? rule.groupIds : [];
}
