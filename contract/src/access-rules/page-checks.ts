import { type Static, Type } from 'typebox';
import { maxDomainLength, maxPageChecks, maxPageFiles } from '../shared/limits.ts';
import { named } from '../shared/resource.ts';
import { flag, integer, openEnumeration, request, shape, single, text } from '../shared/schemas.ts';
import {
  AccessRule,
  accessReason,
  accessRules,
  requestFields,
  requestPath,
  unsavedRules,
} from './access-rules.ts';

export const pageFileTypes = ['style_sheet', 'script', 'image', 'font', 'other'] as const;
export type PageFileType = (typeof pageFileTypes)[number];

export const CheckPage = request(
  'CheckPage',
  {
    path: requestPath,
    host: Type.Optional(requestFields.host),
    rules: Type.Optional(unsavedRules),
  },
  { examples: [{ path: '/about' }] },
);
export type CheckPage = Static<typeof CheckPage>;

export const PageFile = shape('PageFile', 'A file that a page loads from a host of the site.', {
  url: text('Its URL.', 'https://academy.example.com/assets/site.css'),
  path: text('The path of its URL, with the query.', '/assets/site.css'),
  host: text('The `domain` in `hosts` of the site.', 'academy.example.com', { maxLength: maxDomainLength }),
  type: openEnumeration(pageFileTypes, 'What the page loads it as.', 'style_sheet'),
  allowed: flag('Whether an anonymous visitor has access to the file.', false),
  reason: accessReason,
  rule: Type.Union([AccessRule, Type.Null()], {
    description:
      'The rule that applied; null if no rule applies to the file, or the decision did not depend on one.',
  }),
});
export type PageFile = Static<typeof PageFile>;

export const PageCheck = shape(
  'PageCheck',
  'A page as an anonymous visitor gets it, and the files it loads.',
  {
    url: text('The URL of the page, after redirects.', 'https://academy.example.com/'),
    status: integer('The status of its response. With a status other than 200, `files` is empty.', 200),
    files: Type.Array(PageFile, {
      maxItems: maxPageFiles,
      description: `The files on hosts of the site, in the order in which the page names them, at most ${maxPageFiles}.`,
    }),
    isComplete: flag(
      'False if the page may load further files: a limit was reached, or a style sheet did not respond.',
      true,
    ),
  },
);
export type PageCheck = Static<typeof PageCheck>;

export const pageCheckOperations = named({
  checkPage: accessRules.lookUp({
    path: '/page-checks',
    summary: 'Check the files of a public page',
    description:
      'Requests a page of the site as an anonymous visitor would, and returns which style sheets, scripts, images and ' +
      'fonts it loads from hosts of the site, each with the decision of the gate for an anonymous visitor: a file that is ' +
      'denied is missing on the page. With `rules`, these decide about the files instead of the saved ones. Style sheets ' +
      'are read for further files. What scripts load is not found. Only hosts of the site are requested, without ' +
      'cookies: at most 1 MiB, 20 requests and 10 seconds in all. Changes nothing.',
    permission: 'site:write',
    maxPerMinute: maxPageChecks,
    body: CheckPage,
    returns: single(PageCheck),
    success: 'The page and its files.',
    errors: [
      'access_group_not_found',
      'page_code_not_found',
      'site_domain_missing',
      'page_not_public',
      'page_redirected',
      'page_not_html',
      'page_unavailable',
    ],
  }),
});
