import type { Static } from 'typebox';
import { named } from '../shared/resource.ts';
import { exampleIds, uuid } from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';
import { hexColor, imageUrl, languageTag, submittedTitle } from '../sites/sites.ts';
import { dashboardOperation } from './operation.ts';

/** The limit for the small copy of an unsaved logo: a longer one would make the URL too long for a proxy. */
const maxPreviewLogoLength = 6_000;

const PreviewQuery = Type.Object(
  {
    title: submittedTitle,
    color: Type.Optional(
      Type.String({
        maxLength: 7,
        pattern: hexColor,
        description: 'The color of buttons and links. Defaults to the color of Gatehouse.',
        examples: ['#0f766e'],
      }),
    ),
    language: Type.Optional(
      Type.String({
        maxLength: 35,
        pattern: languageTag,
        description: 'A language tag (RFC 5646). Defaults to English, also for unsupported languages.',
        examples: ['en'],
      }),
    ),
    logo: Type.Optional(
      Type.String({
        maxLength: maxPreviewLogoLength,
        pattern: imageUrl,
        description:
          'A small copy of an unsaved logo, as a `data:` URL. It is ignored in requests from pages of other sites.',
        examples: [
          'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
        ],
      }),
    ),
    siteId: Type.Optional(
      uuid('The site whose saved logo is shown. The operator needs a role on this site.', exampleIds.site),
    ),
  },
  { additionalProperties: false },
);
export type PreviewQuery = Static<typeof PreviewQuery>;

const Page = Type.String({
  description: 'An HTML document without active content.',
  examples: ['<!doctype html><html lang="en"></html>'],
});

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
    description: 'Shows the login email of a site with unsaved settings.',
    query: PreviewQuery,
    returns: Page,
    success: 'The email as a page.',
    mediaType: 'text/html',
  }),
});
