import type { LoginMethods } from '@gatehouse/contract';
import type { SiteView } from '../../storage/site-view.ts';
import { countMembersOfProviders } from '../identities/identities.ts';
import { listProviderIds } from '../login-providers/login-providers.ts';
import { countMembersWithPasskeys, countSessionsByMethod } from './login-method-counts.ts';

/** How many members and sessions use each way to log in. */
export async function countLoginMethods(view: SiteView): Promise<LoginMethods> {
  const [passkeys, providerIds, members, sessions] = await Promise.all([
    countMembersWithPasskeys(view),
    listProviderIds(view),
    countMembersOfProviders(view),
    countSessionsByMethod(view),
  ]);
  const providers = providerIds.map((id) => ({ id, members: members.get(id) ?? 0 }));
  return { passkeys: { members: passkeys }, providers, sessions };
}
