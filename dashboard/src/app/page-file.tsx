import { type ComponentType, use } from 'react';
import type { TextArea } from '../languages/areas.ts';
import { loadTexts } from '../languages/texts.tsx';

export type LoadPage = () => Promise<ComponentType>;

/** A page in a file of its own. One that could not be fetched can be asked for again, where `lazyRouteComponent` cannot. */
export function pageFile(area: TextArea, load: LoadPage) {
  let loading: Promise<ComponentType> | undefined;
  const loadPage = (): Promise<ComponentType> => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  function Page() {
    const Loaded = use(loadPage());
    return <Loaded />;
  }
  return {
    loader: async () => void (await Promise.all([loadTexts(area), loadPage()])),
    component: Page,
  };
}
