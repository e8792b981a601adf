import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { commonDashboardErrorCodes, dashboardErrorHelp } from './dashboard/errors.ts';
import { type DashboardOperation, dashboardErrorCodesOf } from './dashboard/operation.ts';
import { dashboardOperations } from './dashboard/operations.ts';
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
  type OperationShape,
  type Output,
  operations,
  permissions,
} from './index.ts';
import { exampleOf } from './shared/examples.ts';

test.each([operations, dashboardOperations])('no two operations share a method and a path', (all) => {
  const routes = Object.values<OperationShape>(all).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(routes).size).toBe(routes.length);
});

test('a new key has every permission by default except the dangerous ones', () => {
  expect(permissions.filter((permission) => !defaultPermissions.includes(permission))).toEqual([
    'webhooks:read',
    'webhooks:write',
    'sources:write',
    'login-links:write',
    'login-providers:write',
    'api-keys:read',
    'api-keys:write',
    'operators:read',
    'operators:write',
    'emails:read',
    'invitations:read',
    'invitations:write',
    'join-requests:read',
    'join-requests:write',
  ]);
});

test('the permission to change members includes blocking and sending login links, and no other permission includes another', () => {
  const implied = permissions.flatMap((granted) =>
    permissions
      .filter((required) => required !== granted && grants([granted], required))
      .map((required) => `${granted} ${required}`),
  );
  expect(implied).toEqual(['members:write members:block', 'members:write login-links:send']);
  expect(permissions.every((permission) => grants([permission], permission))).toBe(true);
  expect(permissions.some((permission) => grants([], permission))).toBe(false);
});

const everyOperation = [
  ...Object.entries<OperationShape>(operations),
  ...Object.entries<OperationShape>(dashboardOperations),
];

describe.each(everyOperation)('%s', (id, operation) => {
  test('is listed under its id', () => {
    expect(operation.id).toBe(id);
  });

  test('has a parameter for each placeholder in its path', () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(operation.params.properties)).toEqual(inPath);
  });

  test('rejects unknown parameters', () => {
    for (const schema of [operation.params, operation.query]) {
      expect(ajv.validate(schema, { ...requiredOf(schema), unknown: '1' })).toBe(false);
    }
  });

  test('accepts the body of its example, but no unknown field', () => {
    if (!operation.body) return;
    const example = exampleOf(operation.body) as object;
    ajv.validate(operation.body, example);
    expect(ajv.errors).toBeNull();
    expect(ajv.validate(operation.body, { ...example, unknown: 1 })).toBe(false);
  });

  test('allows additional fields in its response body', () => {
    if (!operation.success.body) return;
    const example = exampleOf(operation.success.body);
    if (typeof example !== 'object') return;
    ajv.validate(operation.success.body, { ...example, added: 1 });
    expect(ajv.errors).toBeNull();
  });
});

test.each([
  ...Object.values(operations).map((operation: Operation) => ({
    id: operation.id,
    codes: errorCodesOf(operation),
    own: operation.errors,
    common: commonErrorCodes,
  })),
  ...Object.values(dashboardOperations).map((operation: DashboardOperation) => ({
    id: operation.id,
    codes: dashboardErrorCodesOf(operation),
    own: operation.errors,
    // A GET may return a code that all others return.
    common: { ...commonDashboardErrorCodes, ...(operation.method === 'GET' && { changing: [] }) },
  })),
])('$id lists each code once, and no common code', ({ codes, own, common }) => {
  expect(new Set(codes).size).toBe(codes.length);
  const commonCodes: readonly string[] = Object.values(common).flat();
  expect(own.filter((code) => commonCodes.includes(code))).toEqual([]);
});

describe('limits of the API', () => {
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

  test('an invalid email address is rejected by the operation, not by the schema', () => {
    const { email } = operations.bulkCreateMembers.body.properties.members.items.properties;
    expect(ajv.validate(email, 'not an email address')).toBe(true);
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
  expectTypeOf<Event<'api-key.revoked'>['data']>().toExtend<{ keyId: string } | { erased: true }>();
});

/** As strict as possible, with the settings of a server; the format email is only an annotation. */
const ajv = new Ajv({ strict: true, allowUnionTypes: true, discriminator: true, formats: { email: true } });
addFormats.default(ajv, ['uuid', 'date-time']);
ajv.addVocabulary(['x-extensible-enum']);

function requiredOf(schema: OperationShape['params']): Record<string, unknown> {
  const required: readonly string[] = schema.required ?? [];
  return Object.fromEntries(required.map((name) => [name, exampleOf(schema.properties[name] ?? {})]));
}

test('the help of an error says what happened, then what to do', () => {
  for (const [code, help] of Object.entries(dashboardErrorHelp)) {
    expect(help.split(/\. |; /).length, code).toBeGreaterThan(1);
    expect(help, code).not.toMatch(
      /^(Add|Ask|Change|Check|Choose|Create|Get|Give|Make|Remove|Repeat|Send|Set|Try|Use|Wait)\b/,
    );
  }
});
