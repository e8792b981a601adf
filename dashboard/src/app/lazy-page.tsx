import { type ComponentType, use } from 'react';
import { PageSkeleton } from '../components/layout/skeletons.tsx';
import type { TextArea } from '../languages/areas.ts';
import { loadTexts } from '../languages/texts.tsx';
import { DownloadError } from '../session/offline.ts';

/** Loads the file of a page, which exports its component and nothing else. */
export type LoadPage = () => Promise<Readonly<Record<string, ComponentType>>>;

/**
 * A lazily loaded page with the texts that it needs at once: a page that waited for them would disappear meanwhile. Until
 * then, the placeholder with its shape is shown. A failed download is a `DownloadError`.
 */
export function lazyPage(areas: TextArea | readonly TextArea[], load: LoadPage, Shape: ComponentType) {
  let loading: Promise<ComponentType> | undefined;
  let loaded: ComponentType | undefined;
  const loadPage = (): Promise<ComponentType> => {
    loading ??= load().then(
      (file) => {
        [loaded] = Object.values(file);
        return loaded!;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function Page() {
    // To wait for a promise, even for one that is fulfilled, shows the fallback for 300 ms.
    const Loaded = loaded ?? use(loadPage());
    return <Loaded />;
  }
  return {
    loader: async () => {
      await Promise.all([...[areas].flat().map(loadTexts), loadPage()]).catch((cause) => {
        throw new DownloadError(cause);
      });
    },
    component: Page,
    pendingComponent: () => (
      <PageSkeleton>
        <Shape />
      </PageSkeleton>
    ),
  };
}
