import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { rememberSite } from '../session/last-site.ts';
import { useMe } from '../session/me.ts';
import { SiteContext } from '../session/site.ts';
import { siteSession } from '../session/site-session.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** The pages of one site: what they show belongs to it and to nothing else. */
export function SiteFrame() {
  const { site: slug } = useParams({ from: '/$site' });
  const site = useMe().sites.find((each) => each.slug === slug);
  const shown = useMemo(() => site && { site, session: siteSession(site) }, [site]);
  // Here, as pages are loaded for whoever only points at a link.
  useEffect(() => {
    if (site) rememberSite(site);
  }, [site]);
  // The role may have been taken away while the page was open.
  if (!shown) return <NotFoundPage />;
  return (
    <SiteContext value={shown} key={shown.site.id}>
      <Outlet />
    </SiteContext>
  );
}
