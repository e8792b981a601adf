import type { AccessRule } from '@gatehouse/contract';

/**
 * The rules as they are stored. A version that knows no page codes takes an alternative for a code as one for members: with
 * an empty list of groups, no member meets it there.
 */
export function toStoredRules(rules: readonly AccessRule[]): string {
  const stored = rules.map((rule) => {
    if (rule.access !== 'conditional') return rule;
    return {
      ...rule,
      anyOf: rule.anyOf.map((each) => (each.access === 'code' ? { ...each, groupIds: [] } : each)),
    };
  });
  return JSON.stringify(stored);
}

export function readStoredRules(text: string): AccessRule[] {
  return (JSON.parse(text) as AccessRule[]).map((rule) => {
    if (rule.access !== 'conditional') return rule;
    const anyOf = rule.anyOf.map((each) => {
      if (each.access !== 'code') return each;
      const { groupIds, ...alternative } = each;
      return alternative;
    });
    return { ...rule, anyOf };
  });
}
