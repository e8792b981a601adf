/** What the address says about the view of the page. */
export type EventsSearch = Record<string, never>;

export function readEventsSearch(_search: Record<string, unknown>): EventsSearch {
  return {};
}
