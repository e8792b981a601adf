/** As much as the service takes. */
const longestQuery = 200;

/** What was typed into a search, as the service takes it; undefined when that is nothing. */
export function toQuery(typed: string): string | undefined {
  const query = [...typed.replace(/\p{Cc}+/gu, ' ').trim()].slice(0, longestQuery).join('');
  return query === '' ? undefined : query;
}
