/** The search parameters of the page: the type of the new provider, once it is chosen. */
export interface ProviderSearch {
  type?: string;
}

/** Parses the search parameters. The page checks the type, whose facts are not in the first load. */
export function readProviderSearch({ type }: Record<string, unknown>): ProviderSearch {
  return typeof type === 'string' ? { type } : {};
}
