import type { OperationId } from '@gatehouse/contract';
import type { Addition } from './addition.ts';

/** Each is loaded with its command. */
const additions: Partial<Record<OperationId, () => Promise<Addition>>> = {
  createSource: async () => (await import('../sources/secret.ts')).connectionOfNew,
  updateSource: async () => (await import('../sources/secret.ts')).connectionOfKnown,
  getAccessRules: async () => (await import('../access-rules/access-rules-text.ts')).rulesTable,
  replaceAccessRules: async () => (await import('../access-rules/access-rules-text.ts')).rulesTable,
  checkAccess: async () => (await import('../access-rules/access-checks.ts')).accessChecks,
  listSourceCollections: async () => (await import('../sources/collection-text.ts')).collectionList,
  previewSourceCollection: async () => (await import('../sources/collection-text.ts')).collectionPreview,
  uploadCollectionPeople: async () => (await import('../sources/uploaded-file.ts')).fileUpload,
  syncSource: async () => (await import('../sources/synchronization.ts')).synchronization,
  getSourceRun: async () => (await import('../sources/synchronization.ts')).runDetails,
  getSourceWebhook: async () => (await import('../sources/webhook-text.ts')).webhookSetup,
  resetSourceWebhook: async () => (await import('../sources/webhook-text.ts')).webhookReset,
  updateSite: async () => (await import('../site/site-changes.ts')).siteChanges,
};

/** What the command of an operation has beside it. */
export async function additionOf(id: string): Promise<Addition> {
  return (await additions[id as OperationId]?.()) ?? {};
}
