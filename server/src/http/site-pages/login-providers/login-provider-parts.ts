import type { ProviderConnector } from '../../../domain/login-providers/provider-account.ts';
import type { Workspaces } from '../../../domain/sources/workspaces/workspaces.ts';
import type { PageParts } from '../../shared/requests/page-parts.ts';

/** The dependencies of the pages that speak with login providers. */
export interface LoginProviderParts extends PageParts {
  /** Speaks with the servers of login providers. Not within a transaction: they may be slow. */
  readonly loginProviders: ProviderConnector;
  /** Decrypts the secrets of login providers. */
  readonly workspaces: Pick<Workspaces, 'secrets'>;
}
