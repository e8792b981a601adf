/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the call, its retries and the waiting between them; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** A UUID to find the call by in the log of the service. Left out, the client makes one. Retries keep it. */
  requestId?: string | undefined;
  /** Further headers, for example `traceparent`. */
  headers?: Record<string, string> | undefined;
}

/** For calls that create something. */
export interface CreateOptions extends CallOptions {
  /**
   * Makes the call take effect once, however often it is sent within 24 hours: a repeated call gets the first answer.
   * Left out, the client makes one for each call, which covers its own retries. Give one to cover those of your program too.
   */
  idempotencyKey?: string | undefined;
}

/** For calls that change or delete one thing. */
export interface ChangeOptions extends CallOptions {
  /** An `etag`: the call has an effect only if the thing is still as it was then, else it fails with `precondition_failed`. */
  ifMatch?: string | undefined;
}
