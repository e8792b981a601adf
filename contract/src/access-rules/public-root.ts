import type { AccessRule } from './access-rules.ts';

/**
 * The paths of the rules that protect pages although everyone has access to `/` at the same host; each path once, in the
 * order of the rules. A program that serves its pages under further URLs, such as `/?s=` or `/feed/`, shows them
 * there. Files have no further URLs.
 */
export function protectedBelowPublicRoot(rules: readonly AccessRule[]): string[] {
  const roots = rules.filter(({ path, appliesTo }) => path === '/' && appliesTo !== 'page');
  const isPublic = (rule: AccessRule | undefined) => rule !== undefined && admitsAnonymous(rule);
  const general = roots.find(({ hosts }) => hosts === undefined);
  const rootAt = (host: string) => roots.find(({ hosts }) => hosts?.includes(host)) ?? general;
  const isBelowPublicRoot = ({ hosts }: AccessRule) =>
    hosts ? hosts.some((host) => isPublic(rootAt(host))) : roots.some(isPublic);
  const found = rules.filter(
    (rule) => rule.path !== '/' && !admitsEverybody(rule) && isBelowPublicRoot(rule),
  );
  return [...new Set(found.map(({ path }) => path))];
}

/** Whether some visitors have access without a login: all of them, or those of a network or a time. */
function admitsAnonymous(rule: AccessRule): boolean {
  return rule.access === 'public' || (rule.access === 'conditional' && rule.anyOf.some(isPublicAlternative));
}

function admitsEverybody(rule: AccessRule): boolean {
  if (rule.access !== 'conditional') return rule.access === 'public';
  return rule.anyOf.some(
    (alternative) =>
      isPublicAlternative(alternative) &&
      alternative.from === undefined &&
      alternative.until === undefined &&
      alternative.networks === undefined,
  );
}

function isPublicAlternative({ access }: { readonly access: string }): boolean {
  return access === 'public';
}
