import type { Operation } from '@gatehouse/contract';
import { WrongUsage } from '../../app/failure.ts';
import type { WhereOptions } from '../shared/where-options.ts';
import { findCollection } from '../sources/named-source.ts';
import type { Addition } from './addition.ts';
import type { Parts, SiteApi } from './calls/site-api.ts';
import type { GivenValue } from './flags/flag-options.ts';
import { parseJson, readFlag, readText } from './flags/flag-values.ts';
import type { Flag } from './flags/flags.ts';
import { propertiesOf, type Schema } from './flags/schema.ts';
import { isReference, resolve } from './references.ts';

/** The options of the command of every operation. */
export interface OperationOptions extends WhereOptions {
  readonly file?: string;
  readonly jsonl?: boolean;
  readonly yes?: boolean;
  readonly wait?: boolean;
}

/** What was given to the command of an operation. */
export interface Given {
  /** The path parameters, in their order. */
  readonly named: readonly (string | undefined)[];
  readonly flags: ReadonlyMap<Flag, GivenValue>;
  /** All options; `file` is the file with the whole body, `-` for the standard input. */
  readonly options: OperationOptions;
}

interface DescribedCall {
  readonly operation: Operation;
  readonly addition: Addition;
  readonly given: Given;
}

/** The parts of the call that a person has described. @throws {WrongUsage | CommandFailure} */
export async function partsOf(
  { operation, addition, given: { named, flags, options } }: DescribedCall,
  api: SiteApi,
): Promise<Parts> {
  const params: Record<string, string> = {};
  for (const [index, name] of Object.keys(operation.params.properties).entries())
    params[name] = await resolveParameter(api, operation, name, { named: named[index], params });
  await addition.before?.({ api, params, options: { ...options } });
  const { query, body: fields } = await readFlags(api, flags);
  if (operation.body === null) return { params, query };
  const whole = options.file === undefined ? {} : await readBody(operation, options.file);
  const body = { ...whole, ...fields };
  const all = { ...body, ...(await addition.fieldsOf?.({ api, params, options: { ...options } }, body)) };
  if (operation.method === 'PATCH' && Object.keys(all).length === 0)
    throw new WrongUsage('Nothing to change. Use an option that says what to change: see --help.');
  return { params, query, body: all };
}

async function resolveParameter(
  api: SiteApi,
  { id }: Operation,
  name: string,
  { named, params }: { readonly named: string | undefined; readonly params: Record<string, string> },
): Promise<string> {
  // A program chooses the keys of the collections that it uploads.
  if (id !== 'previewSourceCollection' || name !== 'collectionKey') return resolve(api, name, named!, params);
  return (await findCollection(api, params.sourceId!, named)).key;
}

/** The values of flags, by place and property. @throws {WrongUsage | CommandFailure} */
export async function readFlags(api: SiteApi, flags: Given['flags']) {
  const values: Record<Flag['place'], Record<string, unknown>> = { query: {}, body: {} };
  for (const [flag, given] of flags)
    values[flag.place][flag.property] = await resolved(
      api,
      flag,
      await readFlag(flag, given, () => api.timeZoneForDays()),
    );
  return values;
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
  const { properties, required } = propertiesOf(body as Schema);
  if (Array.isArray(value) && required.length === 1) return { [required[0]!]: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WrongUsage(`${where} must be a JSON object.`);
  const { updatedAt, ...fields } = value as Record<string, unknown>;
  return 'updatedAt' in properties ? { updatedAt, ...fields } : fields;
}
