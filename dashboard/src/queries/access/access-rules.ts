import type { AccessRule, AccessRules, Call, Gatehouse } from '@gatehouse/client';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { SiteKeys } from '../keys.ts';
import { useSiteApi } from '../site-api.ts';
import { type Version, versionOf } from '../version.ts';

/** The rules of one version. */
export type RulesVersion = Version<readonly AccessRule[]>;

export function useSavedRules(isNeeded = true) {
  return useQuery({ ...useRulesQuery(), enabled: isNeeded });
}

/** Saves all rules, unless the version is no longer `etag`. */
export function useSaveRules() {
  const { gatehouse, keys, client } = useSiteApi();
  const query = useRulesQuery();
  return useMutation({
    mutationFn: ({ data, etag }: RulesVersion) =>
      rulesOf(gatehouse.accessRules.replace(data, { ifMatch: etag })),
    onSuccess: (rules) => {
      client.setQueryData(query.queryKey, rules);
      void client.invalidateQueries({ queryKey: keys.rules.decisions });
    },
  });
}

function useRulesQuery() {
  const { gatehouse, keys } = useSiteApi();
  return rulesQuery(gatehouse, keys);
}

/** The query for the saved rules of a site; disable it without one. */
export function rulesQuery(gatehouse: Gatehouse | undefined, keys: SiteKeys) {
  return queryOptions({
    queryKey: keys.rules.saved,
    queryFn: ({ signal }) => rulesOf(gatehouse!.accessRules.get({ signal })),
  });
}

async function rulesOf(call: Call<AccessRules>): Promise<RulesVersion> {
  const { data, etag } = await versionOf(call);
  return { data: data.rules, etag };
}
