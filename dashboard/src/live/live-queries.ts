import { GatehouseError } from '@gatehouse/client';
import type { SiteChanges } from '@gatehouse/contract/dashboard';
import type { Query, QueryClient } from '@tanstack/react-query';
import { firstPageOf, isAtTop } from '../queries/long-lists.ts';
import { affectedBy, isGrowingList } from './affected.ts';

const firstPauseMilliseconds = 300;
/** Between the end of fetching and the next beginning, and how much longer if the responses take long. */
const minPauseMilliseconds = 2_000;
const pausePerDuration = 4;
/** After a failure, such as a restart of the service or too many requests. */
const failurePauseMilliseconds = 10_000;
/** Nothing moves while the operator is about to press something. */
const stillMilliseconds = 1_000;
/** With more, the members are not compared one by one. */
const maxMemberIds = 1_000;

const uses = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/**
 * Fetches again what is shown of a site and has changed: only what is visible, together for all changes of a moment, and
 * only while the operator does nothing. A growing list waits until its reader is at the top.
 */
export class LiveQueries {
  readonly #client: QueryClient;
  readonly #siteId: string;
  #types: Set<string> | undefined = new Set();
  #memberIds: Set<string> | null = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What failed, and waits for its next attempt. */
  readonly #failed = new Set<Query>();
  #failureTimer: ReturnType<typeof setTimeout> | undefined;
  #notBefore = 0;
  #usedAt = 0;
  #isFetching = false;
  #isStarted = false;

  constructor(client: QueryClient, siteId: string) {
    this.#client = client;
    this.#siteId = siteId;
  }

  /** Returns the function that stops it. */
  start(): () => void {
    const onUse = () => {
      this.#usedAt = performance.now();
    };
    const onLook = () => this.#schedule();
    for (const type of uses) window.addEventListener(type, onUse, { passive: true, capture: true });
    window.addEventListener('scroll', onLook, { passive: true });
    document.addEventListener('visibilitychange', onLook);
    this.#isStarted = true;
    return () => {
      for (const type of uses) window.removeEventListener(type, onUse, { capture: true });
      window.removeEventListener('scroll', onLook);
      document.removeEventListener('visibilitychange', onLook);
      this.#isStarted = false;
      clearTimeout(this.#timer);
      clearTimeout(this.#failureTimer);
      this.#failed.clear();
      this.#timer = undefined;
      // For when the pages of the site are opened again.
      this.#markStale();
    };
  }

  add({ types, memberIds }: SiteChanges): void {
    for (const type of types) this.#types?.add(type);
    const isTooMuch = memberIds === null || (this.#memberIds?.size ?? 0) + memberIds.length > maxMemberIds;
    if (isTooMuch) this.#memberIds = null;
    else for (const id of memberIds) this.#memberIds?.add(id);
    this.#schedule(firstPauseMilliseconds);
  }

  /** What has changed is not known. */
  addEverything(): void {
    this.#types = undefined;
    this.#schedule(firstPauseMilliseconds);
  }

  #schedule(milliseconds = 0): void {
    if (!this.#isStarted || this.#timer !== undefined || this.#isFetching) return;
    const now = performance.now();
    const wait = Math.max(milliseconds, this.#notBefore - now, this.#usedAt + stillMilliseconds - now);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (document.visibilityState !== 'visible') return;
      if (performance.now() - this.#usedAt < stillMilliseconds) this.#schedule();
      else void this.#fetch();
    }, wait);
  }

  async #fetch(): Promise<void> {
    this.#markStale();
    const due = this.#client.getQueryCache().findAll({ type: 'active', predicate: (it) => this.#isDue(it) });
    if (due.length === 0) return;
    const chosen = new Set(due);
    const startedAt = performance.now();
    this.#isFetching = true;
    for (const query of due) {
      const data = firstPageOf(query.state.data);
      if (data !== query.state.data) query.setState({ data });
    }
    await this.#client.refetchQueries({ predicate: (query) => chosen.has(query) });
    this.#isFetching = false;
    const endedAt = performance.now();
    this.#notBefore = endedAt + Math.max(minPauseMilliseconds, (endedAt - startedAt) * pausePerDuration);
    if (!this.#isStarted) return;
    this.#repeatLater(due.filter(hasFailed));
    const isLeft = due.some((query) => query.state.error === null && this.#isDue(query));
    if (this.#hasChanges || isLeft) this.#schedule();
  }

  #repeatLater(failed: readonly Query[]): void {
    if (failed.length === 0) return;
    for (const query of failed) this.#failed.add(query);
    clearTimeout(this.#failureTimer);
    this.#failureTimer = setTimeout(() => {
      this.#failed.clear();
      this.#schedule();
    }, failurePauseMilliseconds);
  }

  get #hasChanges(): boolean {
    return this.#types === undefined || this.#types.size > 0;
  }

  /** Marks what has changed. A response that was on its way before the change would count as new, so it is marked too. */
  #markStale(): void {
    if (!this.#hasChanges) return;
    const changes = this.#types
      ? { types: [...this.#types], memberIds: this.#memberIds && [...this.#memberIds] }
      : { types: undefined, memberIds: null };
    this.#types = new Set();
    this.#memberIds = new Set();
    const isAffected = affectedBy(this.#siteId, changes as SiteChanges);
    const queries = this.#client
      .getQueryCache()
      .findAll({ predicate: ({ queryKey }) => isAffected(queryKey) });
    for (const query of queries) {
      query.invalidate();
      if (query.state.fetchStatus !== 'fetching') continue;
      const markAgain = () => {
        query.invalidate();
        this.#schedule();
      };
      query.promise?.then(markAgain, markAgain);
    }
  }

  #isDue(query: Query): boolean {
    const { queryKey, state } = query;
    if (queryKey[0] !== this.#siteId || !state.isInvalidated || this.#failed.has(query)) return false;
    return isAtTop() || !isGrowingList(queryKey, state.data);
  }
}

/** Whether another attempt may succeed. An object that was deleted stays so. */
function hasFailed(query: Query): boolean {
  const { isInvalidated, error } = query.state;
  if (!query.isActive() || !isInvalidated || error === null) return false;
  if (!(error instanceof GatehouseError) || error.status === undefined) return true;
  return error.status === 429 || error.status >= 500;
}
