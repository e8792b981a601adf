import type { CreateSource, OperationId, Site, UpdateSource } from '@gatehouse/contract';
import { accessChecks } from '../access-rules/access-checks.ts';
import { accessRulesText } from '../access-rules/access-rules-text.ts';
import { addSiteOptions, siteFieldsOf } from '../site/site-changes.ts';
import { collectionList, collectionPreview } from '../sources/collection-text.ts';
import { findSource } from '../sources/named-source.ts';
import { addSecretOptions, readSecret, requireSecret } from '../sources/secret.ts';
import { runText, synchronization } from '../sources/synchronization.ts';
import { fileUpload } from '../sources/uploaded-file.ts';
import { webhookReset, webhookSetup } from '../sources/webhook-text.ts';
import type { Addition } from './addition.ts';

export const additions: Partial<Record<OperationId, Addition>> = {
  createSource: {
    addOptions: addSecretOptions,
    fieldsOf: async ({ options }, { type, token, address }: CreateSource) => {
      if (token !== undefined) return {};
      const secret = await readSecret(type, { address, secretFile: options.secretFile });
      requireSecret(type, secret);
      return secret;
    },
  },
  updateSource: {
    addOptions: addSecretOptions,
    fieldsOf: async ({ options, api, params }, { address }: UpdateSource) => {
      if (options.secretFile === undefined) return {};
      const { type } = await findSource(api, params.sourceId!);
      return readSecret(type, { address, secretFile: options.secretFile });
    },
  },
  getAccessRules: { text: accessRulesText },
  replaceAccessRules: { text: accessRulesText },
  checkAccess: accessChecks,
  listSourceCollections: collectionList,
  previewSourceCollection: collectionPreview,
  uploadCollectionPeople: fileUpload,
  syncSource: synchronization,
  getSourceRun: { text: runText },
  getSourceWebhook: webhookSetup,
  resetSourceWebhook: webhookReset,
  updateSite: {
    replaces: ['signUp'],
    addOptions: addSiteOptions,
    fieldsOf: ({ options, api }, fields) =>
      siteFieldsOf(options, async () => ((await api.send('getSite', {})) as { data: Site }).data, fields),
  },
};
