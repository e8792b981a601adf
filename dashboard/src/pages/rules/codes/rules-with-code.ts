import type { AccessRule, Site } from '@gatehouse/client';
import { isWildcard } from '@gatehouse/contract/rule-paths';

const maxPaths = 3;

/** The rules that accept a page code. */
export function rulesWithCode(rules: readonly AccessRule[], pageCodeId: string): AccessRule[] {
  return rules.filter((rule) => {
    if (rule.access === 'code') return rule.pageCodeIds.includes(pageCodeId);
    if (rule.access !== 'conditional') return false;
    return rule.anyOf.some(({ pageCodeIds = [] }) => pageCodeIds.includes(pageCodeId));
  });
}

/** The first of their paths, for a sentence. */
export function pathsIn(rules: readonly AccessRule[]): string {
  const paths = rules.map(({ path, hosts = [] }) => (hosts.length > 0 ? `${hosts[0]}${path}` : path));
  return [...paths.slice(0, maxPaths), ...(paths.length > maxPaths ? ['…'] : [])].join(', ');
}

/** Where a visitor enters the code: the only page that accepts it, or else the site. Undefined while it has no domain. */
export function addressFor(rules: readonly AccessRule[], { hosts }: Pick<Site, 'hosts'>): string | undefined {
  const [rule, ...others] = rules;
  const isOnly = rule !== undefined && others.length === 0 && !isWildcard(rule.path);
  const host = (isOnly && hosts.find(({ domain }) => domain === rule.hosts?.[0])) || hosts[0];
  if (!host) return undefined;
  return `${host.scheme}://${host.domain}${isOnly ? rule.path : '/'}`;
}
