import type { CreatePageCode, PageCode } from '@gatehouse/contract';
import type { TestSite } from '../test-server.ts';
import { expectResponse } from './answers.ts';

/** A page code, created through the API. */
export async function aPageCode(site: TestSite, values: Partial<CreatePageCode> = {}): Promise<PageCode> {
  const answer = await site.post('/page-codes', { label: 'Class 7b', ...values });
  return expectResponse('createPageCode', answer, 201).data;
}
