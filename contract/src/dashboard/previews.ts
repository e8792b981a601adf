import { type Static, Type } from 'typebox';
import { named } from '../shared/resource.ts';
import { closed, exampleIds, languageTag, rawText, text, uuid } from '../shared/schemas.ts';
import { hexColor, imageUrl, submittedTitle } from '../sites/sites.ts';
import { dashboardOperation } from './operation.ts';

/** The limit for the small copy of an unsaved logo: a longer one would make the URL too long for a proxy. */
const maxPreviewLogoLength = 6_000;

const PreviewQuery = closed({
  title: submittedTitle,
  color: Type.Optional(
    text('The color of buttons and links. Defaults to the color of Gatehouse.', '#0f766e', {
      maxLength: 7,
      pattern: hexColor,
    }),
  ),
  language: Type.Optional(
    text('A language tag (RFC 5646). Defaults to English, also for unsupported languages.', 'en', {
      maxLength: 35,
      pattern: languageTag,
    }),
  ),
  logo: Type.Optional(
    text(
      'A small copy of an unsaved logo, as a `data:` URL. It is ignored in requests from pages of other sites.',
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      { maxLength: maxPreviewLogoLength, pattern: imageUrl },
    ),
  ),
  siteId: Type.Optional(
    uuid('The site whose saved logo is shown. The operator needs a role on this site.', exampleIds.site),
  ),
});
export type PreviewQuery = Static<typeof PreviewQuery>;

const unsaved = 'An unsaved text, under the rules of `PUT /email-texts/{language}`. Left out, ';

const EmailPreviewQuery = closed({
  ...PreviewQuery.properties,
  greeting: Type.Optional(rawText(`${unsaved}the greeting of Gatehouse.`, 'Dear rower,')),
  welcome: Type.Optional(rawText(`${unsaved}none.`, 'Welcome aboard!')),
  closing: Type.Optional(rawText(`${unsaved}none.`, 'See you on the water!')),
});

const Page = text('An HTML document without active content.', '<!doctype html><html lang="en"></html>');

export const previewOperations = named({
  previewLoginPage: dashboardOperation({
    method: 'GET',
    path: '/preview/login',
    tag: 'Previews',
    summary: 'Preview the login page',
    description: 'Shows the login page of a site with unsaved settings.',
    query: PreviewQuery,
    returns: Page,
    success: 'The page.',
    mediaType: 'text/html',
  }),
  previewLoginEmail: dashboardOperation({
    method: 'GET',
    path: '/preview/email',
    tag: 'Previews',
    summary: 'Preview the login email',
    description:
      'Shows the login email of a site with unsaved settings and texts, as a member gets it who has never logged in.',
    query: EmailPreviewQuery,
    returns: Page,
    success: 'The email as a page.',
    mediaType: 'text/html',
  }),
});
