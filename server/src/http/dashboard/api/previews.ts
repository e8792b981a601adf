import type { PreviewQuery } from '@gatehouse/contract/dashboard';
import { loginLinkLifetimeMinutes } from '@gatehouse/contract/limits';
import type { FastifyRequest } from 'fastify';
import { checkEmailTexts } from '../../../domain/email-texts/email-text.ts';
import { listSitesOfOperator } from '../../../domain/operators/operators.ts';
import { offersSignUp } from '../../../domain/sign-up/sign-up.ts';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import { checkLogo, checkTitle, type Logo } from '../../../domain/sites/site.ts';
import { noLinks } from '../../../domain/sites/site-links.ts';
import { findLogo, findSite } from '../../../domain/sites/sites.ts';
import { availableLanguages } from '../../../i18n/languages.ts';
import { loginEmail } from '../../../pages/emails/login-email.ts';
import { loginPage } from '../../../pages/pages.ts';
import { embeddedAssets } from '../../shared/pages/page-frame.ts';
import type { DashboardHandlers, OperatorContext } from './dashboard-handler.ts';

/** A preview cannot act: it runs no script, sends no form, and has its own origin. */
const policy =
  "sandbox; default-src 'none'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
const exampleOrigin = 'https://www.example.com';

/** Previews of a site's login page and login email with an unsaved title, color, logo and language. */
export const previewHandlers: DashboardHandlers<'previewLoginPage' | 'previewLoginEmail'> = {
  previewLoginPage: async (context, { query }) => {
    const { site, language, offersSignUp } = await readPreview(context, query);
    const frame = { site, addresses: memberPages, language, ...embeddedAssets(site) };
    context.reply.header('content-security-policy', `${policy}; style-src data:`);
    return loginPage(frame, { next: '/', email: '', offersSignUp, isPreview: true });
  },

  previewLoginEmail: async (context, { query }) => {
    const { site, language } = await readPreview(context, query);
    const email = {
      url: `${exampleOrigin}${memberPages.prefix}/link/example`,
      code: '123456',
      minutes: loginLinkLifetimeMinutes,
      email: context.operator.email,
      origin: exampleOrigin,
    };
    context.reply.header('content-security-policy', `${policy}; style-src 'unsafe-inline'`);
    const { greeting = null, welcome = null, closing = null } = query;
    const texts = checkEmailTexts(language, { greeting, welcome, closing });
    return loginEmail({ site, language, texts }, email).html;
  },
};

/** @throws ApiError `invalid_request` */
async function readPreview(
  { parts: { database }, request, operator }: OperatorContext,
  { title, color, language, logo: unsaved, siteId }: PreviewQuery,
) {
  const sites = siteId === undefined ? [] : await listSitesOfOperator(database, operator.memberId);
  const saved = sites.some(({ id }) => id === siteId) ? { db: database, siteId: siteId! } : undefined;
  const logo = readLogo(request, unsaved) ?? (saved && (await findLogo(saved)));
  const savedSite = saved && (await findSite(saved));
  return {
    site: {
      title: checkTitle(title),
      color: color?.toLowerCase() ?? null,
      logoUrl: logo ? `data:${logo.mediaType};base64,${logo.content}` : null,
      links: savedSite?.links ?? noLinks,
    },
    language: availableLanguages.find((each) => each === language) ?? availableLanguages[0]!,
    offersSignUp: savedSite !== undefined && offersSignUp(savedSite),
  };
}

/** An unsaved logo. Another site cannot make its own image appear here. */
function readLogo({ headers }: FastifyRequest, url: string | undefined): Logo | undefined {
  const fetchSite = headers['sec-fetch-site'];
  const isOwn = fetchSite === undefined || fetchSite === 'same-origin';
  return isOwn && url !== undefined ? checkLogo(url) : undefined;
}
