/** A running call: await it for the data, or `withResponse()` for the data and the response. */
export interface Call<Data> extends Promise<Data> {
  /** The data with the metadata of the response: ETag, request ID, rate limit. */
  withResponse(): Promise<WithResponse<Data>>;
}

export interface WithResponse<Data> {
  data: Data;
  response: ResponseInfo;
}

/** The metadata of a response. */
export interface ResponseInfo {
  status: number;
  /** Identifies the request in the log of the service. */
  requestId: string | undefined;
  /** The version of the resource, for `ifMatch`; undefined for lists and deletions. */
  etag: string | undefined;
  /** The URL of the created resource. */
  location: string | undefined;
  /** The rate limit of the key and the requests left in the current window. */
  rateLimit: { limit: number; remaining: number; resetsAt: Date } | undefined;
  /** Whether this is the stored response to an earlier call with the same idempotency key. */
  replayed: boolean;
  headers: Headers;
}

/** A response with its whole body. @internal */
export interface ReceivedResponse<Body> {
  body: Body;
  response: ResponseInfo;
}

/** @internal */
export function toCall<Body, Data>(
  response: Promise<ReceivedResponse<Body>>,
  dataOf: (body: Body) => Data,
): Call<Data> {
  const withResponse = response.then(({ body, response }) => ({ data: dataOf(body), response }));
  const data = withResponse.then((result) => result.data);
  return Object.assign(data, {
    withResponse() {
      // The caller handles a failure on the promise of the response.
      data.catch(() => {});
      return withResponse;
    },
  });
}
