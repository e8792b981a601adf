import { type Call, GatehouseError } from '@gatehouse/client';

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

/** The values of a form that are saved: those that differ from what it began with. */
interface FormChanges<Resource, Values> {
  /** What the form was loaded with, and the values that it began with. */
  base: Version<Resource>;
  before: Values;
  values: Values;
  read: () => Call<Resource>;
  send: (changes: Partial<Values>, etag: string | undefined) => Promise<Resource>;
}

/** Saves the values of a form with `changeFields`. Sends nothing if none has changed. */
export async function saveChanged<Resource, Values extends object>(
  form: FormChanges<Resource, Values>,
): Promise<Resource> {
  const { base, before, values, read, send } = form;
  const fields = (Object.keys(values) as (keyof Values & keyof Resource)[]).filter(
    (field) => JSON.stringify(values[field]) !== JSON.stringify(before[field]),
  );
  if (fields.length === 0) return base.data;
  const changes: Partial<Values> = {};
  for (const field of fields) changes[field] = values[field];
  return changeFields({
    base,
    fields,
    read: () => versionOf(read()),
    send: (etag) => send(changes, etag),
  });
}

/** What a call returns, with its version. */
export async function versionOf<Resource>(call: Call<Resource>): Promise<Version<Resource>> {
  const { data, response } = await call.withResponse();
  return { data, etag: response.etag };
}

/** Whether a change was rejected because the object has changed since it was loaded. */
export function isConflict(error: unknown): boolean {
  return error instanceof GatehouseError && error.code === 'precondition_failed';
}
