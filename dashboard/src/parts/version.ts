import { GatehouseError } from '@gatehouse/client';

/** What was read of the service, and which of its versions that is. */
export interface Version<Resource> {
  readonly data: Resource;
  readonly etag: string | undefined;
}

/**
 * Changes some fields of what was read as `base`. A newer version is in the way only if one of these fields is another
 * one there. @throws GatehouseError `precondition_failed`
 */
export async function changeFields<Resource, Answer>({
  base,
  fields,
  read,
  send,
}: {
  base: Version<Resource>;
  fields: readonly (keyof Resource)[];
  read: () => Promise<Version<Resource>>;
  send: (etag: string | undefined) => Promise<Answer>;
}): Promise<Answer> {
  try {
    return await send(base.etag);
  } catch (error) {
    if (!isStale(error)) throw error;
    const newer = await read();
    if (fields.some((field) => newer.data[field] !== base.data[field])) throw error;
    return send(newer.etag);
  }
}

/** The version that came with an answer. */
export function toVersion<Resource>({
  data,
  response,
}: {
  data: Resource;
  response: { etag: string | undefined };
}): Version<Resource> {
  return { data, etag: response.etag };
}

/** Whether a change was refused because the thing is no longer as it was when it was read. */
export function isStale(error: unknown): boolean {
  return error instanceof GatehouseError && error.code === 'precondition_failed';
}
