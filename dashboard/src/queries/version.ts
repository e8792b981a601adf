import { GatehouseError } from '@gatehouse/client';

/** Loaded data with its version. */
export interface Version<Resource> {
  readonly data: Resource;
  readonly etag: string | undefined;
}

/** The state of some objects is part of their version and changes all the time, such as the progress of a replay. */
const maxAttempts = 5;

/**
 * Changes some fields of the data loaded as `base`. A newer version is a conflict only if one of these fields differs
 * in it. @throws {GatehouseError} `precondition_failed`
 */
export async function changeFields<Resource, Result>({
  base,
  fields,
  read,
  send,
}: {
  base: Version<Resource>;
  fields: readonly (keyof Resource)[];
  read: () => Promise<Version<Resource>>;
  send: (etag: string | undefined) => Promise<Result>;
}): Promise<Result> {
  let { etag } = base;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await send(etag);
    } catch (error) {
      if (!isConflict(error) || attempts === maxAttempts) throw error;
      const newer = await read();
      const isChanged = (field: keyof Resource) =>
        JSON.stringify(newer.data[field]) !== JSON.stringify(base.data[field]);
      if (fields.some(isChanged)) throw error;
      etag = newer.etag;
    }
  }
}

/** The version in a response. */
export function toVersion<Resource>({
  data,
  response,
}: {
  data: Resource;
  response: { etag: string | undefined };
}): Version<Resource> {
  return { data, etag: response.etag };
}

/** Whether a change was rejected because the object has changed since it was loaded. */
export function isConflict(error: unknown): boolean {
  return error instanceof GatehouseError && error.code === 'precondition_failed';
}
