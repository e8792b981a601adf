import { expect, expectTypeOf, test } from 'vitest';
import { addressOf, type dashboardApi, type Me, type OperatedSite, type Role } from './dashboard-api.ts';

test('the URL of an operation contains its parameters', () => {
  expect(addressOf('getMe', {})).toBe('/dashboard/api/me');
  expect(addressOf('endOwnSession', { params: { sessionId: '01980a41' } })).toBe(
    '/dashboard/api/sessions/01980a41',
  );
  expect(addressOf('previewLoginPage', { query: { title: 'A & B', color: '#0f766e' } })).toBe(
    '/dashboard/api/preview/login?title=A+%26+B&color=%230f766e',
  );
});

test('an operation has the parameters and the result of the contract', () => {
  // @ts-expect-error: it takes no parameters
  addressOf('getMe', { params: { id: 'x' } });
  // @ts-expect-error: its body lacks a field
  addressOf('createOperatorToken', { body: {} });
  // @ts-expect-error: its query has no such field
  addressOf('previewLoginPage', { query: { title: 'Club', font: 'serif' } });
  expectTypeOf<ReturnType<typeof dashboardApi.me>>().toEqualTypeOf<Promise<Me>>();
  expectTypeOf<OperatedSite['role']>().toEqualTypeOf<Role>();
  expectTypeOf<ReturnType<typeof dashboardApi.logOut>>().toEqualTypeOf<Promise<undefined>>();
});
