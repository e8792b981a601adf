import { exampleIds, type Operation, type OperationId, operations } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { forEachStore } from '../stores.ts';
import type { TestAnswer, TestSite } from '../test-server.ts';
import { expectAnswer } from './answers.ts';
import { aDomain, aSession } from './given.ts';
import { everyOperation } from './requests.ts';
import { useTestServer } from './use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  test('what the reference sends for each operation works on a new site, once the ids that it asks for are given', async () => {
    const site = await server.createSite();
    // As the first start does.
    await aDomain(site);
    const { paths } = (await site.get('/openapi.json')).body;
    const real: Record<string, string> = {};
    const fill = (text: string) =>
      Object.entries(real).reduce((filled, [example, id]) => filled.replaceAll(example, id), text);
    for (const operationId of inOrder) {
      const operation: Operation = operations[operationId];
      const described = paths[operation.path][operation.method.toLowerCase()];
      const { target, body, asksForIds } = asTheReferenceSends(operation.path, described);
      if (asksForIds) {
        expectAnswer(operationId, await send(site, operation, target, body), 404);
      } else if (body !== undefined && fill(body) !== body) {
        expectAnswer(operationId, await send(site, operation, target, body), operation.success.status);
      }
      const answer = await send(site, operation, fill(target), body && fill(body));
      expectAnswer(operationId, answer, operation.success.status);
      Object.assign(real, await idsAfter(operationId, answer, site));
    }
  });

  test('no example of a request has an id that need not be given', async () => {
    const { paths } = (await (await server.createSite()).get('/openapi.json')).body;
    for (const operationId of everyOperation) {
      const { path, method, body } = operations[operationId] as Operation;
      if (body === null) continue;
      const sent = asTheReferenceSends(path, paths[path][method.toLowerCase()]).body!;
      const ids = new Set(Object.values(exampleIds).filter((id) => sent.includes(id)));
      const needed = operationId === 'addAccessGroupMember' || operationId === 'bulkMemberActions';
      expect([...ids], operationId).toEqual(needed ? [exampleIds.member] : []);
    }
  });
});

/** What is made first comes first, what is deleted last. */
const first: OperationId[] = [
  'updateSite',
  'createMember',
  'createAccessGroup',
  'inviteOperator',
  'createApiKey',
];
const second: OperationId[] = [
  'addAccessGroupMember',
  'createMemberLoginLink',
  'listMails',
  'revokeMemberSession',
];
const last: OperationId[] = ['removeAccessGroupMember', 'deleteAccessGroup', 'deleteMember'];
const rest = everyOperation.filter((id) => ![...first, ...second, ...last].includes(id));
const inOrder = [...first, ...second, ...rest, ...last];

interface Described {
  readonly parameters?: readonly { name?: string; in?: string; required?: boolean; example?: unknown }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { example: unknown }>>;
  };
}

/** The example of the body and of what has to be given; what need not be is switched off until somebody asks for it. */
function asTheReferenceSends(path: string, { parameters = [], requestBody }: Described) {
  const required = parameters.filter((parameter) => parameter.required);
  const target = required
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, String(example)), path);
  const query = required.filter((parameter) => parameter.in === 'query');
  expect(query, 'a query parameter has to be given').toEqual([]);
  const body = requestBody && JSON.stringify(requestBody.content['application/json']!.example);
  return { target, body, asksForIds: target !== path };
}

function send(site: TestSite, { method }: Operation, target: string, body?: string): Promise<TestAnswer> {
  return site.request(method, target, { ...(body !== undefined && { body }) });
}

/** The ids of what there is now, by those that stand for them in the examples. */
async function idsAfter(
  operationId: OperationId,
  { body }: TestAnswer,
  site: TestSite,
): Promise<Record<string, string>> {
  switch (operationId) {
    case 'createMember': {
      const session = await aSession(site, body.data.id);
      return { [exampleIds.member]: body.data.id, [exampleIds.session]: session.id };
    }
    case 'createAccessGroup':
      return { [exampleIds.group]: body.data.id };
    case 'inviteOperator':
      return { [exampleIds.operator]: body.data.id };
    case 'createApiKey':
      return { [exampleIds.key]: body.data.id };
    case 'listMails':
      return { [exampleIds.mail]: body.data[0].id };
    default:
      return {};
  }
}
