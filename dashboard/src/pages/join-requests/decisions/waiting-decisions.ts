import { Listeners } from '../../../session/listeners.ts';

/** For how long a decision can be undone before it is sent. */
const undoMilliseconds = 10_000;

/** A decision that can still be undone. */
export interface Decision {
  /** The requests that it decides. */
  readonly ids: readonly string[];
  /** Sends it. Never rejects. */
  readonly send: () => Promise<void>;
  /** Called when it can no longer be undone. */
  readonly onEnd: () => void;
}

/** Decisions that are sent after ten seconds, or at once when the page is left. */
export class WaitingDecisions {
  readonly #timers = new Map<Decision, ReturnType<typeof setTimeout> | undefined>();
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.subscribe;
  #ids: ReadonlySet<string> = new Set();

  /** The requests whose decision waits or is being sent. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  add(decision: Decision): void {
    this.#ids = new Set([...this.#ids, ...decision.ids]);
    this.#start(decision);
    this.#listeners.notify();
  }

  /** Without effect on a decision that has been sent. */
  undo(decision: Decision): void {
    if (this.#end(decision)) this.#release(decision);
  }

  /** Lets a decision wait while its notification is being used. */
  hold(decision: Decision, isHeld: boolean): void {
    if (!this.#timers.has(decision)) return;
    clearTimeout(this.#timers.get(decision));
    if (isHeld) this.#timers.set(decision, undefined);
    else this.#start(decision);
  }

  /** Sends everything now. */
  flush(): void {
    for (const decision of [...this.#timers.keys()]) void this.#send(decision);
  }

  #start(decision: Decision): void {
    const timer = setTimeout(() => void this.#send(decision), undoMilliseconds);
    this.#timers.set(decision, timer);
  }

  async #send(decision: Decision): Promise<void> {
    if (!this.#end(decision)) return;
    await decision.send();
    this.#release(decision);
  }

  /** Returns whether it was still waiting. */
  #end(decision: Decision): boolean {
    if (!this.#timers.has(decision)) return false;
    clearTimeout(this.#timers.get(decision));
    this.#timers.delete(decision);
    decision.onEnd();
    return true;
  }

  #release({ ids }: Decision): void {
    this.#ids = new Set([...this.#ids].filter((id) => !ids.includes(id)));
    this.#listeners.notify();
  }
}
