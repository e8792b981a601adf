import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { forEachStoreVersion } from '../stores.ts';
import {
  atOnce,
  contenders,
  deadlocksOf,
  expectExactCounts,
  type RaceTrack,
  race,
  raceTrack,
  readAllPages,
  serverCounts,
  tally,
} from './contenders.ts';

const losers = contenders - 1;

forEachStoreVersion((store) => {
  describe.each(serverCounts(store))('32 concurrent requests, %i server(s)', (servers) => {
    let track: RaceTrack;
    beforeAll(async () => {
      track = await raceTrack(store, servers);
    });

    const create = async (path: string, body: unknown) => {
      const answer = await track.site.post(path, body);
      expect(answer.status).toBe(201);
      return { ...answer.body.data, etag: answer.headers.get('etag') };
    };
    const newMember = (accessGroupIds: string[] = []) =>
      create('/members', { email: `${randomUUID()}@example.com`, accessGroupIds });
    const newGroup = () => create('/access-groups', { name: randomUUID() });

    race('one address is used by one member', async () => {
      const name = randomUUID();
      const answers = await atOnce(contenders, (index) =>
        track.request(index, 'POST', '/members', {
          email: `${index % 2 ? name : name.toUpperCase()}@Example.com`,
        }),
      );
      expect(tally(answers)).toEqual({ 201: 1, '409 email_taken': losers });
      expect(await readAllPages(track.site, `/members?email=${name}@example.com`)).toHaveLength(1);
    });

    race('one address in many bulk requests is created in one of them', async () => {
      const { id: groupId } = await newGroup();
      const names = Array.from({ length: 5 }, () => `${randomUUID()}@example.com`);
      const answers = await atOnce(contenders, (index) => {
        const order = index % 2 ? names : names.toReversed();
        const members = order.map((email) => ({ email }));
        return track.request(index, 'POST', '/members/bulk', { members, accessGroupIds: [groupId] });
      });
      expect(tally(answers)).toEqual({ 207: contenders });
      const created = answers.flatMap(({ body }) => body.data).filter(({ status }) => status === 'created');
      expect(created.map(({ email }) => email).sort()).toEqual(names.toSorted());
      expect((await track.site.get(`/access-groups/${groupId}`)).body.data.memberCount).toBe(names.length);
    });

    race('one host name, with and without www., is used by one site', async () => {
      const name = `${randomUUID()}.example.org`;
      const spellings = [name, `www.${name}`, `WWW.${name}:8443`, `www.www.${name}`];
      const sites = await atOnce(contenders, () => track.server.createSite());
      const answers = await atOnce(contenders, (index) => {
        const domain = spellings[index % spellings.length];
        const body =
          index % 3 ? { domain } : { hosts: [{ domain: `${randomUUID()}.example.org` }, { domain }] };
        const headers = { authorization: `Bearer ${sites[index]!.key}` };
        return track.request(index, 'PATCH', '/site', body, headers);
      });
      expect(tally(answers)).toEqual({ 200: 1, '409 site_domain_taken': losers });
      const winner = sites[answers.findIndex(({ status }) => status === 200)]!;
      const refused = await readAllPages(winner, '/events?type=host-claim.refused');
      expect(refused).toHaveLength(1);
    });

    race('one name is used by one access group', async () => {
      const name = randomUUID();
      const answers = await atOnce(contenders, (index) =>
        track.request(index, 'POST', '/access-groups', { name }),
      );
      expect(tally(answers)).toEqual({ 201: 1, '409 access_group_name_taken': losers });
    });

    race('of groups renamed to one name only one gets it', async () => {
      const name = randomUUID();
      const groups = await atOnce(4, newGroup);
      const answers = await atOnce(contenders, (index) =>
        track.request(index, 'PATCH', `/access-groups/${groups[index % 4].id}`, { name }),
      );
      const { 200: winners, '409 access_group_name_taken': rejected } = tally(answers);
      // Each group is renamed by eight requests: all requests of the winner succeed.
      expect([winners, rejected]).toEqual([8, 24]);
    });

    race('one idempotency key has one effect', async () => {
      const email = `${randomUUID()}@example.com`;
      const headers = { 'idempotency-key': randomUUID() };
      const answers = await atOnce(contenders, (index) =>
        track.request(index, 'POST', '/members', { email }, headers),
      );
      const { 201: created = 0, '409 idempotency_in_progress': early = 0, ...others } = tally(answers);
      expect(others).toEqual({});
      expect(created + early).toBe(contenders);
      const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
      expect(new Set(ids).size).toBe(1);
      const firsts = answers.filter(
        ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
      );
      expect(firsts).toHaveLength(1);
      const replay = await track.site.post('/members', { email }, headers);
      expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      expect(replay.text).toBe(firsts[0]!.text);
    });

    race('one idempotency key repeats an error, and other requests continue', async () => {
      const { name } = await newGroup();
      const headers = { 'idempotency-key': randomUUID() };
      const answers = await atOnce(contenders, (index) =>
        track.request(index, 'POST', '/access-groups', { name }, headers),
      );
      const { '409 access_group_name_taken': taken = 0, '409 idempotency_in_progress': early = 0 } =
        tally(answers);
      expect(taken).toBeGreaterThan(0);
      expect(taken + early).toBe(contenders);
      const replay = await track.site.post('/access-groups', { name }, headers);
      expect(replay.body.error.code).toBe('access_group_name_taken');
      expect(replay.headers.get('idempotency-replayed')).toBe('true');
    });

    race('a member is added to a group once', async () => {
      const [member, group] = [await newMember(), await newGroup()];
      const answers = await atOnce(contenders, (index) =>
        track.request(index, 'POST', `/access-groups/${group.id}/members`, { memberId: member.id }),
      );
      expect(tally(answers)).toEqual({ 201: 1, '409 already_in_group': losers });
      expect((await track.site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(1);
    });

    race('a member is removed from a group once', async () => {
      const group = await newGroup();
      const member = await newMember([group.id]);
      const answers = await atOnce(contenders, (index) =>
        track.request(index, 'DELETE', `/access-groups/${group.id}/members/${member.id}`),
      );
      expect(tally(answers)).toEqual({ 204: 1, '404 membership_not_found': losers });
      expect((await track.site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(0);
    });

    race('of changes with the same If-Match one is applied', async () => {
      const { id } = await newMember();
      const etag = (await track.site.get(`/members/${id}`)).headers.get('etag')!;
      const answers = await atOnce(contenders, (index) =>
        track.request(
          index,
          'PATCH',
          `/members/${id}`,
          { displayName: `Name ${index}` },
          { 'if-match': etag },
        ),
      );
      expect(tally(answers)).toEqual({ 200: 1, '412 precondition_failed': losers });
      const winner = answers.find(({ status }) => status === 200)!;
      expect((await track.site.get(`/members/${id}`)).text).toBe(winner.text);
    });

    race('a member is deleted once', async () => {
      const groups = await atOnce(3, newGroup);
      const { id } = await newMember(groups.map((group) => group.id));
      const answers = await atOnce(contenders, (index) => track.request(index, 'DELETE', `/members/${id}`));
      expect(tally(answers)).toEqual({ 204: 1, '404 member_not_found': losers });
      for (const group of groups)
        expect((await track.site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(0);
    });

    race('a group is deleted once', async () => {
      const group = await newGroup();
      await newMember([group.id]);
      const answers = await atOnce(contenders, (index) =>
        track.request(index, 'DELETE', `/access-groups/${group.id}`),
      );
      expect(tally(answers)).toEqual({ 204: 1, '404 access_group_not_found': losers });
    });

    test('afterwards every count is exact, and no transaction was aborted by a deadlock', async () => {
      await expectExactCounts(track.site);
      expect(await deadlocksOf(track.server.database)).toBe(0);
    });
  });
});
