// A worker of a CDN, such as Cloudflare, in front of a static site. It asks Gatehouse who may see a page, and uses each
// decision for up to a minute. Gatehouse is the origin of the site, so requests for its login pages are passed on.

import { Gatehouse } from '@gatehouse/client';
import { gate } from '@gatehouse/client/edge';

interface Env {
  /** The public URL of Gatehouse. */
  GATEHOUSE_URL: string;
  /** An API key with the permission `members:read` only. */
  GATEHOUSE_KEY: string;
  /** The id of the site. */
  SITE_ID: string;
  /** The URL of the site, such as https://academy.example.com. */
  SITE_ORIGIN: string;
  /** The files of the site. */
  ASSETS: { fetch(request: Request): Promise<Response> };
}

let checked: ReturnType<typeof gate> | undefined;

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    if (new URL(request.url).pathname.startsWith('/_gatehouse/'))
      return fetch(request, { redirect: 'manual' });
    checked ??= createGate(env);
    return checked(request, () => env.ASSETS.fetch(request));
  },
};

function createGate({ GATEHOUSE_URL: url, GATEHOUSE_KEY: key, SITE_ID: siteId, SITE_ORIGIN: origin }: Env) {
  return gate(new Gatehouse({ url, key }), { siteId, origin });
}
