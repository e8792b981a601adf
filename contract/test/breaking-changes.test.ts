import { describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../src/openapi/document.ts';
import { type SmallApi, smallApi } from './breaking-changes.sample.ts';
import { breakingChanges } from './breaking-changes.ts';

function changesAfter(change: (api: SmallApi) => void): string[] {
  const current = smallApi();
  change(current);
  return breakingChanges(asDocument(smallApi()), asDocument(current));
}

function asDocument(api: SmallApi): OpenApiDocument {
  return JSON.parse(JSON.stringify(api));
}

const things = (api: SmallApi) => api.paths['/things'];
const thing = (api: SmallApi) => api.components.schemas.Thing;
const createThing = (api: SmallApi) => api.components.schemas.CreateThing;

test('an unchanged API breaks nothing', () => {
  expect(changesAfter(() => {})).toEqual([]);
});

describe('a change is breaking', () => {
  const breaks: [string, (api: SmallApi) => void, string][] = [
    ['to remove a path', (api) => delete api.paths['/open'], 'GET /open: the operation is gone'],
    ['to remove a method', (api) => delete things(api).post, 'POST /things: the operation is gone'],
    [
      'to rename an operation',
      (api) => (things(api).get.operationId = 'x'),
      'GET /things: operationId listThings is gone',
    ],
    [
      'to require another permission',
      (api) => things(api).get.security[0].apiKey.push('x:read'),
      'GET /things: the permission x:read is now needed',
    ],
    [
      'to require a key',
      (api) => api.paths['/open'].get.security.push({ apiKey: [] }),
      'GET /open: a key is now needed',
    ],
    [
      'to remove a parameter',
      (api) => things(api).get.parameters.pop(),
      'GET /things: the query parameter kind is gone',
    ],
    [
      'to require a parameter',
      (api) => (things(api).get.parameters[0].required = true),
      'GET /things: the query parameter limit is now required',
    ],
    [
      'to add a required parameter',
      (api) => things(api).get.parameters.push({ name: 'x', in: 'query', required: true, schema: {} }),
      'GET /things: the query parameter x is new and required',
    ],
    [
      'to lower a maximum',
      (api) => (things(api).get.parameters[0].schema.maximum = 20),
      'GET /things: the query parameter limit: maximum fell to 20',
    ],
    [
      'to raise a minimum',
      (api) => (things(api).get.parameters[0].schema.minimum = 10),
      'GET /things: the query parameter limit: minimum rose to 10',
    ],
    [
      'to change a default',
      (api) => (things(api).get.parameters[0].schema.default = 20),
      'GET /things: the query parameter limit: the default is now 20',
    ],
    [
      'to accept fewer values',
      (api) => things(api).get.parameters[1].schema.enum.pop(),
      'GET /things: the query parameter kind: the value small is no longer accepted',
    ],
    [
      'to require a body',
      (api) => (things(api).get.requestBody = { required: true, content: {} }),
      'GET /things: a body is now required',
    ],
    [
      'to remove a body',
      (api) => delete things(api).post.requestBody,
      'POST /things: the body is no longer application/json',
    ],
    [
      'to require a field',
      (api) => createThing(api).required.push('note'),
      'POST /things: the body: note is now required',
    ],
    [
      'to remove a request field',
      (api) => delete createThing(api).properties.note,
      'POST /things: the body: note is no longer accepted',
    ],
    [
      'to shorten a request field',
      (api) => (createThing(api).properties.name.maxLength = 50),
      'POST /things: the body at name: maxLength fell to 50',
    ],
    [
      'to restrict the form of a request field',
      (api) => (createThing(api).properties.name.pattern = '^a'),
      'POST /things: the body at name: pattern is now ^a',
    ],
    [
      'to restrict the values of a request field',
      (api) => (createThing(api).properties.name.enum = ['a']),
      'POST /things: the body at name: only some values are accepted now',
    ],
    [
      'to reject null',
      (api) => (createThing(api).properties.note.type = 'string'),
      'POST /things: the body at note: the type was string or null and is string',
    ],
    [
      'to change the items of a list',
      (api) => (createThing(api).properties.tags.items.type = 'integer'),
      'POST /things: the body at tags[]: the type was string and is integer',
    ],
    [
      'to limit a list',
      (api) => (createThing(api).properties.tags.maxItems = 5),
      'POST /things: the body at tags: maxItems fell to 5',
    ],
    [
      'to require more fields',
      (api) => (createThing(api).minProperties = 2),
      'POST /things: the body: minProperties rose to 2',
    ],
    [
      'to remove a status',
      (api) => delete things(api).get.responses[200],
      'GET /things: the status 200 is gone',
    ],
    [
      'to remove an error code',
      (api) => delete things(api).get.responses[404].content['application/json'].examples.not_found,
      'GET /things: the code not_found of 404 is gone',
    ],
    [
      'to remove a header',
      (api) => delete things(api).get.responses[200].headers.Link,
      'GET /things: the header Link of 200 is gone',
    ],
    [
      'to respond with another media type',
      (api) => (things(api).get.responses[200].content = { 'text/csv': {} }),
      'GET /things: the response 200 is no longer application/json',
    ],
    [
      'to remove a response field',
      (api) => delete thing(api).properties.name,
      'GET /things: the response 200 at data[]: name is gone',
    ],
    [
      'to make a response field optional',
      (api) => thing(api).required.pop(),
      'GET /things: the response 200 at data[]: name may now be absent',
    ],
    [
      'to change the type of a response field',
      (api) => (thing(api).properties.name.type = 'integer'),
      'GET /things: the response 200 at data[].name: the type was string and is integer',
    ],
    [
      'to return null',
      (api) => (thing(api).properties.name.type = ['string', 'null']),
      'GET /things: the response 200 at data[].name: the type was string and is string or null',
    ],
    [
      'to drop the format of a response field',
      (api) => delete thing(api).properties.id.format,
      'GET /things: the response 200 at data[].id: the format is no longer uuid',
    ],
    [
      'to add to a closed list of response values',
      (api) => thing(api).properties.kind.enum.push('huge'),
      'GET /things: the response 200 at data[].kind: the value huge is new in a closed list',
    ],
    [
      'to open a closed list of response values',
      (api) => delete thing(api).properties.kind.enum,
      'GET /things: the response 200 at data[].kind: the list of values is now open',
    ],
    [
      'to remove a value from an open list',
      (api) => thing(api).properties.cause['x-extensible-enum'].pop(),
      'GET /things: the response 200 at data[].cause: the value tool is gone',
    ],
    [
      'to remove a shape',
      (api) => thing(api).properties.detail.anyOf.pop(),
      'GET /things: the response 200 at data[].detail: the shape Detail is gone',
    ],
    [
      'to add a shape to a closed list',
      (api) => thing(api).properties.result.oneOf.push({ $ref: '#/components/schemas/Detail' }),
      'GET /things: the response 200 at data[].result: the shape Detail is new in a closed list',
    ],
    [
      'to remove a shape from an extensible list',
      (api) => thing(api).properties.event.oneOf.pop(),
      'GET /things: the response 200 at data[].event: the shape Done is gone',
    ],
    [
      'to no longer accept a shape',
      (api) => createThing(api).properties.action.oneOf.pop(),
      'POST /things: the body at action: the shape Paint is gone',
    ],
    [
      'to no longer accept a field of a shape',
      (api) => delete api.components.schemas.Paint.properties.color,
      'POST /things: the body at action: color is no longer accepted',
    ],
    [
      'to change a shape',
      (api) => delete api.components.schemas.Detail.properties.depth,
      'GET /things: the response 200 at data[].detail: depth is gone',
    ],
  ];
  test.each(breaks)('%s', (_, change, sentence) => {
    expect(changesAfter(change)).toEqual([sentence]);
  });
});

describe('a change is an addition', () => {
  const growth: [string, (api: SmallApi) => void][] = [
    ['to add a path', (api) => (api.paths['/more'] = {})],
    ['to add a method', (api) => (things(api).delete = { operationId: 'x', security: [], responses: {} })],
    ['to no longer require a permission', (api) => (things(api).get.security = [])],
    [
      'to add an optional parameter',
      (api) => things(api).get.parameters.push({ name: 'x', in: 'query', required: false, schema: {} }),
    ],
    ['to raise a maximum', (api) => (things(api).get.parameters[0].schema.maximum = 500)],
    ['to drop a minimum', (api) => delete things(api).get.parameters[0].schema.minimum],
    ['to accept more values', (api) => things(api).get.parameters[1].schema.enum.push('huge')],
    ['to accept any value', (api) => delete things(api).get.parameters[1].schema.enum],
    ['to accept an optional body', (api) => (things(api).get.requestBody = { required: false, content: {} })],
    ['to add an optional request field', (api) => (createThing(api).properties.color = { type: 'string' })],
    ['to no longer require a field', (api) => (createThing(api).required = [])],
    ['to accept null', (api) => (createThing(api).properties.name.type = ['string', 'null'])],
    ['to add a status', (api) => (things(api).get.responses[304] = {})],
    [
      'to add an error code',
      (api) => (things(api).get.responses[404].content['application/json'].examples.x = {}),
    ],
    ['to add a header', (api) => (things(api).get.responses[200].headers.ETag = {})],
    ['to add a response field', (api) => (thing(api).properties.color = { type: 'string' })],
    ['to make a response field required', (api) => thing(api).required.push('note')],
    ['to no longer return null', (api) => (thing(api).properties.note.type = 'string')],
    [
      'to add to an open list of values',
      (api) => thing(api).properties.cause['x-extensible-enum'].push('rain'),
    ],
    [
      'to add a shape to an extensible list',
      (api) => thing(api).properties.event.oneOf.push({ $ref: '#/components/schemas/Detail' }),
    ],
    [
      'to accept one more shape',
      (api) => createThing(api).properties.action.oneOf.push({ $ref: '#/components/schemas/Detail' }),
    ],
    ['to add a shape', (api) => thing(api).properties.detail.anyOf.push({ type: 'object' })],
  ];
  test.each(growth)('%s', (_, change) => {
    expect(changesAfter(change)).toEqual([]);
  });
});

test('a recursive schema ends', () => {
  expect(
    changesAfter((api) => (thing(api).properties.parent = { $ref: '#/components/schemas/Thing' })),
  ).toEqual([]);
  const recursive = smallApi();
  thing(recursive).properties.parent = { $ref: '#/components/schemas/Thing' };
  expect(breakingChanges(asDocument(recursive), asDocument(recursive))).toEqual([]);
});

test('renaming a schema breaks nothing', () => {
  const renamed = JSON.parse(JSON.stringify(smallApi()).replaceAll('schemas/Thing"', 'schemas/Item"'));
  renamed.components.schemas.Item = renamed.components.schemas.Thing;
  expect(breakingChanges(asDocument(smallApi()), renamed)).toEqual([]);
});
