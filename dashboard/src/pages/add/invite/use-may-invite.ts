import { useSavedSite } from '../../../queries/saved-site.ts';
import { useMay } from '../../../session/site.ts';

/** Whether the operator may invite people. */
export function useMayInvite(): boolean {
  return useMay('invitations:write', 'members:write');
}

/** Whether the links in emails would lead nowhere, because the site has no domain yet. */
export function useLacksDomain(): boolean {
  return useSavedSite().data?.data.domain === null;
}
