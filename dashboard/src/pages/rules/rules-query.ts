import type { AccessRule } from '@gatehouse/client';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useGatehouse, useSite } from '../../session/site.ts';

/** The rules as the service has them, in one version. */
export interface SavedRules {
  readonly rules: readonly AccessRule[];
  readonly etag: string | undefined;
}

export function useSavedRules() {
  return useQuery(useRulesQuery());
}

/** Saves all the rules, unless they are no longer those of `etag`. */
export function useSaveRules() {
  const gatehouse = useGatehouse();
  const site = useSite();
  const client = useQueryClient();
  const query = useRulesQuery();
  return useMutation({
    mutationFn: async ({ rules, etag }: SavedRules) =>
      toSaved(await gatehouse.accessRules.replace(rules, { ifMatch: etag }).withResponse()),
    onSuccess: (rules) => {
      client.setQueryData(query.queryKey, rules);
      void client.invalidateQueries({ queryKey: [site.id, 'rules', 'decision'] });
    },
  });
}

function useRulesQuery() {
  const site = useSite();
  const gatehouse = useGatehouse();
  return queryOptions({
    queryKey: [site.id, 'rules', 'saved'],
    queryFn: async ({ signal }) => toSaved(await gatehouse.accessRules.get({ signal }).withResponse()),
  });
}

function toSaved({
  data,
  response,
}: {
  data: { rules: AccessRule[] };
  response: { etag: string | undefined };
}): SavedRules {
  return { rules: data.rules, etag: response.etag };
}
