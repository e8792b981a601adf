import type { LoginProvider } from '@gatehouse/client';

/** The search parameters of the page: the type of the new provider, once it is chosen. */
export interface ProviderSearch {
  type?: LoginProvider['type'];
}

const types = ['google', 'microsoft', 'github', 'apple', 'oidc'] as const;

/** Parses the search parameters. Invalid ones are left out. */
export function readProviderSearch({ type }: Record<string, unknown>): ProviderSearch {
  const known = types.find((each) => each === type);
  return known ? { type: known } : {};
}
