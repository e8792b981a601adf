import { fill } from '@gatehouse/contract/fill';
import { maxDisplayNameLength, maxJoinRequestMessageLength } from '@gatehouse/contract/limits';
import { type Html, html } from '../../base/text/html.ts';
import { inMinutes, type Texts } from '../../i18n/languages.ts';
import { type PageFrame, pageTexts, problemNote } from '../page.ts';

/** What was entered before, or empty texts. */
export interface EnteredFields {
  readonly email: string;
  readonly displayName: string;
  readonly message: string;
}

/** A problem with a form on which somebody joins or asks for it. */
export interface JoinProblem {
  readonly kind: 'invalid_email' | 'invalid_name' | 'message_too_long' | 'too_many';
  /** When to try again after `too_many`. */
  readonly waitMinutes?: number;
}

/** The note about a problem, if there is one. */
export function joinProblemNote(
  { language }: PageFrame,
  texts: Texts,
  problem: JoinProblem | null,
): Html | null {
  if (problem === null) return null;
  const { kind, waitMinutes = 15 } = problem;
  const sentences = {
    invalid_email: texts['login.invalidEmail'],
    invalid_name: texts['account.invalidName'],
    message_too_long: fill(texts['join.messageTooLong'], { count: String(maxJoinRequestMessageLength) }),
    too_many: fill(texts['message.tooMany.text'], { time: inMinutes(language, waitMinutes) }),
  };
  return problemNote(sentences[kind]);
}

export function emailField(texts: Texts, value: string, problem: JoinProblem | null): Html {
  return html`<label for="email">${texts['login.email']}</label>
<input type="email" id="email" name="email" value="${value}" autocomplete="email" inputmode="email" autocapitalize="none" spellcheck="false" dir="ltr" required${of(problem, 'invalid_email')}>`;
}

/** The optional fields of somebody who asks for a decision. A member has a name already. */
export function requestFields(
  frame: PageFrame,
  { displayName, message }: Pick<EnteredFields, 'displayName' | 'message'>,
  problem: JoinProblem | null,
  isMember = false,
): Html {
  const { texts, named } = pageTexts(frame);
  return html`${
    !isMember &&
    html`<label for="displayName">${texts['join.name']}</label>
<input type="text" id="displayName" name="displayName" value="${displayName}" autocomplete="name" maxlength="${maxDisplayNameLength}" dir="auto"${of(problem, 'invalid_name')}>
`
  }<label for="message">${named(texts['join.message'])}</label>
<textarea id="message" name="message" rows="4" maxlength="${maxJoinRequestMessageLength}" dir="auto"${of(problem, 'message_too_long')}>${message}</textarea>`;
}

/** Marks the field that a problem is about. */
function of(problem: JoinProblem | null, kind: JoinProblem['kind']): Html | false {
  return problem?.kind === kind && html` aria-invalid="true" aria-describedby="problem"`;
}
