import { Outlet, useParams } from '@tanstack/react-router';
import { useMe } from '../session/me.ts';
import { SiteContext } from '../session/site.ts';
import { siteSession } from '../session/site-session.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** The pages of one site: what they show belongs to it and to nothing else. */
export function SiteFrame() {
  const { site: slug } = useParams({ from: '/$site' });
  const site = useMe().sites.find((each) => each.slug === slug);
  // The role may have been taken away while the page was open.
  if (!site) return <NotFoundPage />;
  return (
    <SiteContext value={siteSession(site)} key={site.id}>
      <Outlet />
    </SiteContext>
  );
}
