import { expect, test } from 'vitest';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  test('labels are listed, newest first, until they are deleted', async () => {
    const site = await server.createSite();
    const speaker = (await site.post('/labels', { name: ' Speaker ' })).body.data;
    const guest = (await site.post('/labels', { name: 'Guest' })).body.data;
    expect(speaker.name).toBe('Speaker');
    expect((await site.get('/labels')).body.data).toEqual([guest, speaker]);

    expect((await site.delete(`/labels/${guest.id}`)).status).toBe(204);
    expect((await site.get('/labels')).body.data).toEqual([speaker]);
    expect((await site.get(`/labels?after=${guest.id}`)).body.data).toEqual([speaker]);
    const again = await site.delete(`/labels/${guest.id}`);
    expect([again.status, again.body.error.code]).toEqual([404, 'label_not_found']);
  });

  test('a label needs a name on one line', async () => {
    const site = await server.createSite();
    for (const name of ['', '  ', 'two\nlines', 'x'.repeat(101)]) {
      expect((await site.post('/labels', { name })).status, name).toBe(400);
    }
  });
});
