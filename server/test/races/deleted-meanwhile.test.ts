import { randomUUID } from 'node:crypto';
import sql, { join } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { purgeExpired } from '../purge.ts';
import { randomNumbers, seed } from '../seed.ts';
import { forEachStoreVersion } from '../stores.ts';
import {
  atOnce,
  deadlocksOf,
  expectExactCounts,
  type RaceTrack,
  race,
  raceTrack,
  readAllPages,
  rounds,
  serverCounts,
  tally,
} from './contenders.ts';

forEachStoreVersion((store) => {
  describe.each(serverCounts(store))('conflicting changes, %i server(s)', (servers) => {
    let track: RaceTrack;
    beforeAll(async () => {
      track = await raceTrack(store, servers);
    });

    const create = async (path: string, body: unknown) => (await track.site.post(path, body)).body.data;
    const newMember = (accessGroupIds: string[] = []) =>
      create('/members', { email: `${randomUUID()}@example.com`, accessGroupIds });
    const newGroup = () => create('/access-groups', { name: randomUUID() });
    const countOf = async (groupId: string) =>
      (await track.site.get(`/access-groups/${groupId}`)).body.data.memberCount;

    /** A deleted group leaves nothing once it is purged. */
    const expectPurged = async (groupId: string) => {
      const { database } = track.server;
      await purgeExpired(database, () => new Date());
      const { siteId } = track.site;
      const rows = await database.all(sql`
        SELECT group_id FROM memberships WHERE site_id = ${siteId} AND group_id = ${groupId}
        UNION ALL SELECT id FROM deleted_groups WHERE site_id = ${siteId} AND id = ${groupId}`);
      expect(rows).toEqual([]);
    };

    race('a member deleted while being added to groups is in none of them', async () => {
      const groups = await atOnce(4, newGroup);
      const member = await newMember([groups[0].id]);
      const answers = await atOnce(32, (index) =>
        index === 8
          ? track.request(index, 'DELETE', `/members/${member.id}`)
          : track.request(index, 'POST', `/access-groups/${groups[index % 4].id}/members`, {
              memberId: member.id,
            }),
      );
      const {
        204: deleted,
        201: _,
        '404 member_not_found': __,
        '409 already_in_group': ___,
        ...others
      } = tally(answers);
      expect([deleted, others]).toEqual([1, {}]);
      for (const group of groups) expect(await countOf(group.id)).toBe(0);
    });

    race('a member deleted while being changed leaves no personal data in events', async () => {
      const { id } = await newMember();
      const answers = await atOnce(16, (index) =>
        index === 8
          ? track.request(index, 'DELETE', `/members/${id}`)
          : track.request(index, 'PATCH', `/members/${id}`, { displayName: `Ada Lovelace ${index}` }),
      );
      const { 204: deleted, 200: _, '404 member_not_found': __, ...others } = tally(answers);
      expect([deleted, others]).toEqual([1, {}]);
      const { siteId } = track.site;
      const rows = await track.server.database.all<{ data: string }>(
        sql`SELECT data FROM events WHERE site_id = ${siteId} AND member_id = ${id}`,
      );
      expect(rows.length).toBeGreaterThan(1);
      for (const { data } of rows) expect(data).not.toMatch(/Ada|@example/);
    });

    race('a member deleted while being removed from groups is subtracted from each count once', async () => {
      const groups = await atOnce(4, newGroup);
      const ids = groups.map(({ id }) => id);
      const [member] = [await newMember(ids), await newMember(ids)];
      const answers = await atOnce(32, (index) =>
        index % 8 === 5
          ? track.request(index, 'DELETE', `/members/${member.id}`)
          : track.request(index, 'DELETE', `/access-groups/${ids[index % 4]}/members/${member.id}`),
      );
      const {
        204: _,
        '404 member_not_found': __,
        '404 membership_not_found': ___,
        ...others
      } = tally(answers);
      expect(others).toEqual({});
      for (const id of ids) expect(await countOf(id)).toBe(1);
    });

    race('a group deleted during bulk requests has all of their members or none', async () => {
      const [remaining, group] = [await newGroup(), await newGroup()];
      const bulks = Array.from({ length: 12 }, () =>
        Array.from({ length: 20 }, () => ({ email: `${randomUUID()}@example.com` })),
      );
      const answers = await atOnce(bulks.length + 1, (index) =>
        index === 4
          ? track.request(index, 'DELETE', `/access-groups/${group.id}`)
          : track.request(index, 'POST', '/members/bulk', {
              members: bulks[index > 4 ? index - 1 : index],
              accessGroupIds: [group.id, remaining.id],
            }),
      );
      const {
        204: deleted,
        207: done = 0,
        '404 access_group_not_found': rejected = 0,
        ...others
      } = tally(answers);
      expect([deleted, done + rejected, others]).toEqual([1, bulks.length, {}]);
      expect(await countOf(remaining.id)).toBe(done * 20);
      expect((await track.site.get(`/access-groups/${group.id}`)).status).toBe(404);
      await expectPurged(group.id);
    });

    race('a group deleted while members are added to it leaves no membership', async () => {
      const group = await newGroup();
      const members = await atOnce(8, () => newMember());
      const answers = await atOnce(32, (index) =>
        index === 20
          ? track.request(index, 'DELETE', `/access-groups/${group.id}`)
          : track.request(index, 'POST', `/access-groups/${group.id}/members`, {
              memberId: members[index % 8].id,
            }),
      );
      const {
        204: deleted,
        201: _,
        '404 access_group_not_found': __,
        '409 already_in_group': ___,
        ...others
      } = tally(answers);
      expect([deleted, others]).toEqual([1, {}]);
      for (const member of members)
        expect((await track.site.get(`/members/${member.id}`)).body.data.accessGroups).toEqual([]);
      await expectPurged(group.id);
    });

    race('the members of a deleted group can be deleted while its memberships are', async () => {
      const [remaining, group] = [await newGroup(), await newGroup()];
      const members = await atOnce(32, () => newMember([remaining.id, group.id]));
      const path = `/access-groups/${group.id}`;
      const [deleted] = await atOnce(1, () => track.request(0, 'DELETE', path));
      expect(deleted!.status).toBe(204);
      const work = [
        ...Array.from({ length: 4 }, () => async () => {
          await purgeExpired(track.server.database, () => new Date());
          return undefined;
        }),
        ...members.map(
          ({ id }, index) =>
            () =>
              track.request(index, 'DELETE', `/members/${id}`),
        ),
      ];
      const answers = await atOnce(work.length, (index) => work[index]!());
      expect(tally(answers.filter((answer) => answer !== undefined))).toEqual({ 204: members.length });
      expect(await countOf(remaining.id)).toBe(0);
      await expectPurged(group.id);
    });

    race('a change of the site during other writes causes no deadlock', async () => {
      const members = await atOnce(8, () => newMember());
      const answers = await atOnce(32, (index) => {
        if (index % 4 === 0)
          return track.request(index, 'PATCH', '/site', {
            title: randomUUID(),
            domain: `d${randomUUID()}.example`,
          });
        return track.request(index, 'PATCH', `/members/${members[index % 8].id}`, {
          displayName: randomUUID(),
        });
      });
      expect(tally(answers)).toEqual({ 200: 32 });
    });

    race('groups swap names while members are created in them', async () => {
      const groups = await atOnce(4, newGroup);
      const answers = await atOnce(32, (index) =>
        index % 2 === 0
          ? track.request(index, 'PATCH', `/access-groups/${groups[(index >> 1) % 4].id}`, {
              name: groups[((index >> 1) + 1 + (index >> 3)) % 4].name,
            })
          : track.request(index, 'POST', '/members/bulk', {
              members: [{ email: `${randomUUID()}@example.com` }],
              accessGroupIds: [groups[index % 4].id, groups[(index + 1) % 4].id],
            }),
      );
      const {
        200: unchanged = 0,
        207: created,
        '409 access_group_name_taken': rejected = 0,
        ...others
      } = tally(answers);
      expect([created, unchanged + rejected, others]).toEqual([16, 16, {}]);
    });

    race(
      'memberships that end while their members are deleted are subtracted from the counts once',
      async () => {
        const later = () => new Date(Date.now() + 24 * 3_600_000);
        const groups = await atOnce(4, newGroup);
        const members = await atOnce(8, () => newMember());
        const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
        await atOnce(32, (index) =>
          track.site.post(`/access-groups/${groups[index % 4].id}/members`, {
            memberId: members[index >> 2].id,
            expiresAt,
          }),
        );
        const [, ...answers] = await Promise.all([
          purgeExpired(track.server.database, later),
          ...members.map(({ id }, index) => track.request(index, 'DELETE', `/members/${id}`)),
        ]);
        expect(tally(answers)).toEqual({ 204: members.length });
        for (const group of groups) expect(await countOf(group.id)).toBe(0);
        const rows = await track.server.database.all<{ membership_count: number }>(
          sql`SELECT membership_count FROM access_groups WHERE site_id = ${track.site.siteId} AND id IN (${join(groups.map(({ id }) => id))})`,
        );
        expect(rows.map((row) => row.membership_count)).toEqual([0, 0, 0, 0]);
      },
    );

    test('afterwards every count is exact, and no transaction was aborted by a deadlock', async () => {
      await expectExactCounts(track.site);
      expect(await deadlocksOf(track.server.database)).toBe(0);
    });

    test('under a mix of all operations no response is an internal error and all counts stay exact', async () => {
      const groups = await atOnce(5, newGroup);
      const members = await atOnce(20, () => newMember());
      const random = randomNumbers();
      const below = (count: number) => Math.floor(random() * count);
      const pick = <T>(items: T[]) => items[below(items.length)]!;
      const actions: ((index: number) => Promise<{ status: number }>)[] = [
        (i) =>
          track.request(i, 'POST', `/access-groups/${pick(groups).id}/members`, {
            memberId: pick(members).id,
          }),
        (i) => track.request(i, 'DELETE', `/access-groups/${pick(groups).id}/members/${pick(members).id}`),
        (i) => track.request(i, 'DELETE', `/members/${pick(members).id}`),
        (i) =>
          track.request(i, 'PATCH', `/members/${pick(members).id}`, {
            email: `${below(30)}@example.com`,
          }),
        (i) =>
          track.request(i, 'POST', '/members/bulk', {
            members: Array.from({ length: 10 }, () => ({
              email: `${below(30)}@example.com`,
            })),
            accessGroupIds: [pick(groups).id, pick(groups).id],
          }),
        (i) =>
          track.request(i, 'PATCH', `/access-groups/${pick(groups).id}`, {
            name: `n${below(6)}`,
          }),
        (i) => track.request(i, 'GET', '/members?sort=email&limit=10'),
      ];
      const seen = new Set<number>();
      await atOnce(32, async (worker) => {
        for (let step = 0; step < rounds * 2; step += 1) seen.add((await pick(actions)(worker)).status);
      });
      expect(
        [...seen].filter((status) => status >= 500),
        `seed ${seed}`,
      ).toEqual([]);
      await expectExactCounts(track.site);
      expect((await readAllPages(track.site, '/members')).length).toBeGreaterThan(0);
    });
  });
});
