import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { untilLoaded } from '../session/pause.ts';

/**
 * A part that is loaded after its page. The fallback of its `Suspense` is shown until it could be downloaded: unlike with
 * `lazy` alone, a failed download neither replaces the page nor lasts.
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await untilLoaded(load) }));
}
