/** What the address says about the view of the page. */
export type MembersSearch = Record<string, never>;

export function readMembersSearch(_search: Record<string, unknown>): MembersSearch {
  return {};
}
