const pauseMilliseconds = 2_000;

/** Refreshes the operator's account after changes: the first time at once, then in pauses, and only in a visible tab. */
export class AccountRefresh {
  readonly #refresh: () => void;
  #isDue = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(refresh: () => void) {
    this.#refresh = refresh;
  }

  /** Returns the function that stops it. */
  start(): () => void {
    const onVisibility = () => this.#run();
    document.addEventListener('visibilitychange', onVisibility);
    onVisibility();
    return () => document.removeEventListener('visibilitychange', onVisibility);
  }

  /** The account may have changed. */
  add(): void {
    this.#isDue = true;
    this.#run();
  }

  #run(): void {
    if (!this.#isDue || this.#timer !== undefined || document.visibilityState !== 'visible') return;
    this.#isDue = false;
    this.#refresh();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, pauseMilliseconds);
  }
}
