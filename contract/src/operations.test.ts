import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { errorHelp } from './error-help.ts';
import { exampleOf } from './examples.ts';
import {
  type BulkResultItem,
  commonErrorCodes,
  defaultPermissions,
  type Event,
  errorCodesOf,
  grants,
  type Input,
  type MemberSortField,
  type MemberStatus,
  type MemberWithGroups,
  type Operation,
  type Output,
  operations,
  permissions,
} from './index.ts';

const all = Object.values<Operation>(operations);

test('no two operations share a method and a path', () => {
  const places = all.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(places).size).toBe(places.length);
});

test('a new key carries every permission but those that are dangerous in many hands', () => {
  expect(permissions.filter((permission) => !defaultPermissions.includes(permission))).toEqual([
    'login-links:write',
    'api-keys:read',
    'api-keys:write',
    'operators:read',
    'operators:write',
    'mails:read',
  ]);
});

test('who may change members may block them and have login links sent, and nothing else comes by itself', () => {
  const brought = permissions.flatMap((carried) =>
    permissions
      .filter((asked) => asked !== carried && grants([carried], asked))
      .map((asked) => `${carried} ${asked}`),
  );
  expect(brought).toEqual(['members:write members:block', 'members:write login-links:send']);
  expect(permissions.every((permission) => grants([permission], permission))).toBe(true);
  expect(permissions.some((permission) => grants([], permission))).toBe(false);
});

describe.each(Object.entries<Operation>(operations))('%s', (id, operation) => {
  test('stands under its id', () => {
    expect(operation.id).toBe(id);
  });

  test('has a parameter for each place in its path', () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(operation.params.properties)).toEqual(inPath);
  });

  test('refuses parameters that it does not know', () => {
    for (const schema of [operation.params, operation.query]) {
      expect(ajv.validate(schema, { ...requiredOf(schema), unknown: '1' })).toBe(false);
    }
  });

  test('lists each code once, and none that is common', () => {
    const codes = errorCodesOf(operation);
    expect(new Set(codes).size).toBe(codes.length);
    const common: readonly string[] = Object.values(commonErrorCodes).flat();
    expect(operation.errors.filter((code) => common.includes(code))).toEqual([]);
  });

  test('takes the body of its own example, and no unknown field in it', () => {
    if (!operation.body) return;
    const example = exampleOf(operation.body) as object;
    ajv.validate(operation.body, example);
    expect(ajv.errors).toBeNull();
    expect(ajv.validate(operation.body, { ...example, unknown: 1 })).toBe(false);
  });

  test('answers with a body that may grow', () => {
    if (!operation.success.body) return;
    const example = exampleOf(operation.success.body) as object;
    ajv.validate(operation.success.body, { ...example, added: 1 });
    expect(ajv.errors).toBeNull();
  });
});

describe('limits of the interface', () => {
  const members = (count: number) => ({
    members: Array.from({ length: count }, () => ({ email: 'a@example.com' })),
  });

  test.each([
    [0, false],
    [1, true],
    [500, true],
    [501, false],
  ])('bulk create of %i members: %s', (count, taken) => {
    expect(ajv.validate(operations.bulkCreateMembers.body, members(count))).toBe(taken);
  });

  test.each([
    [{ limit: 0 }, false],
    [{ limit: 1 }, true],
    [{ limit: 100 }, true],
    [{ limit: 101 }, false],
    [{ limit: 1.5 }, false],
    [{ after: 'urn:uuid:01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70' }, false],
    [{ q: '' }, false],
    [{ q: 'é%_\\' }, true],
    [{ q: 'a\u0000' }, false],
    [{ q: '🦉'.repeat(200) }, true],
    [{ q: 'a'.repeat(201) }, false],
    [{ paid: 'true' }, true],
    [{ paid: 'yes' }, false],
    [{ sort: 'email', order: 'asc' }, true],
    [{ sort: 'id' }, false],
  ])('a list of members by %j: %s', (query, taken) => {
    expect(ajv.validate(operations.listMembers.query, query)).toBe(taken);
  });

  test.each([
    [{}, false],
    [{ name: '' }, false],
    [{ name: `  ${'n'.repeat(100)}  ` }, true],
    [{ name: 'a\u0000b' }, false],
    [{ description: null }, true],
    [{ description: '🦉'.repeat(500) }, true],
    [{ description: 'd'.repeat(501) }, false],
  ])('an update of a group to %j: %s', (body, taken) => {
    expect(ajv.validate(operations.updateAccessGroup.body, body)).toBe(taken);
  });

  test('an address that is none is for the operation to judge, not for the shape', () => {
    const { email } = operations.bulkCreateMembers.body.properties.members.items.properties;
    expect(ajv.validate(email, 'not an address')).toBe(true);
    expect(ajv.validate(email, 'a'.repeat(1_001))).toBe(true);
  });
});

test('handlers and clients get exact types', () => {
  type ListMembers = Input<typeof operations.listMembers>['query'];
  expectTypeOf<ListMembers['limit']>().toEqualTypeOf<number>();
  expectTypeOf<ListMembers['sort']>().toEqualTypeOf<MemberSortField>();
  expectTypeOf<ListMembers['status']>().toEqualTypeOf<MemberStatus | undefined>();
  expectTypeOf<Input<typeof operations.getMembership>['params']>().toEqualTypeOf<{
    groupId: string;
    memberId: string;
  }>();
  expectTypeOf<Input<typeof operations.getMember>['body']>().toEqualTypeOf<undefined>();
  expectTypeOf<Output<typeof operations.getMember>>().toEqualTypeOf<{ data: MemberWithGroups }>();
  expectTypeOf<Output<typeof operations.deleteMember>>().toEqualTypeOf<undefined>();
  expectTypeOf<Output<typeof operations.bulkCreateMembers>['data']>().toEqualTypeOf<BulkResultItem[]>();
  expectTypeOf<Event<'key.revoked'>['data']>().toExtend<{ keyId: string } | { erased: true }>();
});

/** As strict as can be, with the settings that a server needs; email stays an annotation. */
const ajv = new Ajv({ strict: true, allowUnionTypes: true, discriminator: true, formats: { email: true } });
addFormats.default(ajv, ['uuid', 'date-time']);
ajv.addVocabulary(['x-extensible-enum']);

function requiredOf(schema: Operation['params']): Record<string, unknown> {
  const required: readonly string[] = schema.required ?? [];
  return Object.fromEntries(required.map((name) => [name, exampleOf(schema.properties[name] ?? {})]));
}

test('the help of an error says what happened, and then what to do', () => {
  for (const [code, help] of Object.entries(errorHelp)) {
    expect(help.split(/\. |; /).length, code).toBeGreaterThan(1);
    expect(help, code).not.toMatch(
      /^(Add|Ask|Change|Check|Choose|Create|Get|Give|Make|Remove|Repeat|Send|Set|Try|Use|Wait)\b/,
    );
  }
});
