import { exampleOf, type Operation, type OperationId, operations } from '@gatehouse/contract';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../../test/contract/answers.ts';
import { everyOperation, pathOf } from '../../../../test/contract/requests.ts';
import { forOneStore } from '../../../../test/stores.ts';
import type { TestResponse, TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { requireMessages } from './shape-messages.ts';

forOneStore((store) => {
  const server = useTestServer(store);

  test('at most twenty fields are named, and only one in a long request', async () => {
    const site = await server.createSite();
    const send = async (count: number, displayName: string) => {
      const members = Array.from({ length: count }, () => ({ email: 7, displayName }));
      const answer = await site.request('POST', '/members/bulk', { body: { members } });
      const { details } = expectResponse('bulkCreateMembers', answer, 400, 'invalid_request');
      return details.map(({ path }: { path: string }) => path);
    };
    const places = (count: number) => Array.from({ length: count }, (_, index) => `/members/${index}/email`);
    expect(await send(3, 'Ada')).toEqual(places(3));
    expect(await send(25, 'Ada')).toEqual(places(20));
    expect(await send(100, 'A'.repeat(200))).toEqual(places(1));
  });

  describe.each(everyOperation)('%s', (operationId) => {
    test('says for every broken rule what is wrong and what to do', async () => {
      const site = await server.createSite();
      for (const broken of brokenRequests(operationId)) {
        const answer = await broken.send(site);
        const expected = `${broken.rule} at ${broken.path}: ${answer.text.slice(0, 1_000)}`;
        const error = expectResponse(operationId, answer, 400, 'invalid_request');
        const detail = error.details.find(({ path }: { path: string }) => path === broken.path);
        expect(detail, expected).toBeDefined();
        expectSentences(detail.message, expected);
        expectSentences(error.message, expected);
        for (const value of broken.mentions) expect(detail.message, expected).toContain(String(value));
      }
    });
  });
});

test.each([
  { type: 'array', uniqueItems: true },
  { type: 'object', properties: { a: { type: 'integer', multipleOf: 2 } } },
  { type: 'array', items: { type: 'string', pattern: '^x$' } },
  { type: 'string', format: 'uri' },
  { oneOf: [{ type: 'string' }, { type: 'null' }] },
])('a schema with a rule that has no message is rejected: %j', (schema) => {
  expect(() => requireMessages(schema)).toThrow('to shape-messages.ts');
});

/** What is wrong, then what to do, and no wording of a validator. */
function expectSentences(message: string, expected: string): void {
  expect(message, expected).toMatch(/^\S.*[^.]\. [A-Z"].*\.$/s);
  expect(message, expected).not.toMatch(
    /must (not|be|have|match)|schema|keyword|undefined|\bNaN\b|\[object/i,
  );
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string };
}

/** A value that breaks one rule of a schema, the path of the error, and the words that its message must contain. */
interface Fault {
  readonly rule: string;
  readonly value: unknown;
  readonly path: string;
  readonly mentions: readonly unknown[];
}

interface BrokenRequest extends Pick<Fault, 'rule' | 'path' | 'mentions'> {
  readonly send: (site: TestSite) => Promise<TestResponse>;
}

function brokenRequests(operationId: OperationId): BrokenRequest[] {
  const operation: Operation = operations[operationId];
  const { method, params, query, body } = operation;
  const ids = exampleOf(params) as Record<string, string>;
  const path = pathOf(operationId, ids);
  const example = body === null ? undefined : exampleOf(body);
  const inPath = textFaults(params).map((fault) => {
    const wrong = { ...ids, ...mapValues(fault.value, encodeURIComponent) };
    return { ...fault, target: pathOf(operationId, wrong), body: example };
  });
  const unknown = { rule: 'unknown', value: { unknown: '1' }, path: '/unknown', mentions: [] };
  const inQuery = [...textFaults(query), unknown].map((fault) => ({
    ...fault,
    target: `${path}?${new URLSearchParams(fault.value as Record<string, string>)}`,
    body: example,
  }));
  const inBody = (body === null ? [] : faultsOf(body)).map((fault) => ({
    ...fault,
    target: path,
    body: fault.value,
  }));
  return [...inPath, ...inQuery, ...inBody].map((fault) => ({
    ...fault,
    // As text, because a string alone is a valid body too.
    send: (site) =>
      site.request(method, fault.target, {
        ...(fault.body !== undefined && { body: JSON.stringify(fault.body) }),
      }),
  }));
}

/** Faults of parameters, whose values are text. */
function textFaults({ properties }: { properties: Record<string, Schema> }) {
  return Object.entries(properties).flatMap(([name, property]) =>
    faultsOf(property, `/${name}`)
      .filter(({ rule, value }) => rule !== 'type' || (property.type === 'integer' && isText(value)))
      .map((fault) => ({ ...fault, value: { [name]: String(fault.value) } })),
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** Every way to break one rule of a schema. */
function faultsOf(schema: Schema, path = ''): Fault[] {
  if (schema.oneOf) return faultsOfVariants(schema, path);
  const fault = (rule: string, value: unknown, ...mentions: unknown[]) => ({ rule, value, path, mentions });
  const types = [schema.type ?? []].flat();
  const faults = values
    .filter((value) => !types.includes(typeOf(value)))
    .map((value) => fault('type', value));
  const { minLength, maxLength, minimum, maximum, format, pattern } = schema;
  if (minLength) faults.push(fault('minLength', 'x'.repeat(minLength - 1)));
  if (maxLength) faults.push(fault('maxLength', tooLong(schema, maxLength + 1)));
  if (format && format !== 'email') faults.push(fault('format', 'nonsense'));
  if (pattern) {
    const value = [' \n', 'a\u0000b', 'no such thing!'].find((text) => !new RegExp(pattern).test(text));
    faults.push(fault('pattern', value));
  }
  if (minimum !== undefined) faults.push(fault('minimum', minimum - 1, minimum));
  if (maximum !== undefined) faults.push(fault('maximum', maximum + 1, maximum));
  if (types.includes('integer')) faults.push(fault('type', 1.5));
  const allowed = 'const' in schema ? [schema.const] : schema.enum;
  if (allowed) faults.push(fault('enum', 'nonsense', ...allowed));
  return [...faults, ...faultsOfItems(schema, path), ...faultsOfFields(schema, path)];
}

function faultsOfItems({ items, minItems, maxItems }: Schema, path: string): Fault[] {
  if (!items) return [];
  const item = exampleOf(items as TSchema);
  const faults: Fault[] = [];
  if (minItems)
    faults.push({ rule: 'minItems', value: [], path, mentions: [minItems === 1 ? 'one' : minItems] });
  if (maxItems) {
    const value = Array.from({ length: maxItems + 1 }, () => item);
    faults.push({ rule: 'maxItems', value, path, mentions: [maxItems.toLocaleString('en')] });
  }
  const inside = faultsOf(items, `${path}/1`).map((fault) => ({ ...fault, value: [item, fault.value] }));
  return [...faults, ...inside];
}

function faultsOfFields(schema: Schema, path: string, example?: object): Fault[] {
  const { properties, required = [], additionalProperties, minProperties } = schema;
  if (!properties) return [];
  const whole = example ?? (exampleOf(schema as TSchema) as object);
  const names = Object.keys(properties);
  const faults: Fault[] = required.map((name) => ({
    rule: 'required',
    value: Object.fromEntries(Object.entries(whole).filter(([each]) => each !== name)),
    path: `${path}/${name}`,
    mentions: [name],
  }));
  if (additionalProperties === false) {
    const value = { ...whole, unknown: 1 };
    faults.push({ rule: 'unknown', value, path: `${path}/unknown`, mentions: names });
  }
  if (minProperties) faults.push({ rule: 'minProperties', value: {}, path, mentions: names });
  const inside = Object.entries(properties).flatMap(([name, property]) =>
    faultsOf(property, `${path}/${name}`).map((fault) => ({
      ...fault,
      value: { ...whole, [name]: fault.value },
    })),
  );
  return [...faults, ...inside];
}

/** The faults of each variant, except those of its tag, which the variants report as a whole. */
function faultsOfVariants({ oneOf = [], discriminator }: Schema, path: string): Fault[] {
  const tag = discriminator!.propertyName;
  const tags = oneOf.flatMap(({ properties }) => {
    const of = properties![tag]!;
    return of.enum ?? [of.const];
  });
  const place = `${path}/${tag}`;
  const faults: Fault[] = values
    .filter((value) => typeOf(value) !== 'object')
    .map((value) => ({ rule: 'type', value, path, mentions: [] }));
  const example = exampleOf(oneOf[0] as TSchema) as object;
  for (const wrong of [undefined, null, 7, 'nonsense', ['x']]) {
    faults.push({ rule: 'tag', value: { ...example, [tag]: wrong }, path: place, mentions: tags });
  }
  const inside = oneOf.flatMap((shape) => {
    const whole = exampleOf({ ...shape, examples: undefined } as TSchema) as object;
    return faultsOfFields(shape, path, whole).filter((fault) => fault.path !== place);
  });
  return [...faults, ...inside];
}

const values = [null, true, 7, 'text', [], {}];

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
}

/** A value whose only fault is its length, if there can be one. */
function tooLong({ pattern, examples }: Schema & { examples?: unknown[] }, length: number): string {
  const letters = 'x'.repeat(length);
  return (
    [letters, `/${letters}`, `${examples?.[0]}${'A'.repeat(length)}`].find(
      (text) => !pattern || new RegExp(pattern).test(text),
    ) ?? letters
  );
}

function mapValues(
  values: Record<string, string>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
