import type { Static } from 'typebox';
import { maxEmailTextLength, maxGreetingLength } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import { maxRawValueLength, noNull, nullable, request, shape, text } from '../shared/schemas.ts';

const forbidden = 'It has no URLs or email addresses.';
const greetingText = `The line with which emails begin, of 1 to ${maxGreetingLength} characters. ${forbidden}`;
const closingText =
  `The last paragraph of emails, such as who sends them, of 1 to ${maxEmailTextLength} characters; it may have line ` +
  `breaks. ${forbidden}`;
const welcomeText =
  'A paragraph after the greeting, in login emails to members who have never logged in and in emails about an approved ' +
  `request to join, of 1 to ${maxEmailTextLength} characters; it may have line breaks. ${forbidden}`;
const examples = {
  greeting: 'Dear rower,',
  closing: 'See you on the water!\nThe Example Academy',
  welcome: 'Welcome! You can now read all course materials.',
};

export const EmailTexts = shape('EmailTexts', 'The texts of the site in its emails in one language.', {
  language: text('The language tag (RFC 5646).', 'en'),
  greeting: nullable(text(`${greetingText} Null for \`defaults.greeting\`.`, examples.greeting)),
  closing: nullable(text(`${closingText} Null for none.`, examples.closing)),
  welcome: nullable(text(`${welcomeText} Null for none.`, examples.welcome)),
  defaults: shape('DefaultEmailTexts', 'The texts of Gatehouse.', {
    greeting: text('The greeting.', 'Hello,'),
  }),
});
export type EmailTexts = Static<typeof EmailTexts>;

function submitted(description: string, example: string) {
  return nullable(
    text(description, example, { minLength: 1, maxLength: maxRawValueLength, pattern: noNull }),
  );
}

export const ReplaceEmailTexts = request('ReplaceEmailTexts', {
  greeting: submitted(`${greetingText} Null for the greeting of Gatehouse.`, examples.greeting),
  closing: submitted(`${closingText} Null for none.`, examples.closing),
  welcome: submitted(`${welcomeText} Null for none.`, examples.welcome),
});
export type ReplaceEmailTexts = Static<typeof ReplaceEmailTexts>;

const texts = new Resource({
  tag: 'Emails',
  name: 'text',
  read: 'site:read',
  write: 'site:write',
});

export const emailTextOperations = named({
  listEmailTexts: texts.listAll({
    path: '/email-texts',
    summary: 'List the texts of emails',
    description:
      'The texts of the site in its emails to members, in each language of Gatehouse. Everybody else, operators included, ' +
      'gets emails without them.',
    returns: EmailTexts,
    success: 'The texts, a set for each language.',
  }),
  getEmailTexts: texts.get({
    path: '/email-texts/{language}',
    summary: 'Get the texts of emails in one language',
    description: 'The texts of one language, with the `ETag` for a change.',
    returns: EmailTexts,
    success: 'The texts of the language.',
  }),
  replaceEmailTexts: texts.replace({
    path: '/email-texts/{language}',
    summary: 'Replace the texts of emails',
    description:
      'Replaces all texts of one language. They change neither the subject of an email nor its link, code and notes on ' +
      'security. The event `site.updated` names the change `emailTexts`.',
    body: ReplaceEmailTexts,
    returns: EmailTexts,
    success: 'The texts after the change.',
  }),
});
