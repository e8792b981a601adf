import type { CollectionColumns, Source } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { scopeGroups, synchronize } from '../../../test/source-steps.ts';
import { forEachStore, isFirstStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useNotion } from '../../../test/use-notion.ts';

forEachStore((store) => {
  const { server, notion, aSource } = useNotion(store);

  async function choose(
    site: TestSite,
    { id }: Source,
    collections: readonly { key: string; name?: string; columns: CollectionColumns }[],
  ): Promise<Source> {
    return expectResponse('updateSource', await site.patch(`/sources/${id}`, { collections }), 200).data;
  }

  test('a collection that is no longer chosen is left after a confirmation; its people stay members', async () => {
    const site = await server.createSite();
    const team = notion.database('Team', { Name: 'title', Mail: 'email' });
    team.addRow({ Name: 'Ada', Mail: 'ada@example.com' });
    const source = await aSource(site);
    await choose(site, source, [{ key: team.id, columns: { email: team.key('Mail') } }]);
    await synchronize(site, source);
    const left = await choose(site, source, []);
    expect(left.collections).toMatchObject([{ key: team.id, missingSince: expect.any(String) }]);
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Team: ['ada'] });
    await synchronize(site, source, { confirmRemovals: true });
    expect(await scopeGroups(site)).toEqual({});
    expect((await site.get(`/sources/${source.id}`)).body.data.collections).toEqual([]);
    expect((await site.get('/members')).body.data).toHaveLength(1);
  });

  // What depends on Notion: other tests of sources make the same changes on each store.
  if (isFirstStore(store)) {
    test('its collections are found, previewed, chosen and followed', async () => {
      const site = await server.createSite();
      const team = notion.database('Team', { Name: 'title', Mail: 'email', Paid: 'checkbox' });
      const board = notion.database('Board', { Name: 'title', Who: 'people' });
      const ada = team.addRow({ Name: 'Ada', Mail: 'ada@example.com', Paid: true });
      team.addRow({ Name: 'Bob', Mail: 'bob@example.com', Paid: false });
      board.addRow({ Name: 'Chair', Who: [notion.person('Cleo', 'cleo@example.com')] });
      const source = await aSource(site);
      expect(source.host).toBe(new URL(notion.url).host);

      const found = await site.get(`/sources/${source.id}/collections`);
      const { collections } = expectResponse('listSourceCollections', found, 200).data;
      expect(collections).toContainEqual({ key: team.id, name: 'Team', chosen: false });
      const chosen = [];
      for (const { id, title } of [team, board]) {
        const answer = await site.get(`/sources/${source.id}/collections/${id}/preview`);
        const { guess } = expectResponse('previewSourceCollection', answer, 200).data;
        chosen.push({ key: id, name: title, columns: guess! });
      }
      const { collections: waiting } = await choose(site, source, chosen);
      expect(waiting.map(({ name }) => name).sort()).toEqual(['Board', 'Team']);
      const run = await synchronize(site, source);
      expect(run).toMatchObject({
        status: 'succeeded',
        counts: { read: 3, created: 3, added: 3, skipped: 0 },
      });
      expect(await scopeGroups(site)).toEqual({ Team: ['ada', 'bob'], Board: ['cleo'] });
      const [member] = (await site.get('/members?q=ada@')).body.data;
      expect(member).toMatchObject({ displayName: 'Ada', paid: true });

      team.title = 'Crew';
      ada.inTrash = true;
      expect((await synchronize(site, source)).counts).toMatchObject({ added: 0, removed: 1 });
      expect(await scopeGroups(site)).toEqual({ Crew: ['bob'], Board: ['cleo'] });
      const events = (await site.get('/events?limit=100')).body.data.length;
      expect((await synchronize(site, source)).counts).toMatchObject({ added: 0, changed: 0, removed: 0 });
      expect((await site.get('/events?limit=100')).body.data).toHaveLength(events);

      board.isShared = false;
      const lost = await synchronize(site, source);
      expect(lost).toMatchObject({ status: 'confirmation_required', counts: { withheld: 1, removed: 0 } });
      expect(await scopeGroups(site)).toEqual({ Crew: ['bob'], Board: ['cleo'] });
      const confirmed = await synchronize(site, source, { confirmRemovals: true });
      expect(confirmed.counts).toMatchObject({ removed: 1 });
      expect(await scopeGroups(site)).toEqual({ Crew: ['bob'] });
    });

    test('several addresses in one text make nobody a member', async () => {
      const site = await server.createSite();
      const team = notion.database('Team', { Name: 'title', Mail: 'rich_text' });
      team.addRow({ Name: 'Ada', Mail: 'Ada <ada@example.com>' });
      team.addRow({ Name: 'Pair', Mail: 'bob@example.com, cleo@example.com' });
      const source = await aSource(site);
      await choose(site, source, [{ key: team.id, columns: { email: team.key('Mail') } }]);
      const { counts, collections } = await synchronize(site, source);
      expect(counts).toMatchObject({ created: 1, skipped: 1 });
      expect(collections[0]!.skippedPeople).toEqual([
        { place: 'Pair', value: 'bob@example.com, cleo@example.com', reason: 'invalid_email' },
      ]);
      expect(await scopeGroups(site)).toEqual({ Team: ['ada'] });
    });

    test('a text that shows an error changes nothing, and an address that cannot be read removes nobody', async () => {
      const site = await server.createSite();
      const team = notion.database('Team', { Name: 'title', Mail: 'rich_text', Fee: 'rich_text' });
      const ada = { Name: 'Ada', Mail: 'ada@example.com', Fee: 'yes' };
      const rows = [ada, { Name: 'Bob', Mail: 'bob@example.com', Fee: 'yes' }].map((row) => team.addRow(row));
      const source = await aSource(site);
      const columns = {
        email: team.key('Mail'),
        displayName: team.key('Name'),
        paid: team.key('Fee'),
      };
      await choose(site, source, [{ key: team.id, columns }]);
      await synchronize(site, source);
      for (const row of rows) row.inTrash = true;
      team.addRow({ ...ada, Fee: '#REF!', Name: 'Not Ada' });
      team.addRow({ Name: '#N/A', Mail: 'cleo@example.com', Fee: 'yes' });
      team.addRow({ Name: 'Bob', Mail: 'Loading...', Fee: 'yes' });
      const run = await synchronize(site, source);
      expect(run.counts).toMatchObject({ created: 0, changed: 0, removed: 0, withheld: 1, unreadable: 1 });
      expect(run.collections[0]!.skippedPeople.map(({ reason }) => reason)).toEqual(
        Array.from({ length: 3 }, () => 'unknown_value'),
      );
      const [member] = (await site.get('/members?q=ada@')).body.data;
      expect(member).toMatchObject({ displayName: 'Ada', paid: true });
      expect(await scopeGroups(site)).toEqual({ Team: ['ada', 'bob'] });
    });

    test('what only lists at an address have is rejected', async () => {
      const site = await server.createSite();
      const { id } = await aSource(site);
      const columns = { email: 'title', groupSeparator: ',' };
      const answer = await site.patch(`/sources/${id}`, { collections: [{ key: 'team', columns }] });
      const error = expectResponse('updateSource', answer, 400, 'invalid_request');
      expect(error.details[0]!.path).toBe('/collections/0/columns/groupSeparator');
    });

    test('a wrong token is rejected with advice, and its replacement works', async () => {
      const site = await server.createSite();
      const body = { type: 'notion', name: 'Workspace', token: 'ntn_wrong' };
      const source: Source = expectResponse('createSource', await site.post('/sources', body), 201).data;
      const rejected = await site.get(`/sources/${source.id}/collections`);
      const error = expectResponse('listSourceCollections', rejected, 422, 'workspace_rejected');
      expect(error.message).toContain('Notion rejected the token');
      expect(await synchronize(site, source)).toMatchObject({ status: 'succeeded' });

      const replaced = await site.patch(`/sources/${source.id}`, { token: ` ${notion.token} ` });
      expectResponse('updateSource', replaced, 200);
      expectResponse('listSourceCollections', await site.get(`/sources/${source.id}/collections`), 200);
      const answers = [replaced, await site.get(`/sources/${source.id}`), await site.get('/events')];
      for (const { text } of answers) expect(text).not.toContain(notion.token.slice(4));
      const rows = await server.database.all(sql`SELECT * FROM sources WHERE site_id = ${site.siteId}`);
      expect(JSON.stringify(rows)).not.toContain(notion.token.slice(4));
    });

    test('while Notion does not answer, nothing changes, and the next run waits as long as it asks', async () => {
      const site = await server.createSite();
      const team = notion.database('Team', { Name: 'title', Mail: 'email' });
      team.addRow({ Name: 'Ada', Mail: 'ada@example.com' });
      const source = await aSource(site);
      await choose(site, source, [{ key: team.id, columns: { email: team.key('Mail') } }]);
      await synchronize(site, source);
      await site.patch(`/sources/${source.id}`, { enabled: true });
      notion.onRequest = () => ({ status: 429, code: 'rate_limited', retryAfterSeconds: 3_600 });
      const failed = await synchronize(site, source);
      notion.onRequest = () => undefined;
      expect(failed).toMatchObject({ status: 'failed', error: { code: 'unavailable' } });
      expect(await scopeGroups(site)).toEqual({ Team: ['ada'] });
      const [planned] = (await site.get(`/sources/${source.id}/runs`)).body.data.filter(
        ({ status }: { status: string }) => status === 'waiting',
      );
      const minutes = (Date.parse(planned.dueAt) - Date.parse(failed.endedAt!)) / 60_000;
      expect(minutes).toBeGreaterThanOrEqual(59.9);
    });
  }
});
