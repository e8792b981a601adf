import { Outlet, useParams } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo } from 'react';
import { NotFoundPage } from '../components/feedback/not-found-page.tsx';
import { latePart } from '../components/late-part.ts';
import { knownTimeZone } from '../format/time-zone.ts';
import { saveLastSite } from '../session/last-site.ts';
import { useMe } from '../session/me.ts';
import { SiteContext } from '../session/site.ts';
import { siteSession } from '../session/site-session.ts';

/** Loaded after the first page, which is complete without it. */
const LiveUpdates = latePart(async () => (await import('../live/live-updates.tsx')).LiveUpdates);

/** The frame of a site's pages. Everything in it belongs to that site. */
export function SiteFrame() {
  const { site: slug } = useParams({ from: '/$site' });
  const site = useMe().sites.find((each) => each.slug === slug);
  const shown = useMemo(
    () => site && { site: { ...site, timeZone: knownTimeZone(site.timeZone) }, session: siteSession(site) },
    [site],
  );
  // Saved here and not in the loader, because pages are preloaded when the pointer is over a link.
  useEffect(() => {
    if (site) saveLastSite(site);
  }, [site]);
  // The role may have been removed while the page was open.
  if (!shown) return <NotFoundPage />;
  return (
    <SiteContext value={shown} key={shown.site.id}>
      <Outlet />
      <Suspense>
        <LiveUpdates />
      </Suspense>
    </SiteContext>
  );
}
