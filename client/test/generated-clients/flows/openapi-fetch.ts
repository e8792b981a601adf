// Compiled and run with the client that openapi-typescript generates from openapi.json: see generated-clients.test.ts.

import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

const client = createClient<paths>({
  baseUrl: `${process.env.GATEHOUSE_URL}/api/v1`,
  headers: { authorization: `Bearer ${process.env.GATEHOUSE_KEY}` },
});

// Optional fields are left out.
const { data: created } = await client.POST('/members', { body: { email: 'ada@example.com' } });
assert.ok(created);
const member = created.data;

const group = await client.POST('/access-groups', { body: { name: 'Course' } });
assert.ok(group.data);

const bulk = await client.POST('/members/bulk', {
  body: { members: [{ email: 'grace@example.com' }, { email: 'ada@example.com' }, { email: 'nobody' }] },
});
assert.ok(bulk.data);
assert.deepEqual(bulk.data.data.map(outcomeOf), ['grace@example.com', 'email_taken', 'invalid_email']);

function outcomeOf(item: components['schemas']['BulkResultItem']): string {
  // @ts-expect-error without a check of the status there may be no member
  item.member;
  return item.status === 'created' ? item.member.email : item.error.code;
}

const first = await client.GET('/members', { params: { query: { limit: 1, sort: 'email', order: 'asc' } } });
assert.equal(first.data?.data[0]?.email, 'ada@example.com');
const after = first.data.pagination.nextCursor;
assert.ok(after);
const second = await client.GET('/members', {
  params: { query: { limit: 1, sort: 'email', order: 'asc', after } },
});
assert.deepEqual(
  second.data?.data.map(({ email }) => email),
  ['grace@example.com'],
);

const path = { memberId: member.id };
const updated = await client.PATCH('/members/{memberId}', { params: { path }, body: { displayName: 'Ada' } });
assert.equal(updated.data?.data.displayName, 'Ada');

const memberIds = [member.id, group.data.data.id];
const paid = await client.POST('/members/bulk-actions', {
  body: { memberIds, action: { type: 'set_paid', paid: true } },
});
assert.deepEqual(
  paid.data?.data.map((item) => (item.status === 'error' ? item.error.code : item.status)),
  ['done', 'member_not_found'],
);
const added = await client.POST('/members/bulk-actions', {
  body: { memberIds: [member.id], action: { type: 'add_to_group', groupId: group.data.data.id } },
});
assert.equal(added.data?.summary.done, 1);
// @ts-expect-error the action requires a group
const incomplete: components['schemas']['BulkAction'] = { type: 'add_to_group' };
assert.ok(incomplete);

const events = await client.GET('/events', { params: { query: { limit: 100 } } });
assert.ok(events.data);
const described = events.data.data.flatMap((event) => {
  switch (event.type) {
    case 'member.created':
      return 'erased' in event.data ? 'erased' : `${event.data.member.email} created`;
    case 'member.updated':
      return 'erased' in event.data ? 'erased' : `${event.data.changes[0]?.field} changed`;
    case 'access-group.created':
      return `${event.data.group.name} began`;
    case 'access-group.member.added':
      return 'erased' in event.data ? 'erased' : `${event.data.groupId === group.data?.data.id} group`;
    default:
      return [];
  }
});
assert.deepEqual(described, [
  'ada@example.com created',
  'Course began',
  'grace@example.com created',
  'displayName changed',
  'paid changed',
  'true group',
]);

const rotated = await client.POST('/api-keys', { body: { name: 'Shop' } });
assert.ok(rotated.data);
const keyId = rotated.data.data.id;
const renewed = await client.POST('/api-keys/{keyId}/rotate', { params: { path: { keyId } }, body: {} });
assert.ok(renewed.data?.data.secret);

const deleted = await client.DELETE('/members/{memberId}', { params: { path } });
assert.equal(deleted.response.status, 204);
const gone = await client.GET('/members/{memberId}', { params: { path } });
assert.equal(gone.error?.error.code, 'member_not_found');

console.log('done');
