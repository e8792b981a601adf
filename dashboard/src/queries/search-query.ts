import { maxQueryLength } from '@gatehouse/contract/limits';

/** A search text in the form that the API accepts; undefined if it is empty. */
export function toQuery(typed: string): string | undefined {
  const query = [...typed.replace(/\p{Cc}+/gu, ' ').trim()].slice(0, maxQueryLength).join('');
  return query === '' ? undefined : query;
}
