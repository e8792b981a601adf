import type { Operation } from '@gatehouse/contract';
import { WrongUsage } from '../../app/failure.ts';
import { parseJson, readFlag, readText } from './flag-values.ts';
import type { Flag } from './flags.ts';
import { isReference, resolve } from './references.ts';
import type { Parts, SiteApi } from './site-api.ts';

/** What was given to the command of an operation. */
export interface Given {
  /** The path parameters, in their order. */
  readonly named: readonly string[];
  /** By property. */
  readonly flags: ReadonlyMap<Flag, string | boolean | readonly string[]>;
  /** The file with the whole body; `-` for the standard input. */
  readonly file?: string | undefined;
  /** Properties of the body that are not flags of the contract. */
  readonly extra?:
    | ((
        api: SiteApi,
        fields: Readonly<Record<string, unknown>>,
        params: Readonly<Record<string, string>>,
      ) => Promise<object>)
    | undefined;
}

/** The parts of the call that a person has described. @throws {WrongUsage | CommandFailure} */
export async function partsOf(operation: Operation, given: Given, api: SiteApi): Promise<Parts> {
  const params: Record<string, string> = {};
  for (const [index, name] of Object.keys(operation.params.properties).entries())
    params[name] = await resolve(api, name, given.named[index]!, params);
  const query: Record<string, unknown> = {};
  const fields: Record<string, unknown> = {};
  for (const [flag, value] of given.flags) {
    const place = flag.place === 'query' ? query : fields;
    place[flag.property] = await resolved(
      api,
      flag,
      await readFlag(flag, value, () => api.timeZoneForDays()),
    );
  }
  if (operation.body === null) return { params, query };
  const whole = given.file === undefined ? {} : await readBody(operation, given.file);
  const body = { ...whole, ...fields };
  const all = { ...body, ...(await given.extra?.(api, body, params)) };
  if (operation.method === 'PATCH' && Object.keys(all).length === 0)
    throw new WrongUsage('Nothing to change. Use an option that says what to change: see --help.');
  return { params, query, body: all };
}

async function resolved(api: SiteApi, { property }: Flag, value: unknown): Promise<unknown> {
  if (!isReference(property)) return value;
  if (typeof value === 'string') return resolve(api, property, value);
  return Array.isArray(value) ? Promise.all(value.map((each) => resolve(api, property, each))) : value;
}

/**
 * The body in a file. What the API has returned can be sent back: it may be a list, where the body has only one, and
 * times of the last change are left out.
 */
async function readBody({ body }: Operation, file: string): Promise<Record<string, unknown>> {
  const where = file === '-' ? 'The standard input' : file;
  const value = parseJson(await readText(file, '--file'), where);
  const { properties = {}, required = [] } = body as { properties?: object; required?: readonly string[] };
  if (Array.isArray(value) && required.length === 1) return { [required[0]!]: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WrongUsage(`${where} must be a JSON object.`);
  const { updatedAt, ...fields } = value as Record<string, unknown>;
  return 'updatedAt' in properties ? { updatedAt, ...fields } : fields;
}
