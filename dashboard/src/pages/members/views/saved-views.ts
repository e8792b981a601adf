import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSiteKeys } from '../../../queries/keys.ts';
import { dashboardApi, type SavedView } from '../../../session/dashboard-api.ts';
import { whileLoggedIn } from '../../../session/logged-out.ts';
import { useSite } from '../../../session/site.ts';

/** The views that the operator has saved on this site, oldest first. */
export function useSavedViews() {
  const { id } = useSite();
  return useQuery({
    queryKey: useSiteKeys().savedViews,
    queryFn: () => whileLoggedIn(() => dashboardApi.savedViews(id)),
  });
}

/** Changes of the saved views. */
export function useViewChanges() {
  const { id: siteId } = useSite();
  const client = useQueryClient();
  const queryKey = useSiteKeys().savedViews;
  const changed = async <Result>(change: () => Promise<Result>): Promise<Result> => {
    const result = await whileLoggedIn(change);
    await client.invalidateQueries({ queryKey });
    return result;
  };
  return {
    save: (name: string, search: string) => changed(() => dashboardApi.saveView(siteId, { name, search })),
    rename: (view: SavedView, name: string) => changed(() => dashboardApi.updateSavedView(view.id, { name })),
    setSearch: (view: SavedView, search: string) =>
      changed(() => dashboardApi.updateSavedView(view.id, { search })),
    remove: (view: SavedView) => changed(() => dashboardApi.deleteSavedView(view.id)),
  };
}
