import { randomUUID } from 'node:crypto';
import type { CreateInvitation, CreatePageCode, Invitation, PageCode } from '@gatehouse/contract';
import type { TestSite } from '../test-server.ts';
import { expectResponse } from './answers.ts';
import { aDomain } from './given.ts';

/** An invitation; by default for everyone who has its link. */
export async function anInvitation(site: TestSite, values: CreateInvitation = {}): Promise<Invitation> {
  await aDomain(site);
  return expectResponse('createInvitation', await site.post('/invitations', values), 201).data;
}

/** An invitation for an email address of its own, which was not sent. */
export function aPersonalInvitation(site: TestSite): Promise<Invitation> {
  return anInvitation(site, { email: `i-${randomUUID()}@example.com`, send: false });
}

/** A page code, created through the API. */
export async function aPageCode(site: TestSite, values: Partial<CreatePageCode> = {}): Promise<PageCode> {
  const answer = await site.post('/page-codes', { label: 'Class 7b', ...values });
  return expectResponse('createPageCode', answer, 201).data;
}
