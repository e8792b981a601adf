/** A call under way: await it for the data, or `withResponse()` for what came with it. */
export interface Call<Data> extends Promise<Data> {
  /** The data together with what the answer says beside it: ETag, request id, rate limit. */
  withResponse(): Promise<WithResponse<Data>>;
}

export interface WithResponse<Data> {
  data: Data;
  response: ResponseInfo;
}

/** What an answer says beside its data. */
export interface ResponseInfo {
  status: number;
  /** Names the request in the log of the service. */
  requestId: string | undefined;
  /** The version of the thing, for `ifMatch`; undefined for lists and for what was deleted. */
  etag: string | undefined;
  /** The address of what was created. */
  location: string | undefined;
  /** How many requests the key has left in the current window. */
  rateLimit: { limit: number; remaining: number; resetsAt: Date } | undefined;
  /** Whether this is the answer to an earlier call with the same idempotency key. */
  replayed: boolean;
  headers: Headers;
}

/** An answer as it came: the whole body. @internal */
export interface Answer<Body> {
  body: Body;
  response: ResponseInfo;
}

/** @internal */
export function toCall<Body, Data>(answer: Promise<Answer<Body>>, dataOf: (body: Body) => Data): Call<Data> {
  const withResponse = answer.then(({ body, response }) => ({ data: dataOf(body), response }));
  const data = withResponse.then((result) => result.data);
  return Object.assign(data, {
    withResponse() {
      // Whoever asks for the response hears of a failure there.
      data.catch(() => {});
      return withResponse;
    },
  });
}

/** @internal The data of an answer that has nothing else. */
export function dataOf<Data>(body: { data: Data }): Data {
  return body.data;
}

/** @internal The data of an answer that has more: all of it. */
export function whole<Body>(body: Body): Body {
  return body;
}
