import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { effort } from '../effort.ts';
import { makeSite, requestsWith, startProcess } from '../faults/gatehouse-process.ts';
import { forEachStoreVersion } from '../stores.ts';
import { atOnce, tally } from './contenders.ts';

const members = 60;
const removed = 25;

forEachStoreVersion((store) => {
  // Only PostgreSQL is meant for several processes.
  test.skipIf(store.dialect === 'sqlite')(
    'counts are exact while two processes add members to groups and remove them',
    { timeout: 120_000 + effort.membershipRounds * 120_000 },
    async () => {
      const databaseUrl = await store.migratedUrl();
      const { siteId, key } = await makeSite(databaseUrl);
      const processes = await Promise.all([startProcess(databaseUrl), startProcess(databaseUrl)]);
      const requests = processes.map(({ address }) => requestsWith(key, () => address));
      /** On a busy machine a request may be answered with 503, and may have taken effect; it is then repeated. */
      const send = async (index: number, method: string, path: string, body?: unknown) => {
        for (let isRepeated = false; ; isRepeated = true) {
          const answer = (await requests[index % 2]!(method, path, body))!;
          const isDone = ['already_in_group', 'membership_not_found'].includes(answer.body?.error?.code);
          if (isRepeated && isDone) return { ...answer, status: method === 'POST' ? 201 : 204 };
          if (answer.status !== 503) return answer;
        }
      };
      const database = openDatabase(databaseUrl, { poolSize: 2 });

      const countsOf = async (groupId: string) => {
        const row = await database.get<{ counter: number; rows: number }>(sql`
          SELECT membership_count AS counter,
            (SELECT count(*) FROM memberships WHERE site_id = ${siteId} AND group_id = ${groupId}) AS rows
          FROM access_groups WHERE site_id = ${siteId} AND id = ${groupId}`);
        const answers = await atOnce(2, (index) => send(index, 'GET', `/access-groups/${groupId}`));
        return [row!.counter, row!.rows, ...answers.map(({ body }) => body.data.memberCount)];
      };
      const newGroup = async (index: number) =>
        (await send(index, 'POST', '/access-groups', { name: randomUUID() })).body.data.id as string;

      for (let round = 0; round < effort.membershipRounds; round += 1) {
        const [one, other] = (await atOnce(2, newGroup)) as [string, string];
        const people = Array.from({ length: members }, () => ({ email: `${randomUUID()}@example.com` }));
        const created = await send(round, 'POST', '/members/bulk', { members: people });
        const ids: string[] = created.body.data.map(({ member }: { member: { id: string } }) => member.id);
        const add = (index: number, groupId: string, memberId: string) =>
          send(index, 'POST', `/access-groups/${groupId}/members`, { memberId });

        const added = await atOnce(members, (index) => add(index, one, ids[index]!));
        expect(tally(added)).toEqual({ 201: members });
        expect(await countsOf(one)).toEqual(Array(4).fill(members));

        const moved = await atOnce(members + removed, (index) =>
          index < removed
            ? send(index, 'DELETE', `/access-groups/${one}/members/${ids[index]}`)
            : add(index, other, ids[index - removed]!),
        );
        expect(tally(moved)).toEqual({ 204: removed, 201: members });
        expect(await countsOf(one)).toEqual(Array(4).fill(members - removed));
        expect(await countsOf(other)).toEqual(Array(4).fill(members));
      }
      await database.close();
    },
  );
});
