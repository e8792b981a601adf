/** The search parameters of the page: what is tested first. */
export interface RulesSearch {
  path?: string | undefined;
  /** The visitor. Without it, the visitor is not logged in. */
  memberId?: string | undefined;
}

/** Parses the search parameters. Invalid ones are left out. */
export function readRulesSearch({ path, memberId }: Record<string, unknown>): RulesSearch {
  return {
    ...(typeof path === 'string' && path.startsWith('/') && { path }),
    ...(typeof memberId === 'string' && memberId !== '' && { memberId }),
  };
}
