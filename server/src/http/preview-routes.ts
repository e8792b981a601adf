import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loginLinkLifetimeMinutes } from '../credentials/login-link.ts';
import { availableLanguages } from '../languages/languages.ts';
import { loginMail } from '../login/login-mail.ts';
import { selectSitesOfOperator } from '../operators/operator-store.ts';
import { loginPage } from '../pages/pages.ts';
import { memberRealm } from '../sites/realm.ts';
import { checkTitle } from '../sites/site.ts';
import { findLogo } from '../sites/sites.ts';
import { styleOf } from './page-frame.ts';
import { type Fields, one, type PageParts, pageOptions } from './page-request.ts';

/** Nothing in a preview can act: it runs no script, sends no form, and has an origin of its own. */
const still =
  "sandbox; default-src 'none'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
const exampleOrigin = 'https://www.example.com';
const colourForm = /^#[0-9a-f]{6}$/i;

/** How the login page and the mail of a site look with a title, a colour and a language that are not saved yet. */
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
  const logo = sites.some(({ id }) => id === siteId) ? await findLogo(database, siteId!) : undefined;
  return {
    site: {
      title: checkTitle(title ?? ''),
      colour: colour !== undefined && colourForm.test(colour) ? colour.toLowerCase() : null,
      logoUrl: logo ? `data:${logo.mediaType};base64,${logo.content}` : null,
    },
    language: availableLanguages.find((each) => each === language) ?? availableLanguages[0]!,
  };
}

function send(reply: FastifyReply, document: string, policy: string): FastifyReply {
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(document);
}
