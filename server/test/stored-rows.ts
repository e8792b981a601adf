import { randomUUID } from 'node:crypto';
import { newId, timeOfId } from '../src/base/ids.ts';
import type { Change } from '../src/domain/events/change.ts';
import type { StoredPageCode } from '../src/domain/page-codes/page-code.ts';
import { insertPageCode } from '../src/domain/page-codes/page-code-store.ts';

/** Stores a page code that nobody can enter. Returns the ID. */
export async function storePageCode(change: Change, values: Partial<StoredPageCode> = {}): Promise<string> {
  const id = newId();
  await insertPageCode(change, {
    id,
    label: 'Class 7b',
    type: 'chosen',
    codeHash: randomUUID(),
    sealedCode: null,
    expiresAt: null,
    maxUses: null,
    usedCount: 0,
    lastUsedAt: null,
    createdAt: timeOfId(id),
    updatedAt: timeOfId(id),
    ...values,
  });
  return id;
}
