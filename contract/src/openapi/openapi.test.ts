import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { denseJson } from '../../scripts/dense-json.ts';
import { breakingChanges } from '../../test/breaking-changes.ts';
import { dashboardErrorStatus } from '../dashboard/errors.ts';
import { dashboardOpenApiDocument, routeList } from '../dashboard/openapi.ts';
import { type DashboardOperation, dashboardErrorCodesOf } from '../dashboard/operation.ts';
import {
  dashboardApiPrefix,
  dashboardOperations,
  dashboardStreamOperations,
} from '../dashboard/operations.ts';
import { operations } from '../operations.ts';
import { errorCodesOf, type Operation } from '../shared/operation.ts';
import type { Content, JsonSchema, ResponseObject } from './document.ts';
import { type OpenApiDocument, openApiDocument } from './openapi.ts';

/** The API of the last release, copied when it was released. */
const releasedFile = 'openapi.released.json';
const isReleased = existsSync(new URL(`../../${releasedFile}`, import.meta.url));
const { version } = JSON.parse(read('../package.json'));
const document = openApiDocument({ version });

const dashboardDocument = dashboardOpenApiDocument({ version });
const documents = { 'openapi.json': document, 'dashboard-openapi.json': dashboardDocument };

test.each(Object.entries(documents))(
  '%s matches the operations; `npm run openapi` writes it',
  (file, expected) => {
    const text = read(file);
    expect(text).toBe(denseJson(expected));
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(expected)));
  },
);

test('the list of routes for the dashboard matches the operations; `npm run openapi` writes it', () => {
  expect(read('src/dashboard/routes.ts')).toBe(
    routeList(dashboardApiPrefix, { ...dashboardOperations, ...dashboardStreamOperations }),
  );
});

test('nothing in the released API was removed or broken', () => {
  // Before the first release there is no such document.
  const released: OpenApiDocument = isReleased ? JSON.parse(read(releasedFile)) : document;
  expect(breakingChanges(released, document)).toEqual([]);
});

test('both documents pass the linter without an error or a warning', { timeout: 60_000 }, () => {
  const output = execFileSync(
    process.execPath,
    [
      fileURLToPath(new URL('../../../node_modules/.bin/redocly', import.meta.url)),
      'lint',
      ...Object.keys(documents),
      '--config',
      'redocly.yaml',
      '--format',
      'json',
    ],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  // One report after another.
  const totals = [...output.matchAll(/"totals": (\{[^}]*\})/g)].map(([, each]) => JSON.parse(each!));
  const clean = { errors: 0, warnings: 0, ignored: 0 };
  expect(totals).toEqual(Object.keys(documents).map(() => clean));
});

test('the URL of the server can be set', () => {
  const served = openApiDocument({ version, serverUrl: 'https://gatehouse.example.com/api/v1' });
  expect(served.servers).toEqual([{ url: 'https://gatehouse.example.com/api/v1' }]);
});

describe.each(Object.entries(documents))('%s', (_, document) => {
  test('has no reference without a target', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
    for (const [, pointer = ''] of references) {
      const target = pointer
        .split('/')
        .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], document);
      expect(target, pointer).toBeDefined();
    }
  });

  test('has header examples that match their schemas', () => {
    for (const [name, { schema, example }] of Object.entries(document.components.headers)) {
      expectToFit(document, schema, example, name);
    }
  });
});

const described = [
  ...Object.values<Operation>(operations).map((operation) => ({
    operation,
    document,
    security: operation.permission ? [{ apiKey: [operation.permission] }] : [],
    codes: errorCodesOf(operation),
  })),
  ...Object.values<DashboardOperation>(dashboardOperations).map((operation) => ({
    operation,
    document: dashboardDocument,
    security: operation.loggedOut ? [] : [{ session: [] }],
    codes: dashboardErrorCodesOf(operation),
  })),
];

describe.each(described)('$operation.id', ({ operation, document, security, codes }) => {
  const described = document.paths[operation.path]?.[operation.method.toLowerCase()];

  test('is documented with its security requirement', () => {
    expect(described).toMatchObject({ operationId: operation.id, security });
  });

  test('documents every error code under its status', () => {
    for (const code of codes) {
      const response = resolve<ResponseObject>(document, described?.responses[dashboardErrorStatus[code]]);
      expect(response.content?.['application/json']?.examples, code).toHaveProperty(code);
    }
  });

  test('documents the four headers on every response', () => {
    for (const response of Object.values(described?.responses ?? {})) {
      expect(Object.keys(resolve<ResponseObject>(document, response).headers)).toEqual(
        expect.arrayContaining([
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'X-Request-Id',
        ]),
      );
    }
  });

  test('has examples that match their schemas', () => {
    for (const parameter of described?.parameters ?? []) {
      const { schema, example, name } = resolve<{ schema: JsonSchema; example: unknown; name: string }>(
        document,
        parameter,
      );
      expectToFit(document, schema, example, name);
    }
    expectContentToFit(document, described?.requestBody?.content);
    for (const response of Object.values(described?.responses ?? {})) {
      expectContentToFit(document, resolve<ResponseObject>(document, response).content);
    }
  });
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
// A discriminator with a mapping is for readers and generators; the validator uses the schemas.
ajv.addVocabulary(['components', 'x-extensible-enum', 'discriminator']);

function expectContentToFit(document: OpenApiDocument, content: Content | undefined): void {
  for (const { schema, example, examples } of Object.values(content ?? {})) {
    if (example !== undefined) expectToFit(document, schema, example, 'example');
    for (const [name, reference] of Object.entries(examples ?? {})) {
      expectToFit(document, schema, resolve<{ value: unknown }>(document, reference).value, name);
    }
  }
}

function expectToFit(
  { components: { schemas } }: OpenApiDocument,
  schema: JsonSchema,
  value: unknown,
  name: string,
): void {
  const validate = compiled({ ...schema, components: { schemas } });
  validate(value);
  expect(validate.errors, name).toBeNull();
}

const validators = new Map<string, ValidateFunction>();

/** Most schemas stand in many places: each is compiled once. */
function compiled(schema: object): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, validate);
  return validate;
}

function resolve<Part>(document: OpenApiDocument, part: unknown): Part {
  const reference = (part as { $ref?: string }).$ref;
  if (reference === undefined) return part as Part;
  const names = reference.replace('#/', '').split('/');
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document) as Part;
}

function read(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}
