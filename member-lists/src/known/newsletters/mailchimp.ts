import type { KnownExport } from '../known-export.ts';

const leftOut = { '': 'leftOut', '*': 'leftOut' } as const;

/**
 * Audience, "Export audience": a file for each state. A row is a contact of the audience. Only the files of the
 * unsubscribed and of the cleaned contacts have the columns of the states. The first columns are named by the customer.
 */
export const mailchimp: KnownExport = {
  title: 'Mailchimp',
  signatures: [['MEMBER_RATING', 'OPTIN_TIME', 'CONFIRM_TIME', 'LEID', 'EUID']],
  columns: {
    email: ['Email Address', 'Email'],
    firstName: ['First Name', 'Vorname', 'Prénom', 'Nombre'],
    lastName: ['Last Name', 'Nachname', 'Nom', 'Apellidos'],
    // OPTIN_TIME is empty if someone else has added the contact.
    registeredAt: ['CONFIRM_TIME', 'OPTIN_TIME'],
  },
  groupHeadings: ['TAGS'],
  groupSeparator: ',',
  clockTimeZone: 'UTC',
  states: [
    { heading: 'UNSUB_TIME', words: leftOut },
    { heading: 'CLEAN_TIME', words: leftOut },
  ],
};
