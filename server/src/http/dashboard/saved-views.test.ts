import { setTimeout } from 'node:timers/promises';
import type { SavedView } from '@gatehouse/contract/dashboard';
import { maxSavedViews } from '@gatehouse/contract/limits';
import { expect, test } from 'vitest';
import { expectDashboardAnswer } from '../../../test/contract/answers.ts';
import { aSavedView, dashboardPath, savedViewsPath } from '../../../test/contract/dashboard-requests.ts';
import { anOperator, operatorTenantOf, type TestOperator } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { lockMember } from '../../domain/members/member-lookup.ts';
import { deleteRole } from '../../domain/operators/operator-store.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  const list = async (site: TestSite, { browser }: TestOperator): Promise<SavedView[]> => {
    const answer = await browser.request('GET', savedViewsPath(site));
    return expectDashboardAnswer('listSavedViews', answer, 200).data;
  };
  const save = (site: TestSite, { browser }: TestOperator, view: object) =>
    browser.request('POST', savedViewsPath(site), view);
  const change = ({ browser }: TestOperator, viewId: string, changes: object) =>
    browser.request('PATCH', dashboardPath('updateSavedView', { viewId }), changes);
  const remove = ({ browser }: TestOperator, viewId: string) =>
    browser.request('DELETE', dashboardPath('deleteSavedView', { viewId }));

  /** Gives an operator a role on another site. */
  const invite = async (site: TestSite, { email }: TestOperator) =>
    expect((await site.post('/operators', { email, role: 'viewer' })).status).toBe(201);

  async function anOwner() {
    const site = await server.createSite();
    return { site, operator: await anOperator(server, site.siteId) };
  }

  test('an operator saves, changes and deletes views, which are listed oldest first', async () => {
    const { site, operator } = await anOwner();
    const ids = [
      await aSavedView(site, operator, { name: ' Ending soon ', search: 'ends=30&q=a%20b' }),
      await aSavedView(site, operator, { name: 'All', search: '' }),
    ];
    expect(await list(site, operator)).toMatchObject([
      { id: ids[0], name: 'Ending soon', search: 'ends=30&q=a%20b' },
      { id: ids[1], name: 'All', search: '' },
    ]);
    const renamed = expectDashboardAnswer(
      'updateSavedView',
      await change(operator, ids[0]!, { name: 'Soon' }),
      200,
    );
    expect(renamed.data).toMatchObject({ id: ids[0], name: 'Soon', search: 'ends=30&q=a%20b' });
    await change(operator, ids[1]!, { search: 'status=blocked' });
    expectDashboardAnswer('deleteSavedView', await remove(operator, ids[0]!), 204);
    expect(await list(site, operator)).toMatchObject([{ id: ids[1], name: 'All', search: 'status=blocked' }]);
    expectDashboardAnswer('deleteSavedView', await remove(operator, ids[0]!), 404, 'saved_view_not_found');
    const gone = await change(operator, ids[0]!, { name: 'Soon' });
    expectDashboardAnswer('updateSavedView', gone, 404, 'saved_view_not_found');
  });

  test('a name is unique for the operator and the site', async () => {
    const { site, operator } = await anOwner();
    const [second, elsewhere] = [await anOperator(server, site.siteId), await server.createSite()];
    await invite(elsewhere, operator);
    const view = { name: 'Soon', search: '' };
    await aSavedView(site, operator, view);
    const taken = await save(site, operator, view);
    expectDashboardAnswer('createSavedView', taken, 409, 'saved_view_name_taken');
    await aSavedView(site, second, view);
    await aSavedView(elsewhere, operator, view);
    const other = await aSavedView(site, operator, { name: 'Later', search: '' });
    const renamed = await change(operator, other, { name: 'Soon' });
    expectDashboardAnswer('updateSavedView', renamed, 409, 'saved_view_name_taken');
    expectDashboardAnswer('updateSavedView', await change(operator, other, { name: 'Later' }), 200);
  });

  test('values are checked, and an operator has a limited number of views on a site', async () => {
    const { site, operator } = await anOwner();
    for (const [path, view] of [
      ['/name', { name: '  ', search: '' }],
      ['/name', { name: 'x'.repeat(101), search: '' }],
      ['/search', { name: 'Long', search: 'x'.repeat(1_001) }],
      ['/search', { name: 'Lines', search: 'a\nb' }],
    ] as const) {
      const answer = await save(site, operator, view);
      const { details } = expectDashboardAnswer('createSavedView', answer, 400, 'invalid_request');
      expect(details).toMatchObject([{ path }]);
    }
    for (let number = 0; number < maxSavedViews; number += 1) {
      await aSavedView(site, operator, { name: `View ${number}`, search: '' });
    }
    const more = await save(site, operator, { name: 'One more', search: '' });
    expectDashboardAnswer('createSavedView', more, 409, 'too_many_saved_views');
    expect(await list(site, operator)).toHaveLength(maxSavedViews);
  });

  test('views belong to one operator on one site with a role', async () => {
    const { site, operator } = await anOwner();
    const [other, foreign] = [await anOperator(server, site.siteId), await server.createSite()];
    const viewId = await aSavedView(site, operator);
    expect(await list(site, other)).toEqual([]);
    const changed = await change(other, viewId, { name: 'Mine' });
    expectDashboardAnswer('updateSavedView', changed, 404, 'saved_view_not_found');
    expectDashboardAnswer('deleteSavedView', await remove(other, viewId), 404, 'saved_view_not_found');
    for (const siteId of [foreign.siteId, crypto.randomUUID()]) {
      const nowhere = { ...foreign, siteId };
      const denied = await save(nowhere, operator, { name: 'Soon', search: '' });
      expectDashboardAnswer('createSavedView', denied, 403, 'permission_denied');
      expect(await list(nowhere, operator)).toEqual([]);
    }
    expect(await list(site, operator)).toMatchObject([{ id: viewId, name: 'Ending soon' }]);
  });

  test('the views on a site are deleted with the role', async () => {
    const { site, operator } = await anOwner();
    const elsewhere = await server.createSite();
    await invite(elsewhere, operator);
    await anOperator(server, site.siteId);
    await aSavedView(site, operator);
    const remaining = await aSavedView(elsewhere, operator);
    expect((await site.delete(`/operators/${operator.id}`)).status).toBe(204);
    expect(await list(site, operator)).toEqual([]);
    await invite(site, operator);
    expect(await list(site, operator)).toEqual([]);
    expect(await list(elsewhere, operator)).toMatchObject([{ id: remaining }]);
  });

  test('a view is not saved for a role that is removed meanwhile', async () => {
    const { site, operator } = await anOwner();
    await invite(await server.createSite(), operator);
    const tenant = await operatorTenantOf(server);
    const { personId } = operator;
    let saving: ReturnType<typeof save> | undefined;
    await server.database.transaction(async (db) => {
      await lockMember({ db, siteId: tenant.id }, personId);
      saving = save(site, operator, { name: 'Soon', search: '' });
      // Long enough for the request to wait for the lock.
      await setTimeout(300);
      await deleteRole({ db, siteId: site.siteId }, tenant.id, personId);
    });
    expectDashboardAnswer('createSavedView', (await saving)!, 403, 'permission_denied');
    await invite(site, operator);
    expect(await list(site, operator)).toEqual([]);
  });

  test('views that are saved at the same time keep to the limit and to unique names', async () => {
    const { site, operator } = await anOwner();
    const saveMany = async (names: readonly string[]) => {
      const answers = await Promise.all(names.map((name) => save(site, operator, { name, search: '' })));
      return answers.map(({ status }) => status).sort();
    };
    expect(await saveMany(['Soon', 'Soon', ' Soon ', 'Soon'])).toEqual([201, 409, 409, 409]);
    for (let number = 1; number < maxSavedViews - 1; number += 1) {
      await aSavedView(site, operator, { name: `View ${number}`, search: '' });
    }
    expect(await saveMany(['a', 'b', 'c', 'd'])).toEqual([201, 409, 409, 409]);
    expect(await list(site, operator)).toHaveLength(maxSavedViews);
  });
});
