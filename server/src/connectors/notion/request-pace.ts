const millisecondsBetween = 1000 / 3;
/** The requests that may be sent at once after a pause. */
const burst = 10;
const maxDelayMilliseconds = 60_000;

/** Spaces out the requests with one token: three a second on average, which is what Notion allows. */
export class RequestPace {
  #next = 0;

  /** Plans a request. Returns the milliseconds to wait until it may be sent. */
  plan(now: number): number {
    const earliest = Math.max(this.#next, now - (burst - 1) * millisecondsBetween);
    // A clock that was set back must not stop all requests.
    const at = Math.min(earliest, now + maxDelayMilliseconds);
    this.#next = at + millisecondsBetween;
    return Math.max(0, at - now);
  }

  /** No request that is planned from now on is sent earlier. */
  pause(now: number, milliseconds: number): void {
    this.#next = Math.max(this.#next, now + milliseconds);
  }

  isIdle(now: number): boolean {
    return this.#next <= now - burst * millisecondsBetween;
  }
}

const paces = new Map<string, RequestPace>();

/** The pace of a token, which all workspaces with this token in the process share. */
export function paceOf(token: string, now: number): RequestPace {
  const known = paces.get(token);
  if (known) return known;
  for (const [other, pace] of paces) if (pace.isIdle(now)) paces.delete(other);
  const pace = new RequestPace();
  paces.set(token, pace);
  return pace;
}
