import type * as contract from '@gatehouse/contract';
import { expectTypeOf, test } from 'vitest';
import type {
  BulkResultItem,
  Call,
  Event,
  Gatehouse,
  GatehouseError,
  GroupMember,
  List,
  Member,
  MemberWithGroups,
  VerifiedSession,
} from './index.ts';

declare const gatehouse: Gatehouse;
/** Only type-checked, never run. */
const onlyTypes = (_: () => unknown) => {};

test('single members have their access groups, listed ones do not', () => {
  onlyTypes(() => {
    expectTypeOf(gatehouse.members.create({ email: '' })).toEqualTypeOf<Call<MemberWithGroups>>();
    expectTypeOf(gatehouse.members.get('')).resolves.toHaveProperty('accessGroups');
    expectTypeOf(gatehouse.members.list()).toEqualTypeOf<List<Member>>();
    expectTypeOf<Member>().not.toHaveProperty('accessGroups');
    expectTypeOf(gatehouse.accessGroups.members.list('')).toEqualTypeOf<List<GroupMember>>();
    expectTypeOf<GroupMember>().not.toHaveProperty('createdAt');
  });
});

test('response types match the contract', () => {
  expectTypeOf<MemberWithGroups>().toEqualTypeOf<contract.MemberWithGroups>();
  expectTypeOf<Event>().toEqualTypeOf<contract.Event>();
  expectTypeOf<Event<'member.created'>>().toEqualTypeOf<contract.Event<'member.created'>>();
});

test('every check has a complete result', () => {
  onlyTypes(async () => {
    expectTypeOf(gatehouse.sessions.verify({})).toEqualTypeOf<Call<VerifiedSession>>();
    expectTypeOf<VerifiedSession>().toEqualTypeOf<contract.VerifiedSession>();
    expectTypeOf(gatehouse.access.check([])).toEqualTypeOf<Call<contract.AccessDecision[]>>();
    // A value that was read can be sent back unchanged.
    gatehouse.accessRules.replace((await gatehouse.accessRules.get()).rules);
  });
});

test('a bulk result has a member or an error, by its status', () => {
  onlyTypes(() => {
    const item = {} as BulkResultItem;
    if (item.status === 'created') expectTypeOf(item.member).toEqualTypeOf<Member>();
    else expectTypeOf(item.error.code).toEqualTypeOf<contract.BulkErrorCode>();
    // @ts-expect-error without a check of the status there may be none
    return item.member;
  });
});

test('an event has the data of its type', () => {
  onlyTypes(async () => {
    for await (const event of gatehouse.events.follow({ type: 'access-group.deleted' })) {
      expectTypeOf(event.type).toEqualTypeOf<'access-group.deleted'>();
      if (!('erased' in event.data)) expectTypeOf(event.data.name).toEqualTypeOf<string>();
    }
    expectTypeOf(gatehouse.events.list()).toEqualTypeOf<List<Event>>();
  });
});

test('optional fields may be undefined, and lists may be readonly', () => {
  onlyTypes(() => {
    const ids: readonly string[] = [];
    gatehouse.members.create({ email: '', displayName: undefined, accessGroupIds: ids });
    gatehouse.members.list({ q: undefined, paid: true }, { signal: undefined });
    gatehouse.members.update('', { paid: undefined }, { ifMatch: undefined });
  });
});

test('mistakes do not compile', () => {
  onlyTypes(() => {
    // @ts-expect-error the address is missing
    gatehouse.members.create({});
    // @ts-expect-error no such field
    gatehouse.members.create({ email: '', name: '' });
    // @ts-expect-error no such status
    gatehouse.members.update('', { status: 'gone' });
    // @ts-expect-error no such filter
    gatehouse.members.list({ query: '' });
    // @ts-expect-error an address cannot be null
    gatehouse.members.update('', { email: null });
    // @ts-expect-error reading needs no idempotency key
    gatehouse.members.get('', { idempotencyKey: '' });
    // @ts-expect-error checking needs none either
    gatehouse.sessions.verify({ token: null }, { idempotencyKey: '' });
    // @ts-expect-error a session has no ETag
    gatehouse.members.sessions.revoke('', '', { ifMatch: '' });
    // @ts-expect-error no such access
    gatehouse.accessRules.replace([{ path: '/', access: 'nobody' }]);
    // @ts-expect-error a new resource has no earlier version
    gatehouse.members.create({ email: '' }, { ifMatch: '' });
  });
});

test('codes are those of the service and of the client', () => {
  expectTypeOf<GatehouseError['code']>().toEqualTypeOf<
    contract.ErrorCode | 'network_error' | 'timeout' | 'unexpected_response'
  >();
});
