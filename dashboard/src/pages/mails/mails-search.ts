/** What the address says about the view of the page. */
export type MailsSearch = Record<string, never>;

export function readMailsSearch(_search: Record<string, unknown>): MailsSearch {
  return {};
}
