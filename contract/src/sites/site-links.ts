import type { Static } from 'typebox';
import { maxSiteLinkLength } from '../shared/limits.ts';
import { maxRawValueLength, noNull, nullable, request, text } from '../shared/schemas.ts';

function link(description: string, example: string) {
  return nullable(
    text(description, example, { minLength: 1, maxLength: maxRawValueLength, pattern: noNull }),
  );
}

export const SiteLinks = request(
  'SiteLinks',
  {
    contact: link(
      'How visitors reach you: a page, or an email address such as `mailto:office@example.com`.',
      'mailto:office@example.com',
    ),
    upgrade: link(
      'Where members get more access, such as a page on which they pay. It is shown where access is denied.',
      'https://www.example.com/join',
    ),
    imprint: link('Who is responsible for the site.', 'https://www.example.com/imprint'),
    privacy: link('How the site handles personal data.', 'https://www.example.com/privacy'),
  },
  {
    description:
      'Links on login pages, account pages and the page that denies access; null shows none. Each is a complete URL ' +
      `with \`https\`, and with \`http\` only for the local machine, of at most ${maxSiteLinkLength} characters, without a ` +
      'user name and password.',
  },
);
export type SiteLinks = Static<typeof SiteLinks>;
