import { inject } from 'vitest';
import type { Store } from './stores.ts';

/**
 * For tests that do not involve the store, but use the server of those that do: whether a store is the one on which they
 * are declared. Tests with a server of their own use `forOneStore`.
 */
export function isFirstStore({ name }: Store): boolean {
  return name === inject('stores')[0]!.name;
}
