import type { CreateSource, OperationId, Site, Source, UpdateSource } from '@gatehouse/contract';
import type { Command } from 'commander';
import { addSiteOptions, siteFieldsOf } from '../site/site-changes.ts';
import { addSecretOptions, readSecret, requireSecret } from '../sources/secret.ts';
import type { SiteApi } from './site-api.ts';

/** Options of a command beside those of the contract, which are easier to write than the JSON of their properties. */
export interface Addition {
  /** Properties whose flags they replace. */
  readonly replaces: readonly string[];
  readonly addOptions: (command: Command) => void;
  /** The fields of the body that the options set. @param fields those that other options have set */
  readonly fieldsOf: (
    options: Record<string, unknown>,
    api: SiteApi,
    // biome-ignore lint/suspicious/noExplicitAny: the body of any operation
    fields: any,
    params: Readonly<Record<string, string>>,
  ) => Promise<object>;
}

export const additions: Partial<Record<OperationId, Addition>> = {
  createSource: {
    replaces: [],
    addOptions: addSecretOptions,
    fieldsOf: async ({ secretFile }, _, { type, token, address }: CreateSource) => {
      if (token !== undefined) return {};
      const secret = await readSecret(type, { address, secretFile: secretFile as string });
      requireSecret(type, secret);
      return secret;
    },
  },
  updateSource: {
    replaces: [],
    addOptions: addSecretOptions,
    fieldsOf: async ({ secretFile }, api, { address }: UpdateSource, { sourceId }) => {
      if (secretFile === undefined) return {};
      const { data } = (await api.send('getSource', { params: { sourceId: sourceId! } })) as { data: Source };
      return readSecret(data.type, { address, secretFile: secretFile as string });
    },
  },
  updateSite: {
    replaces: ['signUp'],
    addOptions: addSiteOptions,
    fieldsOf: (options, api, fields) =>
      siteFieldsOf(options, async () => ((await api.send('getSite', {})) as { data: Site }).data, fields),
  },
};
