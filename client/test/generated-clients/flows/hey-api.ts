// Compiled and run with the client that @hey-api/openapi-ts generates from openapi.json: see generated-clients.test.ts.

import assert from 'node:assert/strict';
import { client } from './client/client.gen.ts';
import {
  addAccessGroupMember,
  bulkCreateMembers,
  bulkMemberActions,
  createAccessGroup,
  createApiKey,
  createMember,
  deleteMember,
  getMember,
  listEvents,
  listMembers,
  rotateApiKey,
  updateMember,
} from './client/index.ts';
import type { BulkAction, BulkResultItem, Event } from './client/types.gen.ts';

client.setConfig({ baseUrl: `${process.env.GATEHOUSE_URL}/api/v1`, auth: () => process.env.GATEHOUSE_KEY });

// Optional fields are left out.
const { data: created } = await createMember({ body: { email: 'ada@example.com' } });
assert.ok(created);
const member = created.data;

const { data: group } = await createAccessGroup({ body: { name: 'Course' } });
assert.ok(group);
const groupId = group.data.id;

const { data: bulk } = await bulkCreateMembers({
  body: { members: [{ email: 'grace@example.com' }, { email: 'ada@example.com' }, { email: 'nobody' }] },
});
assert.ok(bulk);
assert.deepEqual(bulk.data.map(outcomeOf), ['grace@example.com', 'email_taken', 'invalid_email']);

function outcomeOf(item: BulkResultItem): string {
  // @ts-expect-error without a check of the status there may be no member
  item.member;
  return item.status === 'created' ? item.member.email : item.error.code;
}

const order = { sort: 'email', order: 'asc', limit: 1 } as const;
const { data: first } = await listMembers({ query: order });
assert.equal(first?.data[0]?.email, 'ada@example.com');
const after = first.pagination.nextCursor;
assert.ok(after);
const { data: second } = await listMembers({ query: { ...order, after } });
assert.deepEqual(
  second?.data.map(({ email }) => email),
  ['grace@example.com'],
);

const path = { memberId: member.id };
const { data: updated } = await updateMember({ path, body: { displayName: 'Ada' } });
assert.equal(updated?.data.displayName, 'Ada');

const { data: paid } = await bulkMemberActions({
  body: { memberIds: [member.id, groupId], action: { type: 'set_paid', paid: true } },
});
assert.deepEqual(
  paid?.data.map((item) => (item.status === 'error' ? item.error.code : item.status)),
  ['done', 'member_not_found'],
);
// @ts-expect-error the action requires a group
const incomplete: BulkAction = { type: 'add_to_group' };
assert.ok(incomplete);
const { data: added } = await addAccessGroupMember({ path: { groupId }, body: { memberId: member.id } });
assert.equal(added?.data.accessGroups[0]?.name, 'Course');

const { data: events } = await listEvents({ query: { limit: 100 } });
assert.ok(events);
assert.deepEqual(events.data.flatMap(describeEvent), [
  'ada@example.com created',
  'Course began',
  'grace@example.com created',
  'displayName changed',
  'paid changed',
  'true group',
]);

function describeEvent(event: Event): string | [] {
  switch (event.type) {
    case 'member.created':
      return 'erased' in event.data ? 'erased' : `${event.data.member.email} created`;
    case 'member.updated':
      return 'erased' in event.data ? 'erased' : `${event.data.changes[0]?.field} changed`;
    case 'access-group.created':
      return `${event.data.group.name} began`;
    case 'access-group.member.added':
      return 'erased' in event.data ? 'erased' : `${event.data.groupId === groupId} group`;
    default:
      return [];
  }
}

const { data: key } = await createApiKey({ body: { name: 'Shop' } });
assert.ok(key);
const { data: renewed } = await rotateApiKey({ path: { keyId: key.data.id }, body: {} });
assert.ok(renewed?.data.secret);

const { response } = await deleteMember({ path });
assert.equal(response?.status, 204);
const { error: gone } = await getMember({ path });
assert.equal(gone?.error.code, 'member_not_found');

console.log('done');
