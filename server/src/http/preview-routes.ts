import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loginLinkLifetimeMinutes } from '../credentials/login-link.ts';
import { availableLanguages } from '../languages/languages.ts';
import { loginMail } from '../login/login-mail.ts';
import { selectSitesOfOperator } from '../operators/operator-store.ts';
import { loginPage } from '../pages/pages.ts';
import { memberRealm } from '../sites/realm.ts';
import { checkLogo, checkTitle, type Logo } from '../sites/site.ts';
import { findLogo } from '../sites/sites.ts';
import { styleOf } from './page-frame.ts';
import { type Fields, one, type PageParts, pageOptions } from './page-request.ts';

/** Nothing in a preview can act: it runs no script, sends no form, and has an origin of its own. */
const still =
  "sandbox; default-src 'none'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
const exampleOrigin = 'https://www.example.com';
/** A small copy of a logo that is not saved yet: longer, and the address would be too long for a proxy. */
const maxLogoLength = 6_000;
const logoForm = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const colourForm = /^#[0-9a-f]{6}$/i;

/** How the login page and the email of a site look with a title, a colour, a logo and a language that are not saved yet. */
export function addPreviews(api: FastifyInstance, parts: PageParts): void {
  api.get('/preview/login', pageOptions, async (request, reply) => {
    const { site, language } = await readPreview(parts, request);
    const { sheet } = styleOf(site.colour);
    const styleAddress = `data:text/css;base64,${Buffer.from(sheet).toString('base64')}`;
    const frame = { site, realm: memberRealm, language, styleAddress };
    const page = loginPage(frame, { next: '/', email: '', isPreview: true });
    return send(reply, page, `${still}; style-src data:`);
  });

  api.get('/preview/mail', pageOptions, async (request, reply) => {
    const { site, language } = await readPreview(parts, request);
    const { html } = loginMail(
      { site, language },
      {
        url: `${exampleOrigin}${memberRealm.prefix}/link/example`,
        code: '123456',
        minutes: loginLinkLifetimeMinutes,
        email: request.operator!.email,
        origin: exampleOrigin,
      },
    );
    return send(reply, html, `${still}; style-src 'unsafe-inline'`);
  });
}

/** @throws Refusal `invalid_request` */
async function readPreview({ database }: PageParts, request: FastifyRequest) {
  const fields = request.query as Fields;
  const [title, colour, language, siteId] = ['title', 'colour', 'language', 'siteId'].map((name) =>
    one(fields[name]),
  );
  const sites = siteId === undefined ? [] : await selectSitesOfOperator(database, request.operator!.memberId);
  const saved = sites.some(({ id }) => id === siteId) ? await findLogo(database, siteId!) : undefined;
  const logo = readLogo(request, one(fields.logo)) ?? saved;
  return {
    site: {
      title: checkTitle(title ?? ''),
      colour: colour !== undefined && colourForm.test(colour) ? colour.toLowerCase() : null,
      logoUrl: logo ? `data:${logo.mediaType};base64,${logo.content}` : null,
    },
    language: availableLanguages.find((each) => each === language) ?? availableLanguages[0]!,
  };
}

/** A logo that is not saved yet. Another site cannot have its own picture shown here. */
function readLogo({ headers }: FastifyRequest, url: string | undefined): Logo | undefined {
  const fetchSite = headers['sec-fetch-site'];
  const isOwn = fetchSite === undefined || fetchSite === 'same-origin';
  if (!isOwn || url === undefined || url.length > maxLogoLength || !logoForm.test(url)) return undefined;
  return checkLogo(url);
}

function send(reply: FastifyReply, document: string, policy: string): FastifyReply {
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(document);
}
