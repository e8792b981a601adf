/** What is called after something outside of the components has changed. */
export class Listeners {
  readonly #all = new Set<() => void>();

  /** Returns the function that ends it, as `useSyncExternalStore` needs it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  notify(): void {
    for (const listener of this.#all) listener();
  }
}

/** Something that only the operator can do, and that calls wait for. */
export class OperatorStep<Result> {
  #awaited: PromiseWithResolvers<Result> | undefined;
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.subscribe;

  /** Whether calls are waiting for it. */
  get isAwaited(): boolean {
    return this.#awaited !== undefined;
  }

  wait(): Promise<Result> {
    if (this.#awaited) return this.#awaited.promise;
    this.#awaited = Promise.withResolvers<Result>();
    this.#listeners.notify();
    return this.#awaited.promise;
  }

  end(result: Result): void {
    this.#awaited?.resolve(result);
    this.#awaited = undefined;
    this.#listeners.notify();
  }
}
