/** The options of every call. */
export interface CallOptions {
  /**
   * Aborts the call, including its retries and the delays between them. The call then rejects with the reason of the
   * signal.
   */
  signal?: AbortSignal | undefined;
  /**
   * A UUID that identifies the call in the log of the service. By default the client generates one. Retries use the
   * same one.
   */
  requestId?: string | undefined;
  /** Further headers, for example `traceparent`. */
  headers?: Record<string, string> | undefined;
}

/** For calls that create something. */
export interface CreateOptions extends CallOptions {
  /**
   * Makes the call take effect only once, even if it is sent repeatedly within 24 hours: a repeated call gets the first
   * response. By default the client generates a key for each call, which covers its own retries. Set a key to cover
   * retries of your program too.
   */
  idempotencyKey?: string | undefined;
}

/** For calls that change or delete one resource. */
export interface ChangeOptions extends CallOptions {
  /**
   * An `etag`: the call takes effect only if the resource has not changed since; otherwise it fails with
   * `precondition_failed`.
   */
  ifMatch?: string | undefined;
}
