import { type Operation, operations } from '@gatehouse/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { forEachStoreVersion, forOneStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { expectResponse } from './answers.ts';
import { dumpSite } from './dump.ts';
import { everyOperation, type ReadyRequest, readyRequest, sendReady } from './requests.ts';

forEachStoreVersion((store) => {
  const server = useTestServer(store);

  describe.each(everyOperation)('%s', (operationId) => {
    const operation: Operation = operations[operationId];

    test('responds as the contract says', async () => {
      const site = await server.createSite();
      const request = await readyRequest(operationId, site);
      expectResponse(operationId, await sendReady(site, request), operation.success.status);
    });
  });
});

// Names are checked before the store is used.
forOneStore((store) => {
  const server = useTestServer(store);

  describe.each(everyOperation)('%s', (operationId) => {
    const operation: Operation = operations[operationId];
    let site: TestSite;
    let request: ReadyRequest;
    beforeAll(async () => {
      site = await server.createSite();
      request = await readyRequest(operationId, site);
    });

    test('names every unknown query parameter', async () => {
      const path = `${request.path}?statuss=active&__proto__=1`;
      const error = expectResponse(
        operationId,
        await sendReady(site, { ...request, path }),
        400,
        'invalid_request',
      );
      expect(error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
        '/__proto__',
        '/statuss',
      ]);
    });

    if (operation.body !== null) {
      test('names every unknown field, and changes nothing', async () => {
        const body = { ...(request.body as object), verified: true, constructor: 1, id: 'x' };
        const before = await dumpSite(server.database, site.siteId);
        const answer = await sendReady(site, { ...request, body });
        const error = expectResponse(operationId, answer, 400, 'invalid_request');
        expect(error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
          '/constructor',
          '/id',
          '/verified',
        ]);
        for (const name of ['verified', 'constructor', 'id']) expect(error.message).toContain(name);
        expect(await dumpSite(server.database, site.siteId)).toEqual(before);
      });
    }
  });
});
