import { type Html, html } from '../../base/text/html.ts';
import { joinPath, loginPath } from '../../domain/sites/page-addresses.ts';
import { type PageFrame, page, pageTexts } from '../page.ts';

export interface JoinOutcomePage {
  readonly kind:
    | 'requested'
    | 'queue_full'
    /** The invitation was used up, has expired or was revoked, or there is none. */
    | 'invitation_ended'
    /** The invitation works for another address than that of the member who is logged in. */
    | 'other_address'
    /** The browser did not send the cookie of the page with the form. */
    | 'cookie_missing';
  /** Whether people can ask to join without an invitation. */
  readonly canRequest?: boolean;
}

const names = {
  requested: 'requested',
  queue_full: 'queueFull',
  invitation_ended: 'invitationEnded',
  other_address: 'otherAddress',
  cookie_missing: 'cookieMissing',
} as const;

/** Says what came of joining, and what to do next. */
export function joinOutcomePage(frame: PageFrame, { kind, canRequest = false }: JoinOutcomePage): string {
  const { texts, named } = pageTexts(frame);
  const name = names[kind];
  return page(frame, {
    heading: texts[`${name}.title`],
    body: html`<p>${named(texts[`${name}.text`])}</p>
${nextStep(frame, kind, canRequest)}`,
  });
}

function nextStep(frame: PageFrame, kind: JoinOutcomePage['kind'], canRequest: boolean): Html | false {
  const { texts } = pageTexts(frame);
  const { addresses } = frame;
  const { front, prefix } = addresses;
  if (kind === 'cookie_missing') return false;
  if (kind === 'requested' || kind === 'queue_full')
    return html`<p><a class="button quiet" href="${front}">${texts['message.frontPage']}</a></p>`;
  if (kind === 'other_address')
    return html`<form method="post" action="${prefix}/logout">
<input type="hidden" name="next" value="${front}">
<button class="quiet" type="submit">${texts['noAccess.otherAddress']}</button>
</form>`;
  return html`${canRequest && html`<p><a class="button" href="${joinPath(addresses, front)}">${texts['request.title']}</a></p>\n`}<p><a class="button quiet" href="${loginPath(addresses, front)}">${texts['login.title']}</a></p>`;
}
