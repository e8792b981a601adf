import {
  type ErrorCode,
  errorStatus,
  exampleIds,
  exampleOf,
  type Operation,
  type OperationId,
  operations,
} from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { forOneStore } from '../stores.ts';
import type { TestResponse, TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { expectResponse } from './answers.ts';
import { aDomain, aSession, everyEmailGone } from './given.ts';
import { everyOperation } from './requests.ts';
import { anIdentity } from './ways-in.ts';

forOneStore((store) => {
  // Its own: where other tests have set the clock forward, an email can already be past its retention.
  const server = useTestServer(store, {});

  test('the reference’s example for each operation works on a new site, with the required IDs filled in', async () => {
    const site = await server.createSite();
    // As after the first start, and after somebody has requested to join.
    await aDomain(site);
    await site.storeJoinRequest();
    const { paths } = (await site.get('/openapi.json')).body;
    const real: Record<string, string> = {};
    const fill = (text: string) =>
      Object.entries(real).reduce((filled, [example, id]) => filled.replaceAll(example, id), text);
    for (const operationId of inOrder) {
      const operation: Operation = operations[operationId];
      const described = paths[operation.path][operation.method.toLowerCase()];
      const { target, body, takesIds } = asTheReferenceSends(operation.path, described);
      if (takesIds) {
        expectResponse(operationId, await send(site, operation, target, body), 404);
      } else if (body !== undefined && fill(body) !== body) {
        expectResponse(operationId, await send(site, operation, target, body), operation.success.status);
      }
      const answer = await send(site, operation, fill(target), body && fill(body));
      const code = rejected[operationId];
      if (code !== undefined) {
        expectResponse(operationId, answer, errorStatus[code], code);
        continue;
      }
      expectResponse(operationId, answer, operation.success.status);
      // A login email that is still waiting would be deleted when its link is closed.
      if (operationId === 'createMemberLoginLink') await everyEmailGone(server, site);
      const { body: schema } = operation.success;
      if (schema) Object.assign(real, { ...idsIn(exampleOf(schema), answer.body), ...real });
      if (operationId === 'createMember')
        Object.assign(real, {
          [exampleIds.session]: (await aSession(site, real[exampleIds.member]!)).id,
          [exampleIds.passkey]: await site.storePasskey(real[exampleIds.member]!),
          [exampleIds.identity]: (await anIdentity(site, real[exampleIds.member]!)).id,
        });
    }
  });

  test('no example of a request contains an optional ID', async () => {
    const { paths } = (await (await server.createSite()).get('/openapi.json')).body;
    for (const operationId of everyOperation) {
      const { path, method, body } = operations[operationId] as Operation;
      if (body === null) continue;
      const sent = asTheReferenceSends(path, paths[path][method.toLowerCase()]).body!;
      const ids = new Set(Object.values(exampleIds).filter((id) => sent.includes(id)));
      expect([...ids], operationId).toEqual(neededIds[operationId] ?? []);
    }
  });
});

/** The IDs without which a request makes no sense. */
const neededIds: Partial<Record<OperationId, string[]>> = {
  addAccessGroupMember: [exampleIds.member],
  bulkUpdateMembers: [exampleIds.member],
  bulkMemberActions: [exampleIds.member],
  decideJoinRequests: [exampleIds.joinRequest],
};

/** Operations that create come first, those that delete come last. */
const first: OperationId[] = [
  'updateSite',
  ...everyOperation.filter((id) => creates(id) && !operations[id].path.includes('{')),
  'uploadCollectionPeople',
  'testWebhook',
];
const second: OperationId[] = [
  'addAccessGroupMember',
  'createAccessToken',
  'createMemberLoginLink',
  'listEmails',
  'revokeMemberSession',
  'deleteAccessToken',
  'deleteMemberPasskey',
  'deleteMemberIdentity',
];
const last = everyOperation
  .filter((id) => operations[id].method === 'DELETE' && !second.includes(id))
  .sort((a, b) => operations[b].path.length - operations[a].path.length);

function creates(id: OperationId): boolean {
  return operations[id].success.status === 201;
}

/**
 * These need a source of another kind, with a workspace that exists, an email that has failed, an invitation for one email
 * address, or a page that is public; the source, the email, the invitation and the rules of the example say so.
 */
const rejected: Partial<Record<OperationId, ErrorCode>> = {
  previewSourceCollection: 'source_is_uploaded',
  syncSource: 'source_is_uploaded',
  getSourceWebhook: 'source_without_webhook',
  resetSourceWebhook: 'source_without_webhook',
  resendEmail: 'email_not_resendable',
  sendInvitation: 'invitation_without_email',
  checkPage: 'page_not_public',
};
const exampleValues = new Set<string>(Object.values(exampleIds));
const rest = everyOperation.filter((id) => ![...first, ...second, ...last].includes(id));
const inOrder = [...first, ...second, ...rest, ...last];

interface Described {
  readonly parameters?: readonly { name?: string; in?: string; required?: boolean; example?: unknown }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { example: unknown }>>;
  };
}

/** The example of the body and of required parameters; optional ones are not sent unless the user enables them. */
function asTheReferenceSends(path: string, { parameters = [], requestBody }: Described) {
  const required = parameters.filter((parameter) => parameter.required);
  const target = required
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, String(example)), path);
  const query = required.filter((parameter) => parameter.in === 'query');
  expect(query, 'a query parameter has to be given').toEqual([]);
  const body = requestBody && JSON.stringify(requestBody.content['application/json']!.example);
  return { target, body, takesIds: [...exampleValues].some((id) => target.includes(id)) };
}

function send(site: TestSite, { method }: Operation, target: string, body?: string): Promise<TestResponse> {
  return site.request(method, target, { ...(body !== undefined && { body }) });
}

/** The IDs in a response, by those at the same places of its example. */
function idsIn(example: unknown, real: unknown): Record<string, string> {
  if (typeof example === 'string') {
    const isId = typeof real === 'string' && exampleValues.has(example);
    return isId ? { [example]: real } : {};
  }
  if (typeof example !== 'object' || !example || typeof real !== 'object' || !real) return {};
  const found = Object.entries(example).map(([name, part]) =>
    idsIn(part, (real as Readonly<Record<string, unknown>>)[name]),
  );
  return Object.assign({}, ...found);
}
