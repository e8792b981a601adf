import type { Permission, Source } from '@gatehouse/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { startListServer } from '../../../test/list-server.ts';
import { synchronize } from '../../../test/source-steps.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  async function aListSource(site: TestSite): Promise<Source> {
    const list = await startListServer('Email\nada@example.com\nno address\n');
    onTestFinished(() => list.stop());
    const body = { type: 'list', name: 'Members', address: list.address };
    const { id } = expectResponse('createSource', await site.post('/sources', body), 201).data;
    const collections = [{ key: 'list', columns: { email: 'Email' } }];
    return expectResponse('updateSource', await site.patch(`/sources/${id}`, { collections }), 200).data;
  }

  /** Reads paths with a key that has these permissions. */
  async function readerWith(site: TestSite, ...permissions: Permission[]) {
    const { secret } = await site.createKey({ permissions });
    return (path: string) => site.get(path, { authorization: `Bearer ${secret}` });
  }

  describe('the people of a workspace', () => {
    test('are shown in a preview only to those who may change sources', async () => {
      const site = await server.createSite();
      const { id } = await aListSource(site);
      const collections = `/sources/${id}/collections`;
      const read = await readerWith(site, 'sources:read', 'members:read');
      expectResponse('getSource', await read(`/sources/${id}`), 200);
      expectResponse('listSourceCollections', await read(collections), 403, 'permission_denied');
      const refused = await read(`${collections}/list/preview`);
      expectResponse('previewSourceCollection', refused, 403, 'permission_denied');
      const change = await readerWith(site, 'sources:write');
      expectResponse('listSourceCollections', await change(collections), 200);
      expectResponse('previewSourceCollection', await change(`${collections}/list/preview`), 200);
    });

    test('are named in a run only to those who may read members; the others see the numbers', async () => {
      const site = await server.createSite();
      const source = await aListSource(site);
      const { id } = await synchronize(site, source, { dryRun: true });
      const runs = `/sources/${source.id}/runs`;
      const named = {
        skippedPeople: [{ place: 'row 3', value: 'no address', reason: 'invalid_email' }],
        sample: { added: ['ada@example.com'], removed: [] },
      };
      const nobody = { skippedPeople: [], sample: { added: [], removed: [] } };
      const cases: [Permission[], object][] = [
        [['sources:read'], nobody],
        [['sources:read', 'sources:write'], nobody],
        [['sources:read', 'members:read'], named],
      ];
      for (const [permissions, people] of cases) {
        const read = await readerWith(site, ...permissions);
        const one = expectResponse('getSourceRun', await read(`${runs}/${id}`), 200).data;
        expect(one.counts).toMatchObject({ added: 1, skipped: 1 });
        expect(one.collections).toMatchObject([{ added: 1, skipped: 1, ...people }]);
        const [listed] = expectResponse('listSourceRuns', await read(runs), 200).data;
        expect(listed).toEqual(one);
      }
    });
  });
});
