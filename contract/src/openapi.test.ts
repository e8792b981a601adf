import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { breakingChanges } from './breaking-changes.ts';
import { errorStatus } from './errors.ts';
import type { Content, JsonSchema, ResponseObject } from './openapi/document.ts';
import { type OpenApiDocument, openApiDocument } from './openapi.ts';
import { errorCodesOf, type Operation } from './operation.ts';
import { operations } from './operations.ts';

const { version } = JSON.parse(read('package.json'));
const document = openApiDocument({ version });

test('openapi.json is what the operations say; `npm run openapi -w contract` writes it', () => {
  expect(read('openapi.json')).toBe(`${JSON.stringify(document, null, 2)}\n`);
});

test('nothing that was released has changed its meaning or gone', () => {
  const released: OpenApiDocument = JSON.parse(read('openapi.released.json'));
  expect(breakingChanges(released, document)).toEqual([]);
});

test('openapi.json passes the linter without an error or a warning', { timeout: 60_000 }, () => {
  const output = execFileSync(
    process.execPath,
    [
      fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url)),
      'lint',
      'openapi.json',
      '--config',
      'redocly.yaml',
      '--format',
      'json',
    ],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  expect(JSON.parse(output)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 } });
});

test('the address of the server can be set', () => {
  const served = openApiDocument({ version, serverUrl: 'https://gatehouse.example.com/api/v1' });
  expect(served.servers).toEqual([{ url: 'https://gatehouse.example.com/api/v1' }]);
});

test('every reference points somewhere', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
  for (const [, pointer = ''] of references) {
    const target = pointer
      .split('/')
      .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], document);
    expect(target, pointer).toBeDefined();
  }
});

describe.each(Object.values<Operation>(operations))('$id', (operation) => {
  const described = document.paths[operation.path]?.[operation.method.toLowerCase()];

  test('is documented with its permission', () => {
    expect(described).toMatchObject({
      operationId: operation.id,
      security: operation.permission ? [{ apiKey: [operation.permission] }] : [],
    });
  });

  test('documents every code that it can answer with under its status', () => {
    for (const code of errorCodesOf(operation)) {
      const response = resolve<ResponseObject>(described?.responses[errorStatus[code]]);
      expect(response.content?.['application/json']?.examples, code).toHaveProperty(code);
    }
  });

  test('documents the four headers on every response', () => {
    for (const response of Object.values(described?.responses ?? {})) {
      expect(Object.keys(resolve<ResponseObject>(response).headers)).toEqual(
        expect.arrayContaining([
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'X-Request-Id',
        ]),
      );
    }
  });

  test('has examples that fit their schemas', () => {
    for (const parameter of described?.parameters ?? []) {
      const { schema, example, name } = resolve<{ schema: JsonSchema; example: unknown; name: string }>(
        parameter,
      );
      expectToFit(schema, example, name);
    }
    expectContentToFit(described?.requestBody?.content);
    for (const response of Object.values(described?.responses ?? {})) {
      expectContentToFit(resolve<ResponseObject>(response).content);
    }
  });
});

test('the headers of responses have examples that fit', () => {
  for (const [name, { schema, example }] of Object.entries(document.components.headers)) {
    expectToFit(schema, example, name);
  }
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
// With a mapping it is for readers and generators; the validator goes by the shapes.
ajv.addVocabulary(['components', 'x-extensible-enum', 'discriminator']);

function expectContentToFit(content: Content | undefined): void {
  for (const { schema, example, examples } of Object.values(content ?? {})) {
    if (example !== undefined) expectToFit(schema, example, 'example');
    for (const [name, reference] of Object.entries(examples ?? {})) {
      expectToFit(schema, resolve<{ value: unknown }>(reference).value, name);
    }
  }
}

function expectToFit(schema: JsonSchema, value: unknown, name: string): void {
  const validate = ajv.compile({ ...schema, components: { schemas: document.components.schemas } });
  validate(value);
  expect(validate.errors, name).toBeNull();
}

function resolve<Part>(part: unknown): Part {
  const reference = (part as { $ref?: string }).$ref;
  if (reference === undefined) return part as Part;
  const names = reference.replace('#/', '').split('/');
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document) as Part;
}

function read(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
}
