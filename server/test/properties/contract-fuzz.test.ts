import { type Operation, operations } from '@gatehouse/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectResponse } from '../contract/answers.ts';
import { everyOperation, pathOf, readyRequest } from '../contract/requests.ts';
import { effort } from '../effort.ts';
import { forEachStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { bodyOf, requestFor } from './near-requests.ts';

/** A site may have ten enabled webhooks, and each request may leave one. */
const requestsPerSite = 8;

forEachStore((store) => {
  const server = useTestServer(store);

  test.each(everyOperation)('%s responds to any request, and as the contract says', async (operationId) => {
    const operation: Operation = operations[operationId];
    let site: TestSite;
    let requests = 0;
    await fc.assert(
      fc.asyncProperty(requestFor(operation), async ({ ids, query, fields, whole, headers }) => {
        if (requests % requestsPerSite === 0) site = await server.createSite();
        requests += 1;
        const ready = await readyRequest(operationId, site);
        const path = ids ? pathOf(operationId, ids) : ready.path;
        const body = operation.body === null ? undefined : bodyOf(ready.body, fields, whole);
        const answer = await site.request(operation.method, `${path}?${new URLSearchParams(query)}`, {
          body,
          headers,
        });
        expect(answer.status, answer.text).toBeLessThan(500);
        if (!headers['if-none-match']) expect(answer.status).not.toBe(304);
        expectResponse(operationId, answer, answer.status, answer.body?.error?.code);
      }),
      { numRuns: effort.fuzzedRequests },
    );
    expect((await site!.get('/site')).status).toBe(200);
  });
});
