import type { OperationId, Site } from '@gatehouse/contract';
import type { Command } from 'commander';
import { addSiteOptions, siteFieldsOf } from '../site/site-changes.ts';
import type { SiteApi } from './site-api.ts';

/** Options of a command beside those of the contract, which are easier to write than the JSON of their properties. */
export interface Addition {
  /** Properties whose flags they replace. */
  readonly replaces: readonly string[];
  readonly addOptions: (command: Command) => void;
  /** The fields of the body that the options set. @param fields those that other options have set */
  readonly fieldsOf: (options: Record<string, unknown>, api: SiteApi, fields: object) => Promise<object>;
}

export const additions: Partial<Record<OperationId, Addition>> = {
  updateSite: {
    replaces: ['signUp'],
    addOptions: addSiteOptions,
    fieldsOf: (options, api, fields) =>
      siteFieldsOf(options, async () => ((await api.send('getSite', {})) as { data: Site }).data, fields),
  },
};
